// Which operation of an agent a name means: `edit_file` where only one provider has it, else `filesystem.edit_file`.
// Pure.
import type { Operation } from "@pluggableharness/host";

/** Both names of an operation. */
export function fullName({ provider, name }: Pick<Operation, "provider" | "name">): string {
  return `${provider}.${name}`;
}

/** The operation. Throws with what could have been meant where there is none, or more than one. */
export function findOperation(operations: readonly Operation[], name: string): Operation {
  const found = operations.filter((operation) => fullName(operation) === name);
  const meant = found.length > 0 ? found : operations.filter((operation) => operation.name === name);
  const [operation] = meant;
  if (operation !== undefined && meant.length === 1) return operation;
  const known = (meant.length > 0 ? meant : operations).map(fullName).join(", ");
  throw new Error(
    meant.length > 0
      ? `several providers have an operation ${JSON.stringify(name)}; say which: ${known}`
      : `there is no operation ${JSON.stringify(name)}; there are ${known === "" ? "none" : known}`,
  );
}
