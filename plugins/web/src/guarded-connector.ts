// Opens the sockets of undici. The addresses of a name are judged inside the very lookup whose answer is connected to,
// so nothing can change between the check and the connection; a literal address, for which no lookup happens, is
// judged before. Certificates are always verified, whatever the environment says.
import { isIP, type LookupFunction } from "node:net";
import { ToolError } from "@pluggableharness/protocol";
import { buildConnector } from "undici";
import type { NameLookup } from "./name-lookup.ts";

/** Throws where an address that a host leads to may not be connected to. */
export type AddressCheck = (address: string, host: string) => void;

export interface ConnectorOptions {
  readonly lookup: NameLookup;
  readonly check: AddressCheck;
  /** Origins whose addresses are not judged. */
  readonly isExempt: (origin: string) => boolean;
  readonly connectTimeoutMs: number;
}

/** A connector for `new Agent({ connect })`. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connectTo = (check: AddressCheck) =>
    buildConnector({
      allowH2: false,
      rejectUnauthorized: true,
      timeout: options.connectTimeoutMs,
      lookup: checkedLookup(options.lookup, check),
    });
  const [checked, unchecked] = [connectTo(options.check), connectTo(() => {})];
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (options.isExempt(originOf(target))) return unchecked(target, callback);
    try {
      if (isIP(host) !== 0) options.check(host, host);
    } catch (error) {
      // As asynchronous as every other outcome of a connector.
      queueMicrotask(() => callback(error instanceof Error ? error : new Error(String(error)), null));
      return;
    }
    checked(target, callback);
  };
}

/** All addresses must pass: a name that leads to a public and to a private one is trying something. */
function checkedLookup(lookup: NameLookup, check: AddressCheck): LookupFunction {
  return (host, { all }, callback) => {
    lookup(host).then(
      (addresses) => {
        try {
          for (const { address } of addresses) check(address, host);
        } catch (error) {
          return callback(error instanceof Error ? error : new Error(String(error)), []);
        }
        const [first] = addresses;
        if (first === undefined) return callback(unresolved(host), []);
        if (all === true)
          callback(
            null,
            addresses.map((each) => ({ ...each })),
          );
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

function unresolved(host: string): ToolError {
  return new ToolError("not_found", `the name ${host} has no address`, { details: { reason: "dns", host } });
}

function originOf({ protocol, hostname, port }: buildConnector.Options): string {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return URL.parse(`${protocol}//${host}${port ? `:${port}` : ""}`)?.origin ?? "";
}
