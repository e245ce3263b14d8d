// `harness tour`: the filesystem plugin as a real subprocess on real files, step by step, with a person's approval
// where there is a person. Fails where a step does not do what it says.
import { createInterface } from "node:readline/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { PluginProcess, type ToolEvent } from "@pluggableharness/host";
import { isToolError, type Json, visibleText } from "@pluggableharness/protocol";
import { ToolKind, ToolResultEventSchema } from "@pluggableharness/protocol/wire";
import { pluginPath } from "./plugin-path.ts";
import { heading, say, show } from "./screen.ts";
import { makeTourFiles, type TourFiles } from "./tour-files.ts";

interface Step {
  readonly title: string;
  readonly operation: string;
  readonly args: { [key: string]: Json };
  /** The category of the error that must come; a result must come where it is missing. */
  readonly failsWith?: string;
  /** What must hold on disk afterwards, and its words. */
  readonly holds?: { readonly words: string; readonly check: (files: TourFiles, before: Buffer) => boolean };
}

const MENU = "menu.txt";
const breakfast = { path: MENU, old_string: "  Ei\n  Brot", new_string: "  Ei\n  Käse\n  Brot" };

const steps: readonly Step[] = [
  { title: "List a directory", operation: "list_directory", args: { path: ".", depth: 2 } },
  {
    title: "Read a page of a file",
    operation: "read_file",
    args: { path: "src/handshake.ts", offset: 1, limit: 8 },
  },
  {
    title: "Edit a file with CRLF line endings: a person approves the diff, then it happens",
    operation: "edit_file",
    args: breakfast,
    holds: {
      words: "the new line has CRLF like its neighbours, and nothing else changed",
      check: (files, before) =>
        files.read(MENU).equals(Buffer.from(before.toString().replace("  Brot", "  Käse\r\n  Brot"))),
    },
  },
  {
    title: "An edit that does not match says what differs, and changes nothing",
    operation: "edit_file",
    args: { path: MENU, old_string: "    Suppe", new_string: "    Salat" },
    failsWith: "not_found",
    holds: {
      words: "the file is as it was before this step",
      check: (files) => files.read(MENU).includes("  Suppe"),
    },
  },
  {
    title: "A path out of the jail is refused",
    operation: "read_file",
    args: { path: "../../etc/passwd" },
    failsWith: "permission_denied",
  },
  {
    title: "Take the edit back",
    operation: "undo_edit",
    args: { path: MENU },
    holds: {
      words: "the file is what it was at the start, to the byte",
      check: (files, before) => files.read(MENU).equals(before),
    },
  },
];

/** Gives the tour. Throws where a step fails. */
export async function tourCommand(): Promise<void> {
  using files = makeTourFiles();
  const before = files.read(MENU);
  const path = pluginPath("filesystem");
  say(`Starting ${path}`);
  await using plugin = await PluginProcess.launch(path);
  const { name, version } = await plugin.describe();
  const { tools } = await plugin.getSchema();
  await plugin.configure({ roots: [files.folder] });
  say(`${name} ${version}, process ${plugin.pid}, may touch ${files.folder} and nothing else.`);
  const mutating = new Set(tools.filter(({ kind }) => kind === ToolKind.RESOURCE).map((tool) => tool.name));
  for (const [index, step] of steps.entries()) {
    say();
    heading(`${index + 1}. ${step.title}`);
    say(`   ${step.operation} ${JSON.stringify(step.args)}`);
    await play(plugin, files, step, { needsApproval: mutating.has(step.operation) });
    if (step.holds !== undefined && !step.holds.check(files, before))
      throw new Error(`this does not hold: ${step.holds.words}`);
    if (step.holds !== undefined) say(`✓ ${step.holds.words}`);
  }
  say();
  heading("That was the tour.");
  say("Next: npx harness schema filesystem, or the README.");
}

async function play(
  plugin: PluginProcess,
  files: TourFiles,
  step: Step,
  gate: { readonly needsApproval: boolean },
): Promise<void> {
  const call = {
    id: step.title,
    toolName: step.operation,
    arguments: step.args,
    callContext: { sessionId: "tour", turnId: "turn-1", workingDirectory: files.folder },
  };
  if (gate.needsApproval && step.failsWith === undefined) {
    const preview = await plugin.preview(call);
    if (preview !== undefined) show(preview);
    await approve();
  }
  try {
    for await (const event of plugin.invoke(call)) await showResult(plugin, event);
  } catch (error) {
    if (!isToolError(error) || error.category !== step.failsWith) throw error;
    say(visibleText(`✗ ${error.category}: ${error.message}`));
    return;
  }
  if (step.failsWith !== undefined)
    throw new Error(`${step.operation} should have failed with ${step.failsWith}`);
}

async function showResult(plugin: PluginProcess, event: ToolEvent): Promise<void> {
  if (event.case !== "result") return;
  const stored = create(ToolResultEventSchema, { toolCallId: "tour", outcome: event });
  const tree = await plugin.render(toBinary(ToolResultEventSchema, stored), "1");
  if (tree !== undefined) show(tree);
}

/** Asks the person at the terminal; where there is none, goes on and says so. */
async function approve(): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    say("(nobody is here to approve it: the tour goes on)");
    return;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question("Apply this? [Y/n] ");
    if (/^n/i.test(answer.trim()))
      throw new Error("you did not approve it; the tour ends here, and nothing was changed");
  } finally {
    terminal.close();
  }
}
