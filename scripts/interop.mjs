// `npm run test:interop`: drives the built plugin from a host on the real hashicorp/go-plugin. Without Go it says
// so and fails in CI; elsewhere it is left out with a notice, never silently.
import { spawnSync } from "node:child_process";

const go = spawnSync("go", ["version"], { encoding: "utf8" });
if (go.error !== undefined || go.status !== 0) {
  const notice =
    "Go is not on PATH: the interop tests against the real go-plugin were NOT run. Install Go 1.25 or newer.";
  process.stderr.write(`${notice}\n`);
  process.exit(process.env.CI ? 1 : 0);
}
const { status } = spawnSync("go", ["test", "-count=1", "./..."], { cwd: "interop/go", stdio: "inherit" });
process.exit(status ?? 1);
