// A terminal that reads line by line keeps only so many bytes of a line and drops the rest without a word. So a longer
// line is refused before it is written, unless the program reads key by key.
import { execFile } from "node:child_process";
import { ToolError } from "@pluggableharness/plugin";

const MAX_LINE_BYTES = process.platform === "darwin" ? 1_024 : 4_095;

/** Throws invalid_arguments where the terminal would lose a part of `text`. */
export async function checkLineLength(text: string, device: string): Promise<void> {
  const longest = Math.max(...text.split(/[\r\n]/).map((line) => Buffer.byteLength(line)));
  if (longest < MAX_LINE_BYTES || !(await readsLines(device))) return;
  throw new ToolError(
    "invalid_arguments",
    `text: line_too_long: a line of it has ${longest} bytes, and a terminal that reads by lines keeps ${MAX_LINE_BYTES - 1} and drops the rest; send shorter lines, or put the text into a file`,
    { details: { reason: "line_too_long" } },
  );
}

function readsLines(device: string): Promise<boolean> {
  const option = process.platform === "darwin" ? "-f" : "-F";
  return new Promise((resolve) => {
    execFile(
      "stty",
      [option, device, "-a"],
      { env: { PATH: "/usr/bin:/bin" }, timeout: 2_000 },
      (error, stdout) => {
        // Where it cannot be told, better refuse than lose.
        resolve(error !== null || !/\s-icanon\b/.test(stdout));
      },
    );
  });
}
