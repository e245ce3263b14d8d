// One GET: through the guarded dispatcher, the session's cache, and with the few headers that are sent. No cookies, no
// credentials, no redirects (those are redirect-chain.ts's), no proxy but the configured one.
import { type Dispatcher, request } from "undici";
import type { Deadline } from "./deadline.ts";
import { type DispatcherOptions, openDispatcher } from "./dispatcher.ts";
import type { HostPolicy } from "./host-policy.ts";
import { networkFailure } from "./network-failure.ts";
import { ACCEPT_ENCODING } from "./read-body.ts";

export interface HttpClientOptions extends DispatcherOptions {
  readonly policy: HostPolicy;
  readonly userAgent: string;
}

/** An answer whose body has not been read; whoever gets it reads or destroys it. */
export interface HttpAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: Dispatcher.ResponseData["body"];
  /** From the cache without asking, or after the server said that nothing has changed. */
  readonly fromCache: "no" | "fresh" | "revalidated";
}

/** Makes requests; disposed with the plugin. */
export class HttpClient implements AsyncDisposable {
  readonly #dispatcher: Dispatcher;
  readonly #options: HttpClientOptions;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    const { policy } = options;
    this.#dispatcher = openDispatcher(options, {
      check: (address, host) => policy.checkAddress(address, host),
      isExempt: (origin) => policy.isExempt(origin),
    });
  }

  /** Asks for a URL that the policy allows; throws a ToolError where it does not, or where nothing answers. */
  async get(
    url: URL,
    deadline: Deadline,
    cache?: Dispatcher.DispatcherComposeInterceptor,
  ): Promise<HttpAnswer> {
    this.#options.policy.checkUrl(url);
    deadline.enter(`waiting for ${url.host} to answer`, this.#options.timeoutMs / 2);
    const seen: Seen = { network: false, unchanged: false };
    const dispatcher =
      cache === undefined ? this.#dispatcher : this.#dispatcher.compose(watching(seen), cache);
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher,
        method: "GET",
        headers: {
          "user-agent": this.#options.userAgent,
          accept: ACCEPT,
          "accept-encoding": ACCEPT_ENCODING,
        },
        signal: deadline.signal,
      });
      // Whoever leaves a body unread destroys it, which it reports as an error.
      body.on("error", () => {});
      const fromCache = seen.unchanged ? "revalidated" : cache === undefined || seen.network ? "no" : "fresh";
      return { url, status: statusCode, headers, body, fromCache };
    } catch (error) {
      deadline.signal.throwIfAborted();
      throw networkFailure(error, url.host);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

const ACCEPT =
  "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, application/pdf;q=0.7, */*;q=0.5";

interface Seen {
  network: boolean;
  unchanged: boolean;
}

/** Below a cache, sees what really goes out. */
function watching(seen: Seen): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    seen.network = true;
    return dispatch(options, statusWatcher(handler, seen));
  };
}

/** The same handler, with an ear at the status. */
function statusWatcher(handler: Dispatcher.DispatchHandler, seen: Seen): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...told) => handler.onRequestStart?.(...told),
    onRequestUpgrade: (...told) => handler.onRequestUpgrade?.(...told),
    onResponseStart: (...told) => {
      if (told[1] === 304) seen.unchanged = true;
      handler.onResponseStart?.(...told);
    },
    onResponseData: (...told) => handler.onResponseData?.(...told),
    onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
    onResponseError: (...told) => handler.onResponseError?.(...told),
  };
}
