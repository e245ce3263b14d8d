// `harness tour`: plugins as real subprocesses on real files, chapter by chapter and step by step, with a person's
// approval where there is a person. Fails where a step does not do what it says.
import { existsSync } from "node:fs";
import { create, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { PluginProcess, type ToolCallInit } from "@pluggableharness/host";
import { isToolError, ui, visibleText } from "@pluggableharness/protocol";
import {
  RiskClass,
  ToolKind,
  ToolResultEventSchema,
  type ToolSchemaSchema,
} from "@pluggableharness/protocol/wire";
import { askApproval } from "./approval.ts";
import { enumName } from "./enum-name.ts";
import { pluginPath } from "./plugin-path.ts";
import { heading, say, show, showNode } from "./screen.ts";
import type { Chapter, Step } from "./tour-chapter.ts";
import { makeTourFiles, type TourFiles } from "./tour-files.ts";
import { filesystemChapter } from "./tour-filesystem.ts";

type ToolSchema = MessageShape<typeof ToolSchemaSchema>;

const chapters: readonly Chapter[] = [filesystemChapter];

/** Gives the tour; `signal` ends it early. Throws where a step fails. */
export async function tourCommand(signal: AbortSignal): Promise<void> {
  let folder: string;
  {
    using files = makeTourFiles();
    folder = files.folder;
    for (const chapter of chapters) await playChapter(chapter, files, signal);
  }
  if (existsSync(folder)) throw new Error(`${folder} is still there`);
  say("✓ the scratch folder is gone");
  say();
  heading("That was the tour.");
  say("Next: npx harness schema filesystem, or the README.");
}

async function playChapter(chapter: Chapter, files: TourFiles, signal: AbortSignal): Promise<void> {
  const path = pluginPath(chapter.plugin);
  say(`Starting ${path}`);
  await using plugin = await PluginProcess.launch(path, { signal });
  const { name, version } = await plugin.describe();
  const { tools } = await plugin.getSchema();
  await plugin.configure(chapter.config(files), { signal });
  say(
    visibleText(
      `${name} ${version}, process ${plugin.pid}, may touch ${files.folder} and nothing else. It offers:`,
    ),
  );
  showOperations(tools);
  for (const [index, step] of chapter.steps.entries()) {
    say();
    heading(`${index + 1}. ${step.title}`);
    say(`   ${step.operation} ${JSON.stringify(step.args)}`);
    const kind = tools.find((tool) => tool.name === step.operation)?.kind;
    await playStep(plugin, files, step, { needsApproval: kind === ToolKind.RESOURCE, signal });
    if (step.holds?.check(files) === false) throw new Error(`this does not hold: ${step.holds.words}`);
    if (step.holds !== undefined) say(`✓ ${step.holds.words}`);
  }
  await plugin.close();
  const { code, signal: killedBy } = await plugin.ended;
  if (code !== 0) throw new Error(`${name} ended with ${killedBy ?? code}`);
  say();
  say(`✓ ${name} was shut down and has ended`);
}

function showOperations(tools: readonly ToolSchema[]): void {
  const rows = tools.map(({ name, kind, risk, description }) => [
    name,
    enumName(ToolKind, kind),
    enumName(RiskClass, risk),
    description.split(/(?<=\.)\s/, 1)[0] ?? "",
  ]);
  showNode(ui.table(["operation", "kind", "risk", "what it does"], rows));
}

/** Preview, approval, call, rendered result: what becomes of a model's call. */
async function playStep(
  plugin: PluginProcess,
  files: TourFiles,
  step: Step,
  { needsApproval, signal }: { readonly needsApproval: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const call = {
    id: step.title,
    toolName: step.operation,
    arguments: step.args,
    callContext: { sessionId: "tour", turnId: "turn-1", workingDirectory: files.folder },
  };
  if (needsApproval && step.failsWith === undefined) {
    const preview = await plugin.preview(call, { signal });
    if (preview !== undefined) show(preview);
    await approve(signal);
  }
  try {
    await invoke(plugin, call, signal);
  } catch (error) {
    if (!isToolError(error) || error.category !== step.failsWith) throw error;
    showNode(ui.text(`✗ ${error.category}: ${error.message}`, "error"));
    return;
  }
  if (step.failsWith !== undefined)
    throw new Error(`${step.operation} should have failed with ${step.failsWith}`);
}

async function invoke(plugin: PluginProcess, call: ToolCallInit, signal: AbortSignal): Promise<void> {
  for await (const event of plugin.invoke(call, { signal })) {
    if (event.case !== "result") continue;
    const stored = create(ToolResultEventSchema, { toolCallId: "tour", outcome: event });
    const tree = await plugin.render(toBinary(ToolResultEventSchema, stored), "1");
    if (tree !== undefined) show(tree);
  }
}

/** Asks the person at the terminal; where there is none, goes on and says so. */
async function approve(signal: AbortSignal): Promise<void> {
  const approval = await askApproval("Apply this?", { input: process.stdin, output: process.stdout, signal });
  if (approval === "nobody to ask") say("(nobody is here to approve it: the tour approves it itself)");
  if (approval === "refused")
    throw new Error("you did not approve it, so it was not done; the tour ends here");
}
