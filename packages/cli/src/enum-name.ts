// The value of a generated enum in the words of the protocol.

/** The name of the value, in lower case; its number where this version knows no name for it. */
export function enumName(values: Readonly<Record<string, number>>, value: number): string {
  return (Object.entries(values).find(([, number]) => number === value)?.[0] ?? String(value)).toLowerCase();
}
