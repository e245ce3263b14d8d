// Plain warnings for what is known to be dangerous in a command. They are advice: no warning does not mean safe, and
// what cannot be known without running it is said to be unknown.
import { isAbsolute, join } from "node:path";
import { readShell, type ShellText, type SimpleCommand } from "./shell-commands.ts";
import type { Word } from "./shell-words.ts";
import { baseName, unwrapped } from "./unwrap-command.ts";

const SHELLS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "fish",
  "python",
  "python3",
  "node",
  "perl",
  "ruby",
]);
const ELEVATES = new Set(["sudo", "su", "doas", "pkexec", "run0"]);
const MAX_NESTING = 4;

/** Where writing is expected. */
export interface HintPlace {
  readonly directory: string;
  /** Real and configured paths of what may be written. */
  readonly roots: readonly string[];
}

/** Each at most once, in order of appearance. */
export async function riskHints(command: string, place: HintPlace, nesting = 0): Promise<string[]> {
  const text = await readShell(command);
  if (text === undefined) return ["The command is too long to be looked at; nothing is known of it."];
  const hints = [...formHints(text), ...text.written.flatMap((target) => writeHints(target, place))];
  for (const simple of [...text.commands].reverse()) {
    for (const layer of unwrapped(simple.words)) {
      hints.push(...commandHints(layer, simple, place));
      const script = scriptOf(layer);
      if (script !== undefined && nesting < MAX_NESTING)
        hints.push(...(await riskHints(script, place, nesting + 1)));
    }
  }
  return [...new Set(hints)];
}

function formHints({ hasErrors, recursive }: ShellText): string[] {
  return [
    ...(hasErrors ? ["A part of the command could not be understood; nothing is known of that part."] : []),
    ...recursive.map((name) => `The function ${name} calls itself: it may not end.`),
  ];
}

/** The text a shell is given to run, `sh -c text` or `eval text`. */
function scriptOf([name, ...args]: readonly Word[]): string | undefined {
  if (name === undefined) return undefined;
  if (baseName(name) === "eval" && args.every((word) => word !== undefined)) return args.join(" ");
  const at = args.findIndex((word) => word !== undefined && /^-\w*c$/.test(word));
  return at !== -1 && (SHELLS.has(baseName(name)) || baseName(name) === "su") ? args[at + 1] : undefined;
}

function commandHints([name, ...args]: readonly Word[], simple: SimpleCommand, place: HintPlace): string[] {
  if (name === undefined) return ["Which command is run is unknown before it runs."];
  const program = baseName(name);
  const has = (option: RegExp): boolean => args.some((word) => word !== undefined && option.test(word));
  const hints: string[] = [];
  const hint = (condition: boolean, words: string): void => {
    if (condition) hints.push(words);
  };
  hint(ELEVATES.has(program), `Asks for more rights (${program}).`);
  hint(program === "rm" && has(/^(-[a-zA-Z]*[rR]|--recursive$)/), "Deletes recursively (rm -r).");
  hint(program === "find" && has(/^-delete$/), "Deletes what it finds (find -delete).");
  hint(
    program === "git" && has(/^push$/) && has(/^(-f|--force.*|\+.+)$/),
    "Overwrites history on a remote (git push --force).",
  );
  hint(program === "git" && has(/^reset$/) && has(/^--hard$/), "Throws away changes (git reset --hard).");
  hint(
    program === "git" && has(/^clean$/) && has(/^-[a-zA-Z]*f/),
    "Deletes files that git does not know (git clean -f).",
  );
  hint(program === "dd" && has(/^of=/), "Writes raw data (dd of=).");
  hint(
    /^(mkfs|mke2fs|wipefs|fdisk|parted|shred)/.test(program),
    `Destroys what is on a device or file (${program}).`,
  );
  hint(/^(shutdown|reboot|halt|poweroff)$/.test(program), `Stops the machine (${program}).`);
  hint(
    /^(chmod|chown|chgrp)$/.test(program) && has(/^(-[a-zA-Z]*R|--recursive$)/),
    `Changes rights of whole trees (${program} -R).`,
  );
  hint(program === "kill" && has(/^-1$/) && args.at(-1) === "-1", "Ends every process it can (kill -1).");
  hint(/^(pkill|killall)$/.test(program), `Ends processes by name (${program}).`);
  if (
    SHELLS.has(program) &&
    (simple.readsPipe || simple.hasInlineInput) &&
    !args.some((word) => word === undefined || !word.startsWith("-"))
  ) {
    hints.push(`Runs code that comes through a pipe or as text (${program}).`);
  }
  hint(program === "source" || program === ".", "Runs a file in the shell itself (source).");
  hint(program === "eval" && args.includes(undefined), "Runs text that is unknown before it runs (eval).");
  hint(
    SHELLS.has(program) && has(/^-\w*c$/) && scriptOf([name, ...args]) === undefined,
    `Runs text that is unknown before it runs (${program} -c).`,
  );
  if (program === "tee")
    for (const word of args)
      if (word === undefined || !word.startsWith("-")) hints.push(...writeHints(word, place));
  return hints;
}

function writeHints(target: Word, { directory, roots }: HintPlace): string[] {
  if (target === undefined) return ["Writes a file whose name is unknown before it runs."];
  if (/^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(target)) return [];
  if (target.startsWith("~")) return [`Writes outside the roots (${target}).`];
  const path = isAbsolute(target) ? join(target) : join(directory, target);
  const inside = roots.some(
    (root) => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`),
  );
  return inside ? [`Writes the file ${target}.`] : [`Writes outside the roots (${target}).`];
}
