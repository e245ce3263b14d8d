// The process before it is connected to: the cookie, the handshake line and what may change it (go-plugin.md, 'What
// the host gives the process' and 'Handshake line').
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { GrpcClient } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { within } from "../bounded-wait.ts";
import { type Check, fail, type Outcome, pass } from "../check.ts";
import { QUICK_MS, statusOf, untilListening } from "../connected-plugin.ts";
import { addressOf, type HandshakeFields, handshakeFields } from "../handshake-fields.ts";
import { RawSession } from "../raw-call.ts";
import type { StartOptions } from "../subject.ts";
import type { Trial } from "../trial.ts";

const LINE = "go-plugin.md, 'Handshake line'";
const HOST = "go-plugin.md, 'What the host gives the process'";

/** A check of the first line's fields, with the environment changed or not. */
async function judgeLine(
  trial: Trial,
  environment: StartOptions["environment"],
  judge: (fields: HandshakeFields, line: string) => Outcome,
): Promise<Outcome> {
  await using subject = trial.start(environment === undefined ? {} : { environment });
  const line = await subject.handshake(trial.startMs);
  if (line === undefined) return fail(subject.silence(trial.startMs));
  return judge(handshakeFields(line), line);
}

/** The plugin must refuse to run: nothing on stdout, words on stderr, exit code 1. */
async function refusal(trial: Trial, cookie: string | undefined): Promise<Outcome> {
  await using subject = trial.start({ environment: { PLUGGABLEHARNESS_AGENT_PLUGIN: cookie } });
  const end = await subject.endWithin(trial.startMs);
  if (end === undefined) return fail(`it was still running after ${trial.startMs} ms`);
  await within(subject.handshake(200), 300);
  if (subject.stdoutLines.length > 0)
    return fail(`it printed ${JSON.stringify(subject.stdoutLines[0])} to stdout`);
  if (end.code !== 1) return fail(`it ended with ${end.signal ?? `exit code ${end.code}`}`);
  const words = subject.stderrLines.find((line) => line.trim() !== "");
  return words === undefined ? fail("it explained nothing on stderr") : pass(`exit code 1; stderr: ${words}`);
}

/** The application version that is printed for a list of versions. */
function versionCheck(id: string, rule: string, list: string | undefined): Check {
  return {
    id,
    rule,
    source: HOST,
    run: (trial) =>
      judgeLine(trial, { PLUGIN_PROTOCOL_VERSIONS: list }, ({ version }) =>
        version === "1"
          ? pass("it printed version 1")
          : fail(`it printed version ${JSON.stringify(version)}`),
      ),
  };
}

async function canDescribe(line: string): Promise<boolean> {
  const address = addressOf(line);
  if (address === undefined) return false;
  await untilListening(address);
  using client = new GrpcClient({ address, connectTimeoutMs: QUICK_MS });
  return (
    (await statusOf(client.unary(ToolService.method.describe, {}, { timeoutMs: QUICK_MS }))) === undefined
  );
}

export const handshakeChecks: readonly Check[] = [
  {
    id: "cookie.missing",
    rule: "Without the cookie it prints nothing to stdout, an explanation to stderr, and exits with 1.",
    source: HOST,
    run: (trial) => refusal(trial, undefined),
  },
  {
    id: "cookie.wrong",
    rule: "With another cookie it prints nothing to stdout, an explanation to stderr, and exits with 1.",
    source: HOST,
    run: (trial) => refusal(trial, "pluggableharness-agent-v1-another"),
  },
  {
    id: "handshake.first-line",
    rule: "The first line of stdout is the handshake: at least five fields between bars, beginning with the core version 1.",
    source: LINE,
    run: (trial) =>
      judgeLine(trial, undefined, ({ core, protocol }, line) =>
        core === "1" && protocol !== undefined
          ? pass(line)
          : fail(`its first line was ${JSON.stringify(line)}`),
      ),
  },
  {
    id: "handshake.protocol",
    rule: "The fifth field is exactly `grpc`.",
    source: LINE,
    run: (trial) =>
      judgeLine(trial, undefined, ({ protocol }) =>
        protocol === "grpc" ? pass("grpc") : fail(`it is ${JSON.stringify(protocol)}`),
      ),
  },
  {
    id: "handshake.address",
    rule: "It listens on an absolute unix socket path or on a port of 127.0.0.1.",
    source: LINE,
    run: (trial) =>
      judgeLine(trial, undefined, ({ network, address = "" }) =>
        (network === "unix" && address.startsWith("/")) ||
        (network === "tcp" && /^127\.0\.0\.1:\d+$/.test(address))
          ? pass(`${network} ${address}`)
          : fail(`it says ${network}|${address}`),
      ),
  },
  {
    id: "handshake.accepts",
    rule: "The line is printed when connections are accepted: HTTP/2 settings come at once.",
    source: LINE,
    run: async (trial) => {
      await using subject = trial.start();
      const address = addressOf((await subject.handshake(trial.startMs)) ?? "");
      if (address === undefined) return fail("the line has no address");
      using session = new RawSession(address);
      const failure = await within(session.ready, QUICK_MS);
      if (failure !== undefined) return fail(`the first connection failed: ${failure.message}`);
      return session.session.remoteSettings === undefined
        ? fail(`no settings within ${QUICK_MS} ms`)
        : pass("settings came");
    },
  },
  {
    id: "handshake.no-certificate",
    rule: "Without PLUGIN_CLIENT_CERT the sixth field is empty: a certificate there crashes the host.",
    source: "go-plugin-verified.md, section 2",
    run: (trial) =>
      judgeLine(trial, undefined, ({ certificate = "" }) =>
        certificate === "" ? pass("it is empty") : fail(`it has ${certificate.length} characters`),
      ),
  },
  {
    id: "handshake.no-seventh-field",
    rule: "Without PLUGIN_MULTIPLEX_GRPC there is no seventh field.",
    source: LINE,
    run: (trial) =>
      judgeLine(trial, undefined, ({ multiplexing }) =>
        multiplexing === undefined ? pass("there is none") : fail(`it is ${JSON.stringify(multiplexing)}`),
      ),
  },
  {
    id: "handshake.multiplexing",
    rule: "With PLUGIN_MULTIPLEX_GRPC the seventh field is `true` or `false`.",
    source: HOST,
    run: (trial) =>
      judgeLine(trial, { PLUGIN_MULTIPLEX_GRPC: "true" }, ({ multiplexing }) =>
        multiplexing === "true" || multiplexing === "false"
          ? pass(multiplexing)
          : fail(`it is ${multiplexing === undefined ? "missing" : JSON.stringify(multiplexing)}`),
      ),
  },
  versionCheck("versions.one", "Asked for version 1 it answers 1.", "1"),
  versionCheck("versions.highest", "Of several versions it answers the highest that both know.", "3,1,2"),
  versionCheck(
    "versions.none-in-common",
    "With no version in common it answers its lowest, and goes on serving.",
    "9",
  ),
  versionCheck("versions.unset", "Without a list of versions it answers its lowest.", undefined),
  versionCheck("versions.not-a-number", "Entries of the list that are no numbers are skipped.", "x,1"),
  {
    id: "socket.directory",
    rule: "With PLUGIN_UNIX_SOCKET_DIR the socket is made in that directory.",
    source: HOST,
    run: (trial) => {
      const directory = mkdtempSync(join(trial.folder, "d"));
      return judgeLine(trial, { PLUGIN_UNIX_SOCKET_DIR: directory }, ({ network, address = "" }) =>
        network !== "unix" || address.startsWith(`${directory}/`) ? pass(address) : fail(`it is ${address}`),
      );
    },
  },
  {
    id: "socket.temporary-directory",
    rule: "Without PLUGIN_UNIX_SOCKET_DIR the socket is made in the temporary directory.",
    source: HOST,
    run: (trial) => {
      const directory = mkdtempSync(join(trial.folder, "t"));
      return judgeLine(trial, { TMPDIR: directory }, ({ network, address = "" }) =>
        network !== "unix" || address.startsWith(`${directory}/`) ? pass(address) : fail(`it is ${address}`),
      );
    },
  },
  {
    id: "socket.long-directory",
    rule: "Where a socket's path would be too long it uses a shorter folder or refuses: it never cuts the path.",
    source: HOST,
    run: async (trial) => {
      const directory = join(trial.folder, "x".repeat(110));
      mkdirSync(directory, { recursive: true });
      await using subject = trial.start({
        environment: { TMPDIR: directory, PLUGIN_UNIX_SOCKET_DIR: directory },
      });
      const line = await subject.handshake(trial.startMs);
      if (line === undefined) {
        const end = await subject.endWithin(QUICK_MS);
        if (end === undefined) return fail("it neither printed a handshake nor ended");
        return end.code === 0
          ? fail("it ended with 0 and without a handshake")
          : pass(`it refused with exit code ${end.code}`);
      }
      return (await canDescribe(line))
        ? pass(`it listens on ${handshakeFields(line).address}`)
        : fail(`it printed ${line}, where nothing listens`);
    },
  },
  {
    id: "stdin.untouched",
    rule: "It never reads stdin, which is the host's own.",
    source: HOST,
    run: async (trial) => {
      await using subject = trial.start({ stdin: "pipe" });
      if ((await subject.handshake(trial.startMs)) === undefined)
        return fail("with a pipe as stdin there was no handshake");
      // More than any pipe holds by itself: it can only go if somebody reads.
      const gone = new Promise<boolean>((resolve) =>
        subject.stdin?.write(Buffer.alloc(4 * 1024 * 1024), () => resolve(true)),
      );
      const read = await within(gone, 150);
      return read === true && subject.end === undefined
        ? fail("4 MiB written to its stdin were read")
        : pass("what is written there stays there");
    },
  },
  {
    id: "start.twice",
    rule: "Two instances run at the same time.",
    source: "go-plugin-verified.md, section 10",
    run: async (trial) => {
      await using first = trial.start();
      await using second = trial.start();
      const lines = await Promise.all([first.handshake(trial.startMs), second.handshake(trial.startMs)]);
      const answers = await Promise.all(lines.map((line) => canDescribe(line ?? "")));
      return answers.every(Boolean)
        ? pass("both answer")
        : fail(`of two, ${answers.filter(Boolean).length} answer`);
    },
  },
];
