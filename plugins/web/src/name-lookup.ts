// Resolves a host name to all its addresses: by the system, or by the name servers that Configure names.
import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { ToolError } from "@pluggableharness/protocol";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a name. Rejects with the error of node:dns. */
export type NameLookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** More than these are not looked at: a name with hundreds of addresses has nothing to do with web pages. */
const MAX_ADDRESSES = 64;
const SERVER_TIMEOUT_MS = 2_000;
const SERVER_TRIES = 2;

/** A lookup by these servers (`192.0.2.53` or `192.0.2.53:5353`), or by the system where there are none. */
export function nameLookup(servers: readonly string[]): NameLookup {
  if (servers.length === 0) return lookupBySystem;
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES });
  try {
    resolver.setServers(servers);
  } catch (error) {
    throw new ToolError(
      "invalid_arguments",
      `dns_servers: ${servers.join(", ")}: an address, or address:port, is expected`,
      {
        cause: error,
      },
    );
  }
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (four.status === "rejected" && six.status === "rejected") throw four.reason;
    const addresses = [...tagged(four, 4), ...tagged(six, 6)];
    return addresses.slice(0, MAX_ADDRESSES);
  };
}

async function lookupBySystem(host: string): Promise<readonly ResolvedAddress[]> {
  const found = await systemLookup(host, { all: true });
  return found
    .slice(0, MAX_ADDRESSES)
    .map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function tagged(result: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}
