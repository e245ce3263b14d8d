// From text to the URL that is judged and asked, which is one and the same value: the WHATWG parser's. What parsers
// read differently is refused instead of guessed (catalog.md, 'web'). Pure.
import { ToolError, visibleText } from "@pluggableharness/protocol";
import { bareHost } from "./domain-rules.ts";

/** No server takes longer ones, and they only fill messages. */
const MAX_URL_CHARACTERS = 8_000;

/** The URL of an argument. */
export function parseTarget(text: string): URL {
  const given = text.trim();
  if (given.length > MAX_URL_CHARACTERS)
    throw refused("length", `url is longer than ${MAX_URL_CHARACTERS} characters`);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(given)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    throw refused(
      "malformed",
      `url: ${quoted(given)} has no scheme; give the whole address, such as https://example.com/page`,
    );
  }
  if (scheme !== "http" && scheme !== "https") throw wrongScheme(scheme);
  // The parser takes these as `http://…` too, other readers do not.
  if (!/^https?:\/\/[^/\\]/i.test(given) || /[\u0000-\u0020\u007f\\]/.test(given)) {
    throw refused(
      "malformed",
      `url: ${quoted(given)} is written in an odd way; write http:// or https://, then the host, without spaces, control characters and backslashes`,
    );
  }
  const url = URL.parse(given);
  if (url === null)
    throw refused("malformed", `url: ${quoted(given)} is no valid address: its host or port cannot be read`);
  return checked(url);
}

/** Where a redirect leads. A fragment is handed on where the new address has none (RFC 9110, 10.2.2). */
export function resolveRedirect(location: string, from: URL): URL {
  if (location.length > MAX_URL_CHARACTERS) throw refused("length", "the address is too long");
  const url = URL.parse(location, from.href);
  // The words of a server are not repeated.
  if (url === null) throw refused("malformed", "what it gives is no valid address");
  if (url.hash === "") url.hash = from.hash;
  return checked(url);
}

function checked(url: URL): URL {
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== "http" && scheme !== "https") throw wrongScheme(scheme);
  if (url.username !== "" || url.password !== "") {
    throw refused(
      "userinfo",
      `a user name or password in an address is never sent; the host of this one is ${url.host}`,
    );
  }
  if (bareHost(url).split(".").includes(""))
    throw refused("malformed", `the host ${url.host} has an empty label`);
  // `example.com.` is the same host; one spelling for rules, certificates and caches.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  return url;
}

function wrongScheme(scheme: string): ToolError {
  return refused("scheme", `only http and https addresses are fetched, not ${scheme}:`);
}

function refused(reason: string, message: string): ToolError {
  return new ToolError("invalid_arguments", message, { details: { reason } });
}

function quoted(text: string): string {
  return visibleText(JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text));
}
