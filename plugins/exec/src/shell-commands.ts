// Every simple command in a parsed text: also in substitutions, functions and pipes, with what writes files beside.
import { parseShell, type ShellNode } from "./shell-parser.ts";
import { type Word, wordOf } from "./shell-words.ts";

export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Reads what another command of the same pipe writes. */
  readonly readsPipe: boolean;
  /** Its input is in the text itself: `<<<` or a heredoc. */
  readonly hasInlineInput: boolean;
}

/** What a text does, as far as its form tells. */
export interface ShellText {
  readonly commands: readonly SimpleCommand[];
  /** Files that redirections write. */
  readonly written: readonly Word[];
  /** Names of functions that call themselves. */
  readonly recursive: readonly string[];
  /** Some of it could not be parsed. */
  readonly hasErrors: boolean;
}

/** Undefined where the text is too large to look at. */
export async function readShell(text: string): Promise<ShellText | undefined> {
  const root = await parseShell(text);
  if (root === undefined) return undefined;
  const commands: SimpleCommand[] = [];
  const written: Word[] = [];
  const recursive: string[] = [];
  // A walk with its own list: nesting in a command must not exhaust the stack.
  for (const pending: ShellNode[] = [root]; pending.length > 0; ) {
    const node = pending.pop();
    if (node === undefined) break;
    if (node.type === "command") commands.push(simpleCommand(node));
    if (node.type === "file_redirect" && /^\d*&?>/.test(node.text)) {
      const target = node.childForFieldName("destination");
      if (target !== null && !/^\d*>&[\d-]+$/.test(node.text)) written.push(wordOf(target));
    }
    if (node.type === "function_definition") {
      const name = node.childForFieldName("name")?.text ?? "";
      const body = node.childForFieldName("body");
      if (body?.descendantsOfType("command_name").some((called) => called?.text === name))
        recursive.push(name);
    }
    for (const child of node.namedChildren) if (child !== null) pending.push(child);
  }
  return { commands, written, recursive, hasErrors: root.hasError };
}

function simpleCommand(node: ShellNode): SimpleCommand {
  const words = node.namedChildren.flatMap((child) => {
    if (child === null || child.type === "variable_assignment" || child.type.endsWith("_redirect")) return [];
    return [wordOf(child)];
  });
  return { words, readsPipe: readsPipe(node), hasInlineInput: hasInlineInput(node) };
}

function readsPipe(node: ShellNode): boolean {
  for (let at: ShellNode | null = node; at?.parent != null; at = at.parent) {
    if (at.parent.type === "heredoc_redirect" && at.type === "pipeline") return true;
    if (at.parent.type === "pipeline" && at.parent.namedChildren[0]?.id !== at.id) return true;
    if (at.parent.type === "command_substitution") return false;
  }
  return false;
}

function hasInlineInput(node: ShellNode): boolean {
  const around = node.parent?.type === "redirected_statement" ? node.parent.namedChildren : [];
  return [...node.namedChildren, ...around].some(
    (child) => child?.type === "herestring_redirect" || child?.type === "heredoc_redirect",
  );
}
