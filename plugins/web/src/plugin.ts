// The web plugin: its configuration, and the state its operations share (catalog.md, 'web').
import { definePlugin, s, ToolError } from "@pluggableharness/plugin";
import type { BackendName, BackendSettings } from "./search/search-backends.ts";
import type { WebState } from "./web-state.ts";

/** The released version; a test compares it with package.json. */
export const VERSION = "0.1.0";

const MiB = 1024 * 1024;

const BACKEND_NAMES = ["brave", "tavily", "searxng", "exa"] as const;

const service = {
  backend: s.optional(s.enum(BACKEND_NAMES, "The service.")),
  endpoint: s.optional(s.string("Its address, where it is not the service's own; searxng always needs one.")),
  api_key: s.optional(s.secret("Its key.")),
};
const secondFallback = s.optional(s.object(service, "Asked where the one before fails."));
const fallback = s.optional(
  s.object({ ...service, fallback: secondFallback }, "Asked where the one before fails."),
);

const config = s.object({
  allowed_domains: s.array(
    s.string("A domain, with all below it; `*` for every public host."),
    "What may be fetched: `example.com` means it and its subdomains, `example.com:8443` one port of them.",
  ),
  denied_domains: s.optional(
    s.array(s.string("A domain, with all below it."), "What may not, even where it is allowed."),
  ),
  allow_private_networks: s.default(
    s.boolean("Allow addresses of private networks and of this machine, where their host is allowed."),
    false,
  ),
  private_origins: s.optional(
    s.array(
      s.string("An origin, such as http://127.0.0.1:8080."),
      "Origins that may be on any address, while all others may not.",
    ),
  ),
  dns_servers: s.optional(
    s.array(s.string("An address, or address:port."), "Name servers to ask instead of the system's."),
  ),
  proxy: s.optional(
    s.object({
      url: s.optional(s.string("The proxy, such as http://proxy.example.com:3128; it resolves the names.")),
      authorization: s.optional(s.secret("A Proxy-Authorization header, such as `Basic …`.")),
    }),
  ),
  max_response_bytes: s.default(
    s.integer("Bytes of one body that are read, after decompression.", { min: 1_024, max: 32 * MiB }),
    5 * MiB,
  ),
  timeout_ms: s.default(
    s.integer("Milliseconds of one call, from the name lookup to the text.", { min: 100, max: 600_000 }),
    20_000,
  ),
  max_redirects: s.default(s.integer("Redirects that are followed.", { min: 0, max: 20 }), 5),
  user_agent: s.default(
    s.string("Sent with every request."),
    `plugin-tool-web/${VERSION} (+https://github.com/pluggableharness/plugin-tool-web)`,
  ),
  respect_robots: s.default(s.boolean("Fetch nothing that a robots.txt forbids."), false),
  search: s.optional(s.object({ ...service, fallback }, "The service that web_search asks.")),
  cache_ttl_ms: s.default(
    s.integer("Milliseconds for which a page is used again without asking; 0 for never.", {
      min: 0,
      max: 86_400_000,
    }),
    900_000,
  ),
});

export const web = definePlugin({
  name: "web",
  version: VERSION,
  source: "github.com/pluggableharness/plugin-tool-web",
  config,
  open: async (settings): Promise<WebState> => {
    refuseOldNode(process.versions.node);
    const { openWebState } = await import("./web-state.ts");
    const { url, authorization } = settings.proxy ?? {};
    return openWebState({
      allowedDomains: settings.allowed_domains,
      deniedDomains: settings.denied_domains ?? [],
      allowPrivateNetworks: settings.allow_private_networks,
      privateOrigins: settings.private_origins ?? [],
      dnsServers: settings.dns_servers ?? [],
      proxy: url === undefined ? undefined : { url, authorization },
      userAgent: settings.user_agent,
      respectRobots: settings.respect_robots,
      maxResponseBytes: settings.max_response_bytes,
      timeoutMs: settings.timeout_ms,
      maxRedirects: settings.max_redirects,
      cacheTtlMs: settings.cache_ttl_ms,
      search: inOrder(settings.search),
    });
  },
  sessionEnded: (state, sessionId) => state.endSession(sessionId),
});

/** The HTTP stack does not even load on an older one, and says nothing that helps. */
function refuseOldNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw new ToolError(
    "execution_failed",
    `web needs Node 22.19 or newer, but \`node\` on its PATH is ${version}`,
  );
}

interface SearchBlock {
  readonly backend?: BackendName;
  readonly endpoint?: string;
  readonly api_key?: string;
  readonly fallback?: SearchBlock;
}

/** A block and its fallbacks, as a list. One without a backend is no block: that is how an absent one arrives. */
function inOrder(block: SearchBlock | undefined): BackendSettings[] {
  if (block === undefined) return [];
  const { backend, endpoint, api_key: apiKey } = block;
  if (backend !== undefined) return [{ backend, endpoint, apiKey }, ...inOrder(block.fallback)];
  if (endpoint === undefined && apiKey === undefined) return [];
  throw new ToolError(
    "invalid_arguments",
    `search.backend: missing; it is one of ${BACKEND_NAMES.join(", ")}`,
  );
}
