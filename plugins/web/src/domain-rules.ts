// Lists of domains, matched label by label and never by the end of a text: `example.com` is itself and what is below
// it, and has nothing to do with `evil-example.com` (catalog.md, 'web'). Pure.

import { isIP } from "node:net";
import { ToolError } from "@pluggableharness/protocol";

/** One entry of a list. */
export interface DomainRule {
  /** As the URL parser writes it: lower case, punycode, no dot at the end; `*` for every host. */
  readonly host: string;
  /** Only this port; undefined for any. */
  readonly port: number | undefined;
  /** `*.example.com`: what is below it, without itself. */
  readonly onlyBelow: boolean;
}

/** Reads an entry: `example.com`, `*.example.com`, `example.com:8080`, `[::1]:8080` or `*`. */
export function parseDomainRule(field: string, entry: string): DomainRule {
  const text = entry.trim();
  if (text === "*") return { host: "*", port: undefined, onlyBelow: false };
  const onlyBelow = text.startsWith("*.");
  const url = parsed(onlyBelow ? text.slice(2) : text);
  if (url === undefined || (onlyBelow && isIP(bareHost(url)) !== 0)) {
    throw new ToolError(
      "invalid_arguments",
      `${field}: ${JSON.stringify(entry)} is no domain; write example.com for it and all below it, example.com:8443 for one port, or * for every public host`,
    );
  }
  return { host: bareHost(url), port: explicitPort(text), onlyBelow };
}

/** Whether a host and port fall under a rule. `host` is that of `bareHost`. */
export function ruleMatches(rule: DomainRule, host: string, port: number): boolean {
  if (rule.port !== undefined && rule.port !== port) return false;
  if (rule.host === "*") return true;
  if (host === rule.host) return !rule.onlyBelow;
  // Below a name, and an address has nothing below it.
  return isIP(host) === 0 && host.endsWith(`.${rule.host}`);
}

/** The host of a URL without the brackets of IPv6 and without the dot at the end, which means the same name. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
}

/** The port of a URL, also where it is the scheme's own. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** A rule's own port; the parser drops one that is the scheme's. */
function explicitPort(text: string): number | undefined {
  const digits = /:(\d+)$/.exec(text)?.[1];
  return digits === undefined || (text.includes("[") && !text.includes("]:")) ? undefined : Number(digits);
}

function parsed(text: string): URL | undefined {
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s/\\@?#%:[\]*]+)(?::\d{1,5})?$/iu.test(text)) return undefined;
  const url = URL.parse(`http://${text}/`);
  if (url === null || bareHost(url).split(".").includes("")) return undefined;
  return url;
}
