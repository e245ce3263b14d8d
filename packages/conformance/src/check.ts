// What a check is: a sentence of the protocol, and how it is seen from outside whether a plugin keeps it.
import type { Trial } from "./trial.ts";

/** What came of a check. `seen` and `reason` are sentences for the plugin's author. */
export type Outcome =
  | { readonly status: "pass"; readonly seen: string }
  | { readonly status: "fail"; readonly seen: string }
  | { readonly status: "not_reached"; readonly reason: string };

/** One rule of the protocol. */
export interface Check {
  /** Area and rule, such as `handshake.one-line`; stable, for `--only` and for reports. */
  readonly id: string;
  /** The rule as a sentence about the plugin. */
  readonly rule: string;
  /** Where the rule stands. */
  readonly source: string;
  /** Looks. A throw counts as a failure, with its message as what was seen. */
  readonly run: (trial: Trial) => Promise<Outcome> | Outcome;
}

/** The rule is kept. */
export function pass(seen: string): Outcome {
  return { status: "pass", seen };
}

/** The rule is broken. */
export function fail(seen: string): Outcome {
  return { status: "fail", seen };
}

/** The rule could not be looked at: the plugin, or its recipe, gave no occasion. */
export function notReached(reason: string): Outcome {
  return { status: "not_reached", reason };
}

/** Passes where nothing is wrong, else fails with all that is. */
export function passUnless(problems: readonly string[], seen: string): Outcome {
  const shown = problems.slice(0, 5).join("; ");
  const rest = problems.length > 5 ? `; and ${problems.length - 5} more` : "";
  return problems.length === 0 ? pass(seen) : fail(shown + rest);
}
