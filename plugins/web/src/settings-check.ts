// What the configuration schema cannot say. Throws invalid_arguments that names the attribute.
import { ToolError } from "@pluggableharness/protocol";
import { getPublicSuffix, parse } from "tldts";
import { parseDomainRule } from "./domain-rules.ts";
import type { WebSettings } from "./web-state.ts";

/** Checks the settings that have more rules than a type. */
export function checkSettings({ allowedDomains, proxy, userAgent }: WebSettings): void {
  for (const entry of allowedDomains) refusePublicSuffix(entry);
  if (proxy !== undefined && !/^https?:$/.test(URL.parse(proxy.url)?.protocol ?? "")) {
    throw invalid(
      "proxy.url: the address of an http or https proxy is expected, such as http://proxy.example.com:3128",
    );
  }
  if (!/^[\x20-\x7e]+$/.test(userAgent)) {
    throw invalid("user_agent: printable characters of ASCII on one line are expected");
  }
}

/** `co.uk` would allow everybody who has a name under it, which nobody means. */
function refusePublicSuffix(entry: string): void {
  const { host } = parseDomainRule("allowed_domains", entry);
  const { isIcann } = parse(host);
  if (isIcann === true && getPublicSuffix(host) === host) {
    throw invalid(
      `allowed_domains: ${host} is a public suffix, under which anybody can have a name; write the domains you mean, or * for every public host`,
    );
  }
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_arguments", message);
}
