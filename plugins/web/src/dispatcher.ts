// The one place where connections are made: pools of undici with limits, whose sockets are opened by the guarded
// connector, or by the configured proxy.
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import { type ConnectorOptions, guardedConnector } from "./guarded-connector.ts";
import { nameLookup } from "./name-lookup.ts";

const MAX_HEADER_BYTES = 32 * 1024;
const KEEP_ALIVE_MS = 10_000;
/** Requests to one origin at the same time; others wait. */
const CONNECTIONS_PER_ORIGIN = 6;

export interface DispatcherOptions {
  readonly dnsServers: readonly string[];
  readonly proxy: { readonly url: string; readonly authorization: string | undefined } | undefined;
  readonly timeoutMs: number;
}

/** Opens a dispatcher; environment variables have no say in it. */
export function openDispatcher(
  { dnsServers, proxy, timeoutMs }: DispatcherOptions,
  guard: Pick<ConnectorOptions, "check" | "isExempt">,
): Dispatcher {
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
  };
  if (proxy === undefined) {
    const lookup = nameLookup(dnsServers);
    return new Agent({
      ...limits,
      connect: guardedConnector({ ...guard, lookup, connectTimeoutMs: timeoutMs }),
    });
  }
  // The proxy resolves names, so it must keep its own users out of its network; hosts and literal addresses have been
  // judged by HostPolicy.
  return new ProxyAgent({
    ...limits,
    uri: proxy.url,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    requestTls: { rejectUnauthorized: true },
  });
}
