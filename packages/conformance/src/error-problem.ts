// What is wrong with the error event of a call (semantics.md, 'Calls'). Pure.
import { ToolErrorCategory } from "@pluggableharness/protocol/wire";
import type { ToolEvent } from "./connected-plugin.ts";
import { errorOf } from "./exchange.ts";

/** What is wrong with the error that ends the events. */
export function errorProblem(events: readonly ToolEvent[]): string | undefined {
  const error = errorOf(events);
  if (error === undefined) return undefined;
  if (error.category === ToolErrorCategory.PROCESS_CRASHED)
    return "an operation reports process_crashed, which only the kernel makes";
  if (error.category < ToolErrorCategory.INVALID_ARGUMENTS || error.category > ToolErrorCategory.UNKNOWN)
    return `an operation reports the category ${error.category}`;
  return error.message.trim() === "" ? "an operation reports an error without a message" : undefined;
}
