// One vitest run for the whole tree. Packages resolve to their TypeScript source (condition "source"),
// so no build stands between an edit and its test; plugins are started from their built bundle.
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/e2e/**/*.test.ts",
      "plugins/*/src/**/*.test.ts",
      "plugins/*/e2e/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    pool: "forks",
    isolate: false,
    // Most of the time is spent in waiting for processes; one worker less than there are cores leaves two cores idle.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
