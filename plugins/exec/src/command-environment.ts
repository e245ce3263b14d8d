// The environment of a command: the names that may be handed on, what keeps programs from waiting for a person, what
// the configuration sets, and a marker by which its processes are found again. Nothing else.

/** Handed on by default. */
export const DEFAULT_PASS_ENV = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "USER", "LOGNAME"];

const MARKER = "PLUGGABLEHARNESS_EXEC";

/** Pagers, editors and questions: whatever would wait for a person who is not there. */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  GH_PROMPT_DISABLED: "1",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
};

/** How a command runs, as far as its environment shows it. */
export interface EnvironmentUse {
  readonly id: string;
  readonly terminal: boolean;
  /** A person, or a model in its place, is there to answer: a session. */
  readonly attended: boolean;
}

/** Makes the environment of each command. */
export interface CommandEnvironment {
  for(use: EnvironmentUse): Record<string, string>;
}

/** `own` is the plugin's environment, of which only the names in `passEnv` are seen. */
export function commandEnvironment(
  own: NodeJS.ProcessEnv,
  passEnv: readonly string[],
  configured: Readonly<Record<string, string>>,
): CommandEnvironment {
  const passed: Record<string, string> = {};
  for (const name of passEnv) {
    const value = own[name];
    if (value !== undefined) passed[name] = value;
  }
  return {
    for: ({ id, terminal, attended }) => ({
      ...passed,
      TERM: terminal ? "xterm-256color" : "dumb",
      ...(attended ? {} : UNATTENDED),
      ...configured,
      [MARKER]: id,
    }),
  };
}

/** The piece of the environment that all processes of `id` have in common. */
export function markerOf(id: string): string {
  return `${MARKER}=${id}`;
}
