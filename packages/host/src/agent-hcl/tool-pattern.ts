// Which operations a profile offers: `agent_profile.tools`, patterns of a provider's name and an operation's. Pure.

/** Whether a pattern is one: `*`, `provider`, `provider.*`, `provider.operation`, or with a `*` at the end of a name. */
export function isToolPattern(pattern: string): boolean {
  return /^(\*|[\w-]+\*?)(\.(\*|[\w-]+\*?))?$/.test(pattern);
}

/**
 * Whether a pattern offers an operation. A pattern without a dot stands for a whole provider. `*` stands for any rest
 * of a name, and only at its end.
 */
export function matchesToolPattern(pattern: string, provider: string, operation: string): boolean {
  const [providers = "", operations = "*"] = pattern.split(".", 2);
  return matchesName(providers, provider) && matchesName(operations, operation);
}

/** What a list of patterns offers; without a list everything. */
export function toolSelection(
  patterns: readonly string[] | undefined,
): (provider: string, operation: string) => boolean {
  if (patterns === undefined) return () => true;
  return (provider, operation) =>
    patterns.some((pattern) => matchesToolPattern(pattern, provider, operation));
}

function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
