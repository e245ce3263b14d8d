// robots.txt by RFC 9309, where Configure asks for it: fetched through the same guard and limits as pages, with a time
// limit of its own; missing allows all, broken forbids all.
import { ToolError } from "@pluggableharness/protocol";
import robotsParser from "robots-parser";
import { Deadline } from "./deadline.ts";
import type { HttpAnswer } from "./http-client.ts";
import { readBody } from "./read-body.ts";
import { followRedirects } from "./redirect-chain.ts";
import { headerText } from "./retries.ts";

const MAX_ORIGINS = 100;
const KEPT_MS = 60 * 60 * 1_000;
/** A failure is asked about again sooner. */
const KEPT_FAILURE_MS = 60_000;
const TIMEOUT_MS = 5_000;
/** The size that RFC 9309 wants to be read at least. */
const MAX_BYTES = 512 * 1024;
const MAX_REDIRECTS = 5;

// The types of the package describe an ES module with a default; it is CommonJS, and its export is the function.
const parseRobots = robotsParser as unknown as (
  url: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean | undefined };

type Rules =
  | { readonly kind: "rules"; readonly text: string }
  | { readonly kind: "unreachable"; readonly why: string };

export type RobotsAsk = (url: URL, deadline: Deadline) => Promise<HttpAnswer>;

/** The rules of origins, kept for a while. */
export class Robots {
  readonly #known = new Map<string, { readonly rules: Rules; readonly until: number }>();
  readonly #userAgent: string;

  constructor(userAgent: string) {
    this.#userAgent = userAgent;
  }

  /** Throws permission_denied where the rules forbid this agent a URL. */
  async check(url: URL, ask: RobotsAsk, signal: AbortSignal): Promise<void> {
    const rules = await this.#rulesOf(url, ask, signal);
    if (rules.kind === "unreachable") {
      throw refused(
        `the robots.txt of ${url.origin} could not be read (${rules.why}), which forbids everything for now`,
        url,
      );
    }
    const robots = parseRobots(new URL("/robots.txt", url).href, rules.text);
    const agent = /^[A-Za-z_-]+/.exec(this.#userAgent)?.[0] ?? this.#userAgent;
    if (robots.isAllowed(url.href, agent) === false) {
      throw refused(`the robots.txt of ${url.origin} forbids ${url.pathname.slice(0, 200)} to ${agent}`, url);
    }
  }

  async #rulesOf(url: URL, ask: RobotsAsk, signal: AbortSignal): Promise<Rules> {
    const known = this.#known.get(url.origin);
    if (known !== undefined && known.until > performance.now()) return known.rules;
    const rules = await fetchRules(new URL("/robots.txt", url.origin), ask, signal);
    this.#known.delete(url.origin);
    const keptMs = rules.kind === "rules" ? KEPT_MS : KEPT_FAILURE_MS;
    this.#known.set(url.origin, { rules, until: performance.now() + keptMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_ORIGINS && oldest !== undefined) this.#known.delete(oldest);
    return rules;
  }
}

async function fetchRules(url: URL, ask: RobotsAsk, signal: AbortSignal): Promise<Rules> {
  using deadline = new Deadline(signal, TIMEOUT_MS);
  try {
    const answer = await followRedirects(url, MAX_REDIRECTS, (at) => ask(at, deadline));
    const { status } = answer;
    if (status < 200 || status >= 300) {
      answer.body.destroy();
      // RFC 9309, 2.3.1: unavailable allows, unreachable forbids.
      return status >= 400 && status < 500
        ? { kind: "rules", text: "" }
        : { kind: "unreachable", why: `status ${status}` };
    }
    const contentEncoding = headerText(answer.headers["content-encoding"]);
    using body = await readBody(answer.body, {
      contentEncoding,
      maxBytes: MAX_BYTES,
      signal: deadline.signal,
    });
    return { kind: "rules", text: body.bytes.toString("utf8").replace(/^\ufeff/, "") };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "unreachable", why: error instanceof Error ? error.message : String(error) };
  }
}

function refused(message: string, url: URL): ToolError {
  return new ToolError("permission_denied", message, { details: { reason: "robots", host: url.host } });
}
