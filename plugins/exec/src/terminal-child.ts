// A process under a pseudo terminal, by the native part of node-pty. Its JavaScript is left out on purpose: it
// destroys the terminal 200 ms after the exit, whether or not it has been read (architecture.md, 'Traps'). Here the
// end of the data and the exit are told apart, and the owner decides how long to wait.

import { closeSync, constants as files, openSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { ReadStream } from "node:tty";
import { ToolError } from "@pluggableharness/plugin";
import type { ChildEvents, ExitStatus, Launch, TerminalChild, TerminalSize } from "./child.ts";
import { partPath } from "./native-part.ts";
import { readBlocks } from "./read-blocks.ts";

interface NativePty {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    directory: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(fd: number, columns: number, rows: number): void;
}

let native: NativePty | undefined;

const platformPackage = `@lydell/node-pty-${process.platform}-${process.arch}`;

function nativePty(): NativePty {
  if (native !== undefined) return native;
  const path = partPath("pty.node", "@lydell/node-pty", `${platformPackage}/pty.node`);
  // The part's interface is the one node-pty's own unixTerminal.js of this exact version calls.
  native = createRequire(path)(path) as NativePty;
  return native;
}

function helperPath(): string {
  if (process.platform !== "darwin") return "";
  return partPath("spawn-helper", "@lydell/node-pty", `${platformPackage}/spawn-helper`);
}

/** Starts a process as the leader of a new session with a terminal of its own. */
export function startInTerminal(launch: Launch, size: TerminalSize, events: ChildEvents): TerminalChild {
  const env = Object.entries(launch.env).map(([name, value]) => `${name}=${value}`);
  const { columns, rows } = size;
  let forked: ReturnType<NativePty["fork"]>;
  try {
    forked = nativePty().fork(
      launch.file,
      launch.args,
      env,
      launch.directory,
      columns,
      rows,
      -1,
      -1,
      true,
      helperPath(),
      (code, signal) => {
        hasExited = true;
        if (slave !== undefined) closeSync(slave);
        events.exited(exitStatusOf(code, signal));
      },
    );
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError("execution_failed", `no terminal could be opened: ${String(error)}`, {
      cause: error,
    });
  }
  let hasExited = false;
  let isOpen = true;
  // A program that closes its own ends and is still about to exit would read as the end of the data, and closing the
  // terminal then would kill it by SIGHUP. One end of ours keeps that back until it has exited.
  const slave = openSlave(forked.pty);
  // Its options are those of a socket (documented for tty.ReadStream); the types leave some out.
  const onread = readBlocks((bytes) => events.data("stdout", bytes));
  const stream = new ReadStream(forked.fd, { onread } as ConstructorParameters<typeof ReadStream>[1]);
  stream.resume();
  // The last process of a terminal closing it reads as EIO: an end like any other.
  stream.on("error", () => stream.destroy());
  stream.on("end", () => stream.destroy());
  stream.on("close", () => {
    isOpen = false;
    events.ended();
  });
  return {
    pid: forked.pid,
    device: forked.pty,
    get pendingInput() {
      return stream.writableLength;
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    close: () => stream.destroy(),
    write: (data) => {
      if (isOpen && !hasExited) stream.write(data);
    },
    resize: (to) => {
      // A resize of a closed descriptor would hit whatever has that number now.
      if (isOpen) nativePty().resize(forked.fd, to.columns, to.rows);
    },
  };
}

function openSlave(device: string): number | undefined {
  try {
    return openSync(device, files.O_RDWR | files.O_NOCTTY);
  } catch {
    return undefined;
  }
}

function exitStatusOf(code: number, signal: number): ExitStatus {
  if (signal === 0) return { code };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { code: 128 + signal, signal: name ?? `SIG${signal}` };
}
