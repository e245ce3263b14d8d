// The plugin's first line of stdout, parsed strictly (go-plugin-verified.md section 2). Pure.
import type { Address } from "@pluggableharness/grpc";

/** The only versions of the core and the plugin protocol there are. */
const CORE_VERSION = "1";
const APPLICATION_VERSION = "1";
/** Longer than the path of any socket and the name of any host. */
const MAX_ADDRESS_CHARS = 300;

/** Where the plugin listens. Throws with what is wrong with the line. */
export function parseHandshakeLine(line: string): Address {
  const fields = line.trim().split("|");
  const [core, version, network = "", address = "", protocol, certificate = ""] = fields;
  if (fields.length < 4) {
    throw new Error(
      `the first line of its stdout is no handshake: ${quoted(line)}; a plugin prints nothing before it`,
    );
  }
  if (core !== CORE_VERSION)
    throw new Error(`it speaks version ${quoted(core ?? "")} of the core protocol, not ${CORE_VERSION}`);
  if (version !== APPLICATION_VERSION) {
    throw new Error(
      `it speaks version ${quoted(version ?? "")} of the plugin protocol, not ${APPLICATION_VERSION}`,
    );
  }
  if (protocol !== "grpc") throw new Error(`it speaks ${quoted(protocol ?? "netrpc")}, not grpc`);
  if (certificate !== "") throw new Error("it sent a certificate, but was not asked for TLS");
  return parseAddress(network, address);
}

function parseAddress(network: string, address: string): Address {
  const fits = address.length <= MAX_ADDRESS_CHARS;
  if (network === "unix" && address !== "" && fits) return { network, path: address };
  const tcp = fits ? /^(.+):(\d{1,5})$/.exec(address) : null;
  if (network === "tcp" && tcp !== null) {
    return { network, host: (tcp[1] ?? "").replace(/^\[|\]$/g, ""), port: Number(tcp[2]) };
  }
  throw new Error(
    `it listens on ${quoted(`${network}|${address}`)}, which is neither a unix socket nor host:port`,
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
