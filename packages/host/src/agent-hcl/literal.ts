// Values of HCL that are written out, with nothing to compute: what the parser's JSON leaves as a template is refused,
// and its escapes are taken back. Pure.
import type { Json } from "@pluggableharness/protocol";

/** A value, or what is computed in it. */
export type Literal =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "template"; readonly text: string };

/** Reads a value of the parser's JSON. */
export function literalOf(value: Json): Literal {
  if (typeof value === "string") return literalString(value);
  if (Array.isArray(value)) {
    const items = value.map(literalOf);
    return (
      firstTemplate(items) ?? {
        kind: "value",
        value: items.flatMap((item) => (item.kind === "value" ? [item.value] : [])),
      }
    );
  }
  if (typeof value !== "object" || value === null) return { kind: "value", value };
  const entries = Object.entries(value).map(([key, item]) => [literalString(key), literalOf(item)] as const);
  return (
    firstTemplate(entries.flat()) ?? {
      kind: "value",
      value: Object.fromEntries(
        entries.flatMap(([key, item]) =>
          key.kind === "value" && item.kind === "value" ? [[String(key.value), item.value]] : [],
        ),
      ),
    }
  );
}

function firstTemplate(literals: readonly Literal[]): Literal | undefined {
  return literals.find(({ kind }) => kind === "template");
}

/** `$${` and `%%{` are the written forms of `${` and `%{`; without the doubling they begin a template. */
function literalString(text: string): Literal {
  const templates = text.replace(/\$\$\{|%%\{/g, "");
  if (/\$\{|%\{/.test(templates)) return { kind: "template", text };
  return { kind: "value", value: text.replace(/\$\$\{/g, "${").replace(/%%\{/g, "%{") };
}
