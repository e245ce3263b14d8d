// Takes a key out of whatever a service or a library put it into, in every form in which it can be written. Pure.
import { isToolError, type Json, ToolError } from "@pluggableharness/protocol";

/** Shorter ones are no keys, and would be found in ordinary words. */
const MIN_CHARACTERS = 6;
const MASK = "[api_key]";

/** The text without the key. */
export function maskSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < MIN_CHARACTERS) return text;
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
    JSON.stringify(secret).slice(1, -1),
  ];
  return forms.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

/** The same error without the key; its cause, which may hold the request, is dropped. */
export function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (!isToolError(error)) return error;
  return new ToolError(error.category, maskSecret(error.message, secret), {
    retryable: error.retryable,
    ...(error.details !== undefined && { details: maskJson(error.details, secret) }),
  });
}

function maskJson(
  details: { readonly [key: string]: Json },
  secret: string | undefined,
): { [key: string]: Json } {
  // What JSON.stringify made of JSON is JSON again, and masking changes only what stands in strings.
  return JSON.parse(maskSecret(JSON.stringify(details), secret)) as { [key: string]: Json };
}
