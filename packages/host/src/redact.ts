// Secrets of a configuration kept out of what a host repeats of its plugin's words: log records and errors
// (semantics.md, 'agent.hcl'). A second line of defence, since a plugin must not say them at all. Pure.
import type { MessageShape } from "@bufbuild/protobuf";
import { type Json, ToolError } from "@pluggableharness/protocol";
import { AttrType, type ConfigAttributeSchema } from "@pluggableharness/protocol/wire";
import type { LogRecord } from "./stderr-record.ts";

type ConfigAttribute = MessageShape<typeof ConfigAttributeSchema>;

/** Replaces every secret in a text. */
export type Redact = (text: string) => string;

/** What stands for a secret. */
export const REDACTED = "[redacted]";
/** A line of a secret that has several is a secret too, but where it is so short that it stands in any text. */
const MIN_LINE_CHARS = 8;

/** The values of the sensitive attributes of a configuration, nested ones too. */
export function secretsOf(attributes: readonly ConfigAttribute[], config: { [key: string]: Json }): string[] {
  return attributes.flatMap(({ name, type, sensitive, objectAttributes }) => {
    const value = config[name];
    if (sensitive) return textsIn(value);
    return type === AttrType.OBJECT && isObject(value) ? secretsOf(objectAttributes, value) : [];
  });
}

/** A function that replaces these secrets. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARS)])
    // As it stands in a line of JSON.
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret !== "");
  // The longest first: one may be a part of another.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  const pattern = new RegExp(
    ordered.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"),
    "g",
  );
  return (text) => text.replace(pattern, REDACTED);
}

/** A record without secrets. */
export function redactRecord(record: LogRecord, redact: Redact): LogRecord {
  const fields = Object.entries(record.fields).map(([name, value]) => [name, redactValue(value, redact)]);
  return { ...record, message: redact(record.message), fields: Object.fromEntries(fields) };
}

/** An error without secrets; the same one where it holds none. Its cause, which may hold some, is left out then. */
export function redactError(error: ToolError, redact: Redact): ToolError {
  const message = redact(error.message);
  const details = JSON.stringify(error.details ?? {});
  if (message === error.message && redact(details) === details) return error;
  return new ToolError(error.category, message, {
    retryable: error.retryable,
    // Of an object an object is made.
    ...(error.details !== undefined && {
      details: redactValue(error.details, redact) as { [key: string]: Json },
    }),
  });
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactValue(item, redact)]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
