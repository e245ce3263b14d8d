// What Configure allows: hosts and ports by name, before anything is resolved, and addresses where a socket is opened
// (catalog.md, 'web'). Pure.
import { isIP } from "node:net";
import { ToolError } from "@pluggableharness/protocol";
import { type AddressKind, isOpenedByPrivateNetworks, specialKindOf } from "./address-rules.ts";
import { isBlockedPort } from "./blocked-ports.ts";
import { bareHost, type DomainRule, parseDomainRule, portOf, ruleMatches } from "./domain-rules.ts";

/** The attributes of Configure that decide. */
export interface HostPolicyOptions {
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
  readonly allowPrivateNetworks: boolean;
  /** Origins that may be on any address, such as `http://127.0.0.1:8080`. */
  readonly privateOrigins: readonly string[];
}

/** Names by which machines call themselves and the metadata services of clouds. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|localdomain|internal)$/;

/** Decides about hosts and addresses. */
export class HostPolicy {
  readonly #allowed: readonly DomainRule[];
  readonly #denied: readonly DomainRule[];
  readonly #privateOrigins: ReadonlySet<string>;
  readonly #allowsPrivate: boolean;

  constructor(options: HostPolicyOptions) {
    this.#allowed = options.allowedDomains.map((entry) => parseDomainRule("allowed_domains", entry));
    this.#denied = options.deniedDomains.map((entry) => parseDomainRule("denied_domains", entry));
    this.#privateOrigins = new Set(options.privateOrigins.map(originOf));
    this.#allowsPrivate = options.allowPrivateNetworks;
  }

  /** Throws permission_denied for a URL whose host, port or literal address is not allowed. Asks no name server. */
  checkUrl(url: URL): void {
    const [host, port] = [bareHost(url), portOf(url)];
    if (this.#denied.some((rule) => ruleMatches(rule, host, port))) {
      throw denied("denied_domain", `${host} is on the list of denied domains`, { host });
    }
    if (!this.isExempt(url.origin)) this.#checkPlace(host, port);
    if (!this.#allowed.some((rule) => ruleMatches(rule, host, port))) {
      throw denied(
        "not_allowed",
        `${url.host} is not on the list of allowed domains (${this.#allowedInWords()}); ask for ${host} to be added to allowed_domains, or use another source`,
        { host },
      );
    }
  }

  /** Before the list of allowed domains: nobody should be told to put this machine on it. */
  #checkPlace(host: string, port: number): void {
    if (isBlockedPort(port))
      throw denied("port", `port ${port} belongs to a service that is no web server`, { port });
    if (isIP(host) !== 0) this.checkAddress(host, host);
    else if (LOCAL_NAMES.test(host) && !this.#allowsPrivate) {
      throw denied(
        "private_address",
        `${host} names this machine or its private network, which is not allowed`,
        { host },
      );
    }
  }

  /** Throws permission_denied for an address that a host leads to. */
  checkAddress(address: string, host: string): void {
    const kind = specialKindOf(address);
    if (kind === undefined || (this.#allowsPrivate && isOpenedByPrivateNetworks(kind))) return;
    const leads = address === host ? `${host} is` : `${host} leads to ${address},`;
    throw denied("private_address", `${leads} ${inWords[kind]}; only public addresses are fetched`, {
      host,
      address,
      kind,
    });
  }

  /** Whether Configure names this origin as one that may be private. */
  isExempt(origin: string): boolean {
    return this.#privateOrigins.has(origin);
  }

  #allowedInWords(): string {
    const shown = this.#allowed
      .slice(0, 10)
      .map(({ host, port }) => (port === undefined ? host : `${host}:${port}`));
    return this.#allowed.length > shown.length ? `${shown.join(", ")}, …` : shown.join(", ") || "it is empty";
  }
}

const inWords: Readonly<Record<AddressKind, string>> = {
  private: "an address of a private network",
  loopback: "this machine itself",
  link_local: "a link-local address",
  metadata: "a cloud's metadata service",
  multicast: "a multicast address",
  reserved: "a reserved address",
};

function denied(
  reason: string,
  message: string,
  details: { readonly [key: string]: string | number },
): ToolError {
  return new ToolError("permission_denied", message, { details: { reason, ...details } });
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search !== "") {
    throw new ToolError(
      "invalid_arguments",
      `private_origins: ${JSON.stringify(text)} is no origin; write scheme, host and port, such as http://127.0.0.1:8080`,
    );
  }
  return url.origin;
}
