#!/usr/bin/env node
// The `harness` command: try a plugin without a kernel.
import { Command } from "commander";
import { type CallCommandOptions, callCommand, reportFailure } from "./call-command.ts";
import { schemaCommand } from "./schema-command.ts";
import { tourCommand } from "./tour-command.ts";

// A reader that has seen enough, such as `head`, is no failure. The command goes on to its end without it, so that
// the plugin is closed in order.
process.stdout.on("error", (error) => {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
});

const harness = new Command("harness")
  .description("Try PluggableHarness tool plugins without a kernel.")
  // Commands take this over: what Commander would end with 1 is a usage error here.
  .exitOverride();

harness.command("tour").description("Watch a plugin at work on real files.").action(tourCommand);

harness
  .command("schema")
  .description("Print what a plugin offers.")
  .argument("<plugin>", "path of an executable, or the name of a plugin of this checkout")
  .option("--json", "print the message as JSON")
  .action(schemaCommand);

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
    callCommand(plugin, operation, json, options),
  );

try {
  await harness.parseAsync();
} catch (error) {
  // Commander has printed its own help and complaints.
  if (error instanceof Error && error.name === "CommanderError")
    process.exitCode = "exitCode" in error && error.exitCode === 0 ? 0 : 2;
  else process.exitCode = reportFailure(error, process.argv.includes("--json"));
}
