// The wait a server asks for, as seconds or as a date (RFC 9110, 10.2.3). Pure.

/** In milliseconds from now; undefined where the header is missing or no valid one. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Date.parse takes much more than dates of HTTP; all of those name a weekday.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
