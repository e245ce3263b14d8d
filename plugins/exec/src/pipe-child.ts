// A process on pipes, standard output and error told apart, in a session of its own without a terminal: what asks a
// person through /dev/tty fails at once.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { ToolError } from "@pluggableharness/plugin";
import type { Child, ChildEvents, ExitStatus, Launch } from "./child.ts";
import type { FifoPool, PipeEnds } from "./fifo-pool.ts";
import { readBlocks } from "./read-blocks.ts";

/** Starts a process with pipes of the pool. */
export async function startOnPipes(launch: Launch, pool: FifoPool, events: ChildEvents): Promise<Child> {
  const stdout = await pool.take();
  const stderr = await pool.take().catch((error: unknown) => {
    closeEnds(stdout);
    throw error;
  });
  let child: ChildProcess;
  let pid: number;
  try {
    ({ child, pid } = await spawned(launch, stdout.writeFd, stderr.writeFd));
  } catch (error) {
    closeEnds(stdout);
    closeEnds(stderr);
    throw error;
  }
  closeSync(stdout.writeFd);
  closeSync(stderr.writeFd);
  const streams = [reader(stdout.readFd, "stdout"), reader(stderr.readFd, "stderr")];
  let open = streams.length;

  function reader(fd: number, name: "stdout" | "stderr"): Socket {
    const onread = readBlocks((bytes) => events.data(name, bytes));
    const socket = new Socket({ fd, readable: true, writable: false, onread });
    socket.resume();
    socket.on("error", () => socket.destroy());
    socket.on("end", () => socket.destroy());
    socket.on("close", () => {
      open--;
      if (open === 0) events.ended();
    });
    return socket;
  }

  child.once("exit", (code, signal) => events.exited(exitStatusOf(code, signal)));
  return {
    pid,
    pause: () => {
      for (const stream of streams) stream.pause();
    },
    resume: () => {
      for (const stream of streams) stream.resume();
    },
    close: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}

async function spawned(
  launch: Launch,
  stdout: number,
  stderr: number,
): Promise<{ child: ChildProcess; pid: number }> {
  const stdin = openSync(launch.stdinPath ?? "/dev/null", "r");
  try {
    const child = spawn(launch.file, launch.args, {
      cwd: launch.directory,
      env: launch.env,
      stdio: [stdin, stdout, stderr],
      detached: true,
    });
    if (child.pid !== undefined) return { child, pid: child.pid };
    const error = await new Promise<Error>((resolve) => child.once("error", resolve));
    throw new ToolError("execution_failed", `${launch.file} could not be started: ${error.message}`, {
      cause: error,
    });
  } finally {
    closeSync(stdin);
  }
}

function closeEnds({ readFd, writeFd }: PipeEnds): void {
  closeSync(readFd);
  closeSync(writeFd);
}

function exitStatusOf(code: number | null, signal: NodeJS.Signals | null): ExitStatus {
  if (signal === null) return { code: code ?? 0 };
  return { code: 128 + constants.signals[signal], signal };
}
