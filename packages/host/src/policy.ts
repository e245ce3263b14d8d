// Which calls may run: the operator's rules, the most specific of which decides (semantics.md, 'Plan/apply gate').
// Pure.

export type PolicyAction = "allow" | "ask" | "deny";
export type CallKind = "resource" | "data_source" | "interactive";
export type CallRisk = "read_only" | "low" | "moderate" | "high" | "critical";

/** What a rule applies to; what is left out matches anything. */
export interface PolicyMatch {
  /** An interactive call is judged as a data_source: the policy language knows only two kinds. */
  readonly kind?: "resource" | "data_source";
  readonly provider?: string;
  readonly toolName?: string;
  readonly risk?: CallRisk;
}

/** One `policy` block. */
export interface PolicyRule {
  readonly name: string;
  readonly match: PolicyMatch;
  readonly action: PolicyAction;
}

/** A call as the policy sees it. */
export interface JudgedCall {
  readonly kind: CallKind;
  readonly provider: string;
  readonly toolName: string;
  readonly risk: CallRisk;
}

export interface Decision {
  readonly action: PolicyAction;
  /** The rule that decided, or `default`. */
  readonly decidedBy: string;
  /** Set where an `ask` that nobody can be asked became a deny. */
  readonly warning?: string;
}

/** Fields of a match, the most telling first: a rule that names an earlier one is the more specific. */
const fields = ["toolName", "provider", "risk", "kind"] as const;

/** The rules of an agent, checked against each other. */
export class Policy {
  /** Most specific first. */
  readonly #rules: readonly PolicyRule[];

  /** Throws where two rules are equally specific and match the same calls: neither could be said to win. */
  constructor(rules: readonly PolicyRule[]) {
    const seen = new Map<string, PolicyRule>();
    for (const rule of rules) {
      const key = JSON.stringify(fields.map((field) => rule.match[field] ?? null));
      const other = seen.get(key);
      if (other !== undefined) {
        throw new Error(
          `the policies "${other.name}" and "${rule.name}" match the same calls; remove one or make it more specific`,
        );
      }
      seen.set(key, rule);
    }
    this.#rules = [...rules].sort((a, b) => specificity(b.match) - specificity(a.match));
  }

  /** What becomes of a call. Without a rule, what only reads or asks is allowed, and what changes something is asked about. */
  decide(call: JudgedCall): Decision {
    const rule = this.#rules.find(({ match }) => matches(match, call));
    if (rule === undefined)
      return { action: call.kind === "resource" ? "ask" : "allow", decidedBy: "default" };
    if (rule.action !== "ask" || call.kind === "resource")
      return { action: rule.action, decidedBy: rule.name };
    return {
      action: "deny",
      decidedBy: rule.name,
      warning: `the policy "${rule.name}" asks about ${call.provider}.${call.toolName}, a ${call.kind} call, which has no plan to ask about; it is denied`,
    };
  }
}

/** Later fields never outweigh an earlier one. */
function specificity(match: PolicyMatch): number {
  return fields.reduce((weight, field) => weight * 2 + (match[field] === undefined ? 0 : 1), 0);
}

function matches(match: PolicyMatch, call: JudgedCall): boolean {
  const kind = call.kind === "interactive" ? "data_source" : call.kind;
  const seen = { ...call, kind };
  return fields.every((field) => match[field] === undefined || match[field] === seen[field]);
}
