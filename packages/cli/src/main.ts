#!/usr/bin/env node
// The `harness` command: try a plugin without a kernel.
import { Command, Option } from "commander";
import { type CallCommandOptions, callCommand } from "./call-command.ts";
import { reportFailure } from "./failure.ts";
import { abortOnInterrupt } from "./interrupt.ts";
import type { AgentFileOptions } from "./open-agent.ts";
import { type PlanCommandOptions, planCommand } from "./plan-command.ts";
import { runCommand } from "./run-command.ts";
import { schemaCommand } from "./schema-command.ts";
import { tourCommand } from "./tour-command.ts";

// A reader that has seen enough, such as `head`, is no failure. The command goes on to its end without it, so that
// the plugin is closed in order.
process.stdout.on("error", (error) => {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
});

const isJson = process.argv.includes("--json");
const interrupted = abortOnInterrupt();

const harness = new Command("harness")
  .description("Try PluggableHarness tool plugins without a kernel.")
  // Commands take this over: what Commander would end with 1 is a usage error here.
  .exitOverride()
  // With --json a complaint is the one line that `reportFailure` prints.
  .configureOutput({ writeErr: (text) => void (isJson || process.stderr.write(text)) });

const profileOption = (): Option =>
  new Option("--profile <name>", "the agent_profile whose tools are offered; everything without it");
const pluginOption = (): Option =>
  new Option("--plugin <name=path>", "the executable of a provider; may be given several times").argParser(
    (text: string, before: readonly string[] = []) => [...before, text],
  );

harness
  .command("tour")
  .description("Watch a plugin at work on real files.")
  .action(() => tourCommand(interrupted));

harness
  .command("schema")
  .description("Print what a plugin offers.")
  .argument("<plugin>", "path of an executable, or the name of a plugin of this checkout")
  .option("--json", "print the message as JSON")
  .action((plugin: string, options: { readonly json?: boolean }) =>
    schemaCommand(plugin, options, interrupted),
  );

harness
  .command("call")
  .description("Call one operation of a plugin.")
  .argument("<plugin>", "path of an executable, or the name of a plugin of this checkout")
  .argument("<operation>", "such as read_file")
  .argument("<json>", "the arguments: JSON, @file, or - for standard input")
  .option("--preview", "show what the call would do, without doing it")
  .option("--config <json>", "the plugin's configuration: JSON or @file")
  .option("--cwd <directory>", "the working directory of the call")
  .option("--timeout-ms <number>", "the deadline of the call")
  .option("--json", "print events, trees and errors as JSON lines")
  .action((plugin: string, operation: string, json: string, options: CallCommandOptions) =>
    callCommand(plugin, operation, json, options, interrupted),
  );

harness
  .command("plan")
  .description("Print what would become of a turn's calls, without doing any.")
  .argument("<agent.hcl>", "the agent: its providers, policies and profiles")
  .argument("<calls.json>", "an array of calls: tool_name, arguments, and provider where it is needed")
  .addOption(profileOption())
  .addOption(pluginOption())
  .option("--json", "print each call as a line of JSON")
  .action(async (agentFile: string, callsFile: string, options: PlanCommandOptions) => {
    process.exitCode = await planCommand(agentFile, callsFile, options, interrupted);
  });

harness
  .command("run")
  .description("Call an agent's operations by hand, with previews and approval.")
  .argument("<agent.hcl>", "the agent: its providers, policies and profiles")
  .addOption(profileOption())
  .addOption(pluginOption())
  .action((agentFile: string, options: AgentFileOptions) => runCommand(agentFile, options, interrupted));

try {
  await harness.parseAsync();
} catch (error) {
  const isComplaint = error instanceof Error && error.name === "CommanderError";
  const isHelp = isComplaint && "exitCode" in error && error.exitCode === 0;
  // Commander has printed its own help, and its complaints but for JSON.
  if (isHelp) process.exitCode = 0;
  else if (isComplaint && !isJson) process.exitCode = 2;
  else process.exitCode = reportFailure(error, isJson);
}
