// What is printed in a process whose stdout belongs to the handshake. Run in a child: it changes the process.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const guard = new URL("stdout-guard.ts", import.meta.url).href;
const logger = new URL("logger.ts", import.meta.url).href;

/** The lines that reach the log when `source` runs. */
function printed(source: string): string[] {
  const program = `
    import { writeSync } from "node:fs";
    import { createLogger } from ${JSON.stringify(logger)};
    import { guardStdout } from ${JSON.stringify(guard)};
    guardStdout(createLogger("stdout", ({ fields }) => writeSync(2, JSON.stringify(fields.line) + "\\n")));
    ${source}`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", "--input-type=module-typescript", "-e", program],
    { encoding: "utf8" },
  );
  expect(stdout).toBe("");
  return stderr
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => String(JSON.parse(line)));
}

describe("what is printed to stdout", () => {
  it.each([
    ["by console.log", 'console.log("one"); console.log("two");', ["one", "two"]],
    [
      "in pieces of a character",
      'const b = Buffer.from("ü€🙂\\n"); for (const byte of b) process.stdout.write(Buffer.from([byte]));',
      ["ü€🙂"],
    ],
    [
      "in another encoding",
      'process.stdout.write("bGluZQo=", "base64"); process.stdout.write("686f0a", "hex");',
      ["line", "ho"],
    ],
    ["without a line end", 'process.stdout.write("the last words");', ["the last words"]],
    [
      "with a callback",
      'process.stdout.write("a\\n", () => process.stdout.write("b\\n", "utf8", () => console.log("c")));',
      ["a", "b", "c"],
    ],
  ])("%s goes to the log, line by line", (_name, source, lines) => {
    expect(printed(source)).toEqual(lines);
  });

  it("without an end is kept within bounds", () => {
    const [line = ""] = printed('for (let i = 0; i < 100; i++) process.stdout.write("x".repeat(10_000));');
    expect(line.length).toBeLessThan(20_000);
  });
});
