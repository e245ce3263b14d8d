// The end of a plugin: Shutdown, signals, a host that is gone; and what must not be left (go-plugin.md, 'End of
// life').
import { existsSync } from "node:fs";
import * as net from "node:net";
import { GRPCBroker, GRPCController } from "@pluggableharness/protocol/wire";
import { eventually, within } from "../bounded-wait.ts";
import { type Check, fail, notReached, type Outcome, pass } from "../check.ts";
import { type ConnectedPlugin, QUICK_MS, statusOf } from "../connected-plugin.ts";
import { cancellable, plainCall } from "../exchange.ts";
import { goaway, openCall } from "../goaway-frames.ts";
import { addressOf } from "../handshake-fields.ts";
import { canFindProcesses, processesBelow, stillRuns } from "../process-search.ts";
import { pathOf } from "../raw-call.ts";
import type { End, Subject } from "../subject.ts";
import { RUN_VARIABLE, type Trial } from "../trial.ts";

const SOURCE = "go-plugin.md, 'End of life'";
/** go-plugin sends SIGKILL after two seconds. */
const SHUTDOWN_MS = 2_000;
/** 'Within a few seconds.' */
const ORPHAN_MS = 6_000;

/** Shutdown as go-plugin does it: ask, close the connection whatever the answer, wait. */
async function shutDown(plugin: ConnectedPlugin): Promise<End | undefined> {
  const asked = statusOf(plugin.client.unary(GRPCController.method.shutdown, {}, { timeoutMs: SHUTDOWN_MS }));
  await Promise.race([asked, plugin.subject.ended]);
  plugin.client.close();
  return await plugin.subject.endWithin(SHUTDOWN_MS);
}

function exitOf({ code, signal }: End): string {
  return signal ?? `exit code ${code}`;
}

function socketOf(subject: Subject): string | undefined {
  const address = addressOf(subject.stdoutLines[0] ?? "");
  return address?.network === "unix" ? address.path : undefined;
}

function socketGone(subject: Subject, after: string): Outcome {
  const socket = socketOf(subject);
  if (socket === undefined) return pass("it has no socket file");
  return existsSync(socket) ? fail(`${socket} is still there after ${after}`) : pass(`${socket} is gone`);
}

/** Starts a call that goes on for seconds, where the recipe has one; one with a process if there is. */
async function startLongCall(trial: Trial, plugin: ConnectedPlugin): Promise<boolean> {
  const long = cancellable(await trial.schema(), trial.recipe);
  const chosen = long.find(({ recipe }) => recipe?.process === true) ?? long[0];
  if (chosen === undefined) return false;
  const call = plugin.invoke(plainCall(chosen, trial.scratch));
  call.catch(() => {});
  await within(call, 300);
  return true;
}

/** A plugin whose processes can be told from those of the rest of the run. */
async function connectMarked(
  trial: Trial,
): Promise<{ readonly plugin: ConnectedPlugin; readonly mark: string }> {
  const mark = trial.mark();
  const plugin = await trial.connectConfigured("answers", { environment: { [RUN_VARIABLE]: mark } });
  return { plugin, mark };
}

async function isGone(pid: number, milliseconds: number): Promise<boolean> {
  return await eventually(() => !isRunning(pid), milliseconds);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const lifecycleChecks: readonly Check[] = [
  {
    id: "shutdown.ends",
    rule: "Shutdown ends the process within two seconds.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect();
      const end = await shutDown(plugin);
      return end === undefined ? fail(`it runs ${SHUTDOWN_MS} ms after Shutdown`) : pass(exitOf(end));
    },
  },
  {
    id: "shutdown.exit-code",
    rule: "After Shutdown it ends with exit code 0.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect();
      const end = await shutDown(plugin);
      if (end === undefined) return notReached("it did not end");
      return end.code === 0 ? pass("exit code 0") : fail(exitOf(end));
    },
  },
  {
    id: "shutdown.socket",
    rule: "After Shutdown its socket file is gone.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect();
      return (await shutDown(plugin)) === undefined
        ? notReached("it did not end")
        : socketGone(plugin.subject, "Shutdown");
    },
  },
  {
    id: "shutdown.during-call",
    rule: "Shutdown ends the process within two seconds also while a call runs.",
    source: SOURCE,
    run: async (trial) => {
      const marked = await connectMarked(trial);
      await using plugin = marked.plugin;
      if (!(await startLongCall(trial, plugin))) return notReached("the recipe has no call with `cancel`");
      const end = await shutDown(plugin);
      return end?.code === 0 ? pass("exit code 0") : fail(end === undefined ? "it runs on" : exitOf(end));
    },
  },
  {
    id: "shutdown.children",
    rule: "After its end none of its processes is left.",
    source: SOURCE,
    run: async (trial) => {
      if (!canFindProcesses) return notReached("this system does not show the environment of processes");
      const marked = await connectMarked(trial);
      await using plugin = marked.plugin;
      const isBusy = await startLongCall(trial, plugin);
      const seen = processesBelow(await plugin.subject.pluginPid);
      if ((await shutDown(plugin)) === undefined) return notReached("it did not end");
      const left = (): number[] => [
        ...new Set([...trial.processesMarked(marked.mark), ...seen.filter(stillRuns).map(({ pid }) => pid)]),
      ];
      if (!(await eventually(() => left().length === 0, SHUTDOWN_MS)))
        return fail(`left: ${left().join(", ")}`);
      return pass(isBusy ? "none is left of a call under way" : "none is left");
    },
  },
  {
    id: "shutdown.broken-goodbye",
    rule: "When its host drops the connection with streams open, it ends by itself, with exit code 0.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect();
      await plugin.touch();
      plugin.client.close();
      const end = await plugin.subject.endWithin(ORPHAN_MS);
      if (end === undefined) return fail(`it runs ${ORPHAN_MS} ms after its only connection is gone`);
      return end.code === 0 ? pass("exit code 0") : fail(exitOf(end));
    },
  },
  {
    id: "shutdown.goaway",
    rule: "grpc-go's goodbye, a GOAWAY that names a stream of its own while streams are open, does not crash it.",
    source: "go-plugin-verified.md, section 8",
    run: async (trial) => {
      await using plugin = await trial.connectSilently();
      const { address, subject } = plugin;
      const socket = net.connect(
        address.network === "unix" ? { path: address.path } : { host: address.host, port: address.port },
      );
      socket.on("error", () => {});
      const answered = new Promise<boolean>((resolve) => socket.once("data", () => resolve(true)));
      socket.write(openCall(pathOf(GRPCBroker.method.startStream)));
      if ((await within(answered, QUICK_MS)) !== true) return fail("the connection got no answer");
      socket.end(goaway());
      const end = await subject.endWithin(ORPHAN_MS);
      socket.destroy();
      if (end === undefined) return pass("it lives on");
      return end.code === 0
        ? pass("it ended in order")
        : fail(`it ended with ${exitOf(end)}; stderr: ${subject.stderrLines.at(-1) ?? "nothing"}`);
    },
  },
  {
    id: "signal.interrupt",
    rule: "It ignores SIGINT, which reaches the whole terminal group.",
    source: SOURCE,
    run: async (trial) => {
      await using subject = trial.start();
      if ((await subject.handshake(trial.startMs)) === undefined) return fail("there was no handshake");
      for (let time = 0; time < 3; time++) subject.kill("SIGINT");
      const end = await subject.endWithin(150);
      return end === undefined ? pass("it runs on after three") : fail(`it ended with ${exitOf(end)}`);
    },
  },
  {
    id: "signal.terminate",
    rule: "SIGTERM ends it in order: within two seconds, with exit code 0.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect();
      plugin.subject.kill("SIGTERM");
      const end = await plugin.subject.endWithin(SHUTDOWN_MS);
      if (end === undefined) return fail(`it runs ${SHUTDOWN_MS} ms after SIGTERM`);
      return end.code === 0 ? pass("exit code 0") : fail(exitOf(end));
    },
  },
  {
    id: "signal.terminate-socket",
    rule: "After SIGTERM its socket file is gone.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect();
      plugin.subject.kill("SIGTERM");
      const end = await plugin.subject.endWithin(SHUTDOWN_MS);
      return end === undefined ? notReached("it did not end") : socketGone(plugin.subject, "SIGTERM");
    },
  },
  {
    id: "orphan.connected",
    rule: "When its host dies without a word it ends within a few seconds, and its socket file is gone.",
    source: SOURCE,
    run: async (trial) => {
      await using plugin = await trial.connect("answers", { fostered: true });
      const pid = await plugin.subject.pluginPid;
      await plugin.touch();
      plugin.subject.kill("SIGKILL");
      plugin.client.close();
      if (await isGone(pid, ORPHAN_MS)) return socketGone(plugin.subject, "the host's death");
      process.kill(pid, "SIGKILL");
      return fail(`it runs ${ORPHAN_MS} ms after its host's death`);
    },
  },
  {
    id: "orphan.never-connected",
    rule: "When its host dies before it has connected, it ends within a few seconds.",
    source: SOURCE,
    run: async (trial) => {
      await using subject = trial.start({ fostered: true });
      if ((await subject.handshake(trial.startMs)) === undefined) return fail("there was no handshake");
      const pid = await subject.pluginPid;
      subject.kill("SIGKILL");
      if (await isGone(pid, ORPHAN_MS)) return pass("it is gone");
      process.kill(pid, "SIGKILL");
      return fail(`it runs ${ORPHAN_MS} ms after its host's death`);
    },
  },
];
