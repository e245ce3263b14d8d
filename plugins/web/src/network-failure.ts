// What undici, node:dns and node:tls reject with, as errors a model can act on. Pure.
import { isToolError, ToolError } from "@pluggableharness/protocol";

interface Rule {
  readonly codes: RegExp;
  readonly reason: string;
  readonly category: "not_found" | "execution_failed" | "timeout";
  readonly retryable: boolean;
  readonly words: (host: string, detail: string) => string;
}

const RULES: readonly Rule[] = [
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    reason: "tls",
    category: "execution_failed",
    retryable: false,
    // Its message has the names in the certificate, which can be any words.
    words: (host) =>
      `no secure connection to ${host}: its certificate is for another host; certificates are always verified`,
  },
  {
    codes: /^(?:ENOTFOUND|ENODATA|EBADNAME)$/,
    reason: "dns",
    category: "not_found",
    retryable: false,
    words: (host) => `the name ${host} does not exist, or has no address; check its spelling`,
  },
  {
    codes: /^(?:EAI_.*|ESERVFAIL|EREFUSED|ETIMEOUT|ECANCELLED|EBADRESP)$/,
    reason: "dns",
    category: "execution_failed",
    retryable: true,
    words: (host, detail) => `the name ${host} could not be resolved now (${detail})`,
  },
  {
    codes:
      /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/,
    reason: "tls",
    category: "execution_failed",
    retryable: false,
    words: (host, detail) => `no secure connection to ${host}: ${detail}; certificates are always verified`,
  },
  {
    codes: /^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/,
    reason: "headers",
    category: "execution_failed",
    retryable: false,
    words: (host) => `the answer of ${host} has larger headers than are read`,
  },
  {
    codes: /^HPE_|^UND_ERR_(?:RES_CONTENT_LENGTH_MISMATCH|RESPONSE|INVALID_)/,
    reason: "protocol",
    category: "execution_failed",
    retryable: false,
    words: (host, detail) => `${host} did not answer with valid HTTP (${detail})`,
  },
  {
    codes: /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/,
    reason: "timeout",
    category: "timeout",
    retryable: true,
    words: (host, detail) => `${host} was too slow (${detail})`,
  },
];

/** A rejection as a ToolError; one that is a ToolError already stays as it is. */
export function networkFailure(error: unknown, host: string): ToolError {
  const inner = innermost(error);
  if (isToolError(inner)) return inner;
  const code = codeOf(inner);
  const detail = inner instanceof Error ? inner.message.split("\n", 1)[0]?.slice(0, 200) || code : code;
  const rule = RULES.find(({ codes }) => codes.test(code));
  const { reason, category, retryable, words } = rule ?? connection;
  return new ToolError(category, words(host, detail || "no reason given"), {
    retryable,
    details: { reason, host, ...(code !== "" && { code }) },
    cause: error,
  });
}

const connection: Omit<Rule, "codes"> = {
  reason: "connection",
  category: "execution_failed",
  retryable: true,
  words: (host, detail) => `the connection to ${host} failed: ${detail}`,
};

/** undici and happy eyeballs wrap what happened: the first ToolError, else the first cause with a code. */
function innermost(error: unknown): unknown {
  const seen: unknown[] = [];
  for (let at: unknown = error; at !== undefined && at !== null && seen.length < 8; at = wrappedIn(at)) {
    if (isToolError(at)) return at;
    seen.push(at);
  }
  return seen.findLast((each) => codeOf(each) !== "" && !(each instanceof AggregateError)) ?? error;
}

function wrappedIn(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  return error instanceof Error ? error.cause : undefined;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
