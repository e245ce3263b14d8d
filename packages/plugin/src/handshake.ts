// The handshake of go-plugin as a pure function: the host's environment in, the line's fields or a refusal
// out (go-plugin.md, 'What the host gives the process' and 'Handshake line').

export const COOKIE_KEY = "PLUGGABLEHARNESS_AGENT_PLUGIN";
export const COOKIE_VALUE = "pluggableharness-agent-v1-a6f3c9d2-plugin-handshake";
/** Versions of the plugin protocol this SDK serves. */
export const APPLICATION_VERSIONS: readonly number[] = [1];

type Environment = Readonly<Record<string, string | undefined>>;

/** Where to listen. */
export type ListenPlan =
  | { readonly network: "unix"; readonly directory: string | undefined; readonly group: string | undefined }
  | { readonly network: "tcp"; readonly minPort: number; readonly maxPort: number };

export type Handshake =
  | { readonly kind: "refused"; readonly message: string }
  | {
      readonly kind: "accepted";
      readonly version: number;
      readonly listen: ListenPlan;
      /** The host's certificate as PEM where it asks for AutoMTLS. */
      readonly clientCertificate: string | undefined;
      /** The host asked about multiplexing: the line gets a seventh field, `false`. */
      readonly answerMultiplexing: boolean;
      /** Entries of PLUGIN_PROTOCOL_VERSIONS that are no numbers; worth a warning. */
      readonly ignoredVersions: readonly string[];
    };

/** Reads the host's wishes. `platform` is `process.platform`: Windows has no unix sockets in Node. */
export function readHandshake(environment: Environment, platform: string, name: string): Handshake {
  if (environment[COOKIE_KEY] !== COOKIE_VALUE) {
    return {
      kind: "refused",
      message:
        `${name} is a tool plugin of the PluggableHarness agent and is not run by hand.\n` +
        "Name it in agent.hcl, or try it with: harness call <path> <operation> '<arguments as JSON>'",
    };
  }
  const listen = readListenPlan(environment, platform);
  if (typeof listen === "string") return { kind: "refused", message: listen };
  const offered = (environment["PLUGIN_PROTOCOL_VERSIONS"] ?? "").split(",").filter((entry) => entry !== "");
  return {
    kind: "accepted",
    version: negotiate(offered, APPLICATION_VERSIONS),
    listen,
    clientCertificate: environment["PLUGIN_CLIENT_CERT"] || undefined,
    answerMultiplexing: (environment["PLUGIN_MULTIPLEX_GRPC"] ?? "") !== "",
    ignoredVersions: offered.filter((entry) => !/^\d+$/.test(entry)),
  };
}

/** The highest version both sides know; our lowest where there is none, which the host then refuses cleanly. */
export function negotiate(offered: readonly string[], own: readonly number[]): number {
  const known = own.filter((version) => offered.includes(String(version)));
  return Math.max(...(known.length > 0 ? known : [Math.min(...own)]));
}

function readListenPlan(environment: Environment, platform: string): ListenPlan | string {
  if (platform !== "win32") {
    return {
      network: "unix",
      directory: environment["PLUGIN_UNIX_SOCKET_DIR"] || undefined,
      group: environment["PLUGIN_UNIX_SOCKET_GROUP"] || undefined,
    };
  }
  const minPort = readPort(environment["PLUGIN_MIN_PORT"]);
  const maxPort = readPort(environment["PLUGIN_MAX_PORT"]);
  if (minPort === undefined || maxPort === undefined) {
    return "PLUGIN_MIN_PORT and PLUGIN_MAX_PORT must be port numbers from 0 to 65535";
  }
  if (minPort > maxPort) return `PLUGIN_MIN_PORT ${minPort} is above PLUGIN_MAX_PORT ${maxPort}`;
  return { network: "tcp", minPort, maxPort };
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return 0;
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65_535 ? port : undefined;
}

/** What the listener and AutoMTLS came to. */
export interface HandshakeLine {
  readonly version: number;
  readonly network: "unix" | "tcp";
  readonly address: string;
  /** DER of the server's certificate in base64 without padding; empty without AutoMTLS: anything else crashes a host. */
  readonly certificate: string;
  readonly answerMultiplexing: boolean;
}

/** The one line of stdout. Throws where a field holds a separator, which the host could not read. */
export function formatHandshakeLine(line: HandshakeLine): string {
  const fields = ["1", String(line.version), line.network, line.address, "grpc", line.certificate];
  if (line.answerMultiplexing) fields.push("false");
  const broken = fields.find((field) => /[|\r\n]/.test(field));
  if (broken !== undefined) throw new Error(`the handshake cannot carry ${JSON.stringify(broken)}`);
  return `${fields.join("|")}\n`;
}
