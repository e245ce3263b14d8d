// The exec plugin: its configuration, and the state its operations share (catalog.md, 'exec').
import { definePlugin, s } from "@pluggableharness/plugin";
import { DEFAULT_PASS_ENV } from "./command-environment.ts";
import { type ExecState, openState } from "./state.ts";

/** The released version; a test compares it with package.json. */
export const VERSION = "0.1.0";

const MIB = 1024 * 1024;

const config = s.object({
  roots: s.array(
    s.string("An existing directory; a relative one starts at the directory of the kernel."),
    "The only places a command may be started in, with everything below them.",
  ),
  shell: s.optional(s.string("Absolute path of the shell; /bin/bash, else /bin/sh.")),
  env: s.optional(s.map("Variables set for every command.")),
  pass_env: s.default(
    s.array(s.string("A name."), "Variables handed on from the plugin's own environment."),
    DEFAULT_PASS_ENV,
  ),
  max_output_bytes: s.default(
    s.integer("Bytes of text in a result, half from the beginning and half from the end.", {
      min: 1_024,
      max: MIB,
    }),
    32 * 1024,
  ),
  log_dir: s.optional(s.string("Existing folder for full output; a private one that ends with the plugin.")),
  max_log_bytes: s.default(s.integer("Bytes of one log.", { min: 4_096 }), 64 * MIB),
  max_total_log_bytes: s.default(
    s.integer("Bytes of all logs together; the oldest are removed.", { min: 4_096 }),
    1_024 * MIB,
  ),
  kill_grace_ms: s.default(s.integer("From SIGTERM to SIGKILL.", { min: 0, max: 60_000 }), 2_000),
  max_sessions: s.default(s.integer("Sessions at a time.", { min: 1, max: 256 }), 16),
  max_memory_bytes: s.optional(s.integer("Address space of each process of a command.", { min: 16 * MIB })),
  max_processes: s.optional(
    s.integer("Processes that the user of the plugin may have; not enforced for root.", { min: 1 }),
  ),
  sandbox: s.optional(
    s.object({
      mode: s.optional(s.enum(["none", "bubblewrap"], "What holds commands; none by default.")),
      network: s.optional(s.boolean("The network can be reached; not by default.")),
      writable: s.optional(
        s.array(s.string("An existing directory."), "What may be written; the roots where none is named."),
      ),
    }),
  ),
});

export const exec = definePlugin({
  name: "exec",
  version: VERSION,
  source: "github.com/pluggableharness/plugin-tool-exec",
  config,
  open: (settings, { signal }): Promise<ExecState> =>
    openState(
      {
        roots: settings.roots,
        shell: settings.shell,
        env: settings.env ?? {},
        passEnv: settings.pass_env,
        maxOutputBytes: settings.max_output_bytes,
        logFolder: settings.log_dir,
        logLimits: { maxBytes: settings.max_log_bytes, maxTotalBytes: settings.max_total_log_bytes },
        killGraceMs: settings.kill_grace_ms,
        maxSessions: settings.max_sessions,
        limits: { memoryBytes: settings.max_memory_bytes, processes: settings.max_processes },
        sandbox: settings.sandbox,
      },
      signal,
    ),
  sessionEnded: (state, sessionId) => state.sessions.endOf(sessionId),
});
