// The handshake line as its fields, without judging them: that is the checks' part. Pure.
import type { Address } from "@pluggableharness/grpc";

/** The fields of `1|1|unix|/tmp/s|grpc|<certificate>|<multiplexing>`; what is missing is undefined. */
export interface HandshakeFields {
  readonly core: string | undefined;
  readonly version: string | undefined;
  readonly network: string | undefined;
  readonly address: string | undefined;
  readonly protocol: string | undefined;
  readonly certificate: string | undefined;
  readonly multiplexing: string | undefined;
}

/** Splits a line. */
export function handshakeFields(line: string): HandshakeFields {
  const [core, version, network, address, protocol, certificate, multiplexing] = line.trim().split("|");
  return { core, version, network, address, protocol, certificate, multiplexing };
}

/** Where the plugin listens; undefined where the line does not say. */
export function addressOf(line: string): Address | undefined {
  const { network, address = "" } = handshakeFields(line);
  if (network === "unix" && address !== "") return { network, path: address };
  const tcp = /^(.+):(\d{1,5})$/.exec(address);
  if (network === "tcp" && tcp?.[1] !== undefined) {
    return { network, host: tcp[1].replace(/^\[|\]$/g, ""), port: Number(tcp[2]) };
  }
  return undefined;
}
