// What the plugin's processes wrote during the run, all of them (go-plugin.md, 'Handshake line'). Last in the order of
// checks, so that there is something to look at.

import { eventually } from "../bounded-wait.ts";
import { type Check, fail, notReached, pass, passUnless } from "../check.ts";
import { canFindProcesses } from "../process-search.ts";
import type { Trial } from "../trial.ts";

const SOURCE = "go-plugin.md, 'Handshake line'";
const MAX_LINE_BYTES = 64 * 1024;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;
const LEVELS: ReadonlySet<unknown> = new Set(["trace", "debug", "info", "warn", "error"]);

function stderrLines(trial: Trial): string[] {
  return trial.subjects.flatMap((subject) => subject.stderrLines);
}

/** The log records among the lines: JSON objects. */
function records(trial: Trial): { readonly [key: string]: unknown }[] {
  return stderrLines(trial).flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null && !Array.isArray(value) ? [{ ...value }] : [];
    } catch {
      return [];
    }
  });
}

export const outputChecks: readonly Check[] = [
  {
    id: "stdout.silent",
    rule: "After the handshake line nothing is written to stdout.",
    source: SOURCE,
    run: (trial) => {
      const stray = trial.subjects.flatMap(({ stdoutLines, unfinishedLine }) => [
        ...stdoutLines.slice(1),
        ...(stdoutLines.length > 0 && unfinishedLine !== "" && stdoutLines.at(-1) !== unfinishedLine
          ? [unfinishedLine]
          : []),
      ]);
      return stray.length === 0
        ? pass(`${trial.subjects.length} processes kept silent`)
        : fail(`it wrote ${JSON.stringify(stray[0])}`);
    },
  },
  {
    id: "stderr.strings",
    rule: "@message, @level and @timestamp of a log record are strings: anything else crashes the host.",
    source: "go-plugin-verified.md, section 2",
    run: (trial) => {
      const bad = records(trial).find((record) =>
        ["@message", "@level", "@timestamp"].some((key) => key in record && typeof record[key] !== "string"),
      );
      return bad === undefined ? pass(`${records(trial).length} records`) : fail(JSON.stringify(bad));
    },
  },
  {
    id: "stderr.records",
    rule: "A log record has a known @level and an @timestamp with six digits and a zone: else it is no record to the host.",
    source: SOURCE,
    run: (trial) => {
      const logged = records(trial).filter((record) => "@message" in record);
      if (logged.length === 0) return notReached("it wrote no log record");
      return passUnless(
        logged.flatMap((record) => [
          ...(LEVELS.has(record["@level"]) ? [] : [`the level ${JSON.stringify(record["@level"])}`]),
          ...(record["@timestamp"] === undefined || TIMESTAMP.test(String(record["@timestamp"]))
            ? []
            : [`the time ${JSON.stringify(record["@timestamp"])}`]),
        ]),
        `${logged.length} records`,
      );
    },
  },
  {
    id: "stderr.short-lines",
    rule: "A line of stderr is shorter than 64 KiB: a longer one is cut.",
    source: SOURCE,
    run: (trial) => {
      const long = stderrLines(trial).find((line) => Buffer.byteLength(line) >= MAX_LINE_BYTES);
      return long === undefined
        ? pass(`${stderrLines(trial).length} lines`)
        : fail(`a line begins ${JSON.stringify(long.slice(0, 80))}`);
    },
  },
  {
    id: "orphan.nothing-left",
    rule: "When a run is over no process of the plugin is left, also none of one that was killed.",
    source: "go-plugin.md, 'End of life'",
    run: async (trial) => {
      if (!canFindProcesses) return notReached("this system does not show the environment of processes");
      for (const plugin of await trial.running()) await plugin[Symbol.asyncDispose]();
      for (const subject of trial.subjects) await subject[Symbol.asyncDispose]();
      const gone = await eventually(() => trial.processesMarked(trial.runId).length === 0, 6_000);
      return gone ? pass("none is left") : fail(`left: ${trial.processesMarked(trial.runId).join(", ")}`);
    },
  },
];
