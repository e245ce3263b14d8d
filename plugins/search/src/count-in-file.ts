// How many lines of one file match.
import type { JailFile } from "@pluggableharness/jail";
import { type GrepInput, patternArgs } from "./grep-plan.ts";
import { readComplaints } from "./ripgrep-failure.ts";
import { startRipgrep } from "./ripgrep-process.ts";
import { zerosFlag } from "./zero-bytes.ts";

/** Matching lines of one open file. */
export async function countIn(file: JailFile, input: GrepInput, signal: AbortSignal): Promise<number> {
  const args = ["--no-config", zerosFlag(file), ...patternArgs(input), "--count", "--no-filename", "--", "-"];
  await using ripgrep = startRipgrep({ args, stdin: file.descriptor, signal });
  let output = "";
  for (let step = await ripgrep.output.next(); step.done !== true; step = await ripgrep.output.next())
    output += step.value.toString("latin1");
  readComplaints(await ripgrep.end);
  return Number(output.trim());
}
