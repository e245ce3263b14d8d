// Version constraints with Terraform's operators: `>= 1.2, < 2.0`, `~> 1.4`, `!= 1.4.2` (semantics.md, 'Where things
// sit on disk'). Pure.

interface Version {
  /** As many numbers as were written. */
  readonly numbers: readonly number[];
  readonly prerelease: string | undefined;
}

type Operator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "~>";

interface Condition {
  readonly operator: Operator;
  readonly version: Version;
}

const VERSION = /^v?(\d+(?:\.\d+){0,2})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
const CONDITION = /^(=|!=|>=|>|<=|<|~>)?\s*(\S+)$/;

/** A parsed constraint: all of its conditions must hold. */
export class VersionConstraint {
  readonly #conditions: readonly Condition[];

  private constructor(conditions: readonly Condition[]) {
    this.#conditions = conditions;
  }

  /** Reads a constraint. Throws with the part that is none. */
  static parse(text: string): VersionConstraint {
    return new VersionConstraint(
      text.split(",").map((part) => {
        const [, operator = "=", version = ""] = CONDITION.exec(part.trim()) ?? [];
        const parsed = parseVersion(version);
        if (parsed === undefined)
          throw new Error(
            `"${part.trim()}" is no version constraint; write one such as ">= 1.2, < 2.0" or "~> 1.4"`,
          );
        // The pattern knows no other operators.
        return { operator: operator as Operator, version: parsed };
      }),
    );
  }

  /** Whether a version fits. A prerelease fits only where a condition names it exactly, as Terraform has it. */
  allows(text: string): boolean {
    const version = parseVersion(text);
    if (version === undefined) return false;
    if (version.prerelease !== undefined)
      return this.#conditions.every((one) => one.operator === "=" && compare(one.version, version) === 0);
    return this.#conditions.every((one) => holds(one, version));
  }
}

function holds({ operator, version: bound }: Condition, version: Version): boolean {
  const order = compare(version, bound);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "~>": {
      // Only the last number that was written may grow.
      const fixed = bound.numbers.slice(0, Math.max(1, bound.numbers.length - 1));
      return order >= 0 && fixed.every((number, index) => version.numbers[index] === number);
    }
  }
}

function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  return { numbers: (match[1] ?? "").split(".").map(Number), prerelease: match[2] };
}

/** Negative, zero or positive, as Semantic Versioning 2.0.0, section 11, has it. */
function compare(a: Version, b: Version): number {
  for (let index = 0; index < 3; index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === undefined) return 1;
  return b.prerelease === undefined ? -1 : comparePrerelease(a.prerelease, b.prerelease);
}

function comparePrerelease(a: string, b: string): number {
  const [left, right] = [a.split("."), b.split(".")];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [one, other] = [left[index], right[index]];
    if (one === undefined) return -1;
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}
