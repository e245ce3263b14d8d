// Addresses that other tools let through (cases 55 to 57, C131 to C165): none is connected to, each is refused with the
// right category and with words that help. A name server of our own changes its mind between lookups.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NameServer } from "./testing/name-server.ts";
import { WebBench } from "./testing/web-bench.ts";
import { WebServer } from "./testing/web-server.ts";

let names: NameServer;
let server: WebServer;
/** May only reach example.com. */
let strict: WebBench;
/** May reach every public host. */
let open: WebBench;

beforeAll(async () => {
  names = await NameServer.start();
  server = await WebServer.start();
  server.page("*", "<p>secret</p>");
  const config = { dns_servers: [names.address], timeout_ms: 5_000 };
  // The one origin that stands for a public page.
  const common = { ...config, private_origins: [server.origin] };
  strict = await WebBench.open({
    ...common,
    allowed_domains: ["example.com", "127.0.0.1"],
    denied_domains: ["bad.example.com"],
  });
  open = await WebBench.open({ ...common, allowed_domains: ["*"], denied_domains: ["denied.test"] });
  names.set("example.com", ["127.0.0.1"]);
  for (const [name, ...addresses] of namesOfPrivateAddresses) names.set(name, addresses);
});

afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

beforeEach(() => {
  server.requests.length = 0;
  names.questions.length = 0;
});

const namesOfPrivateAddresses: readonly (readonly [string, ...string[]])[] = [
  ["in.test", "127.0.0.1"],
  ["ten.test", "10.1.2.3"],
  ["shared.test", "100.64.0.1"],
  ["meta.test", "169.254.169.254"],
  ["azure.test", "168.63.129.16"],
  ["both.test", "93.184.215.14", "127.0.0.1"],
  ["six.test", "::1"],
  ["mapped.test", "::ffff:127.0.0.1"],
  ["ula.test", "fd12::1"],
  ["link.test", "fe80::1"],
  ["nat64.test", "64:ff9b::7f00:1"],
  ["sixtofour.test", "2002:7f00:1::"],
  ["zero.test", "0.0.0.0"],
  ["multi.test", "224.0.0.1"],
  ["mixed.test", "2606:4700::1111", "192.168.1.1"],
];

const invalid = "invalid_arguments";
const denied = "permission_denied";

describe("without asking a name server, web_fetch refuses", () => {
  it.each<[string, string, RegExp]>([
    // C131: labels, not the end of a text.
    [
      "http://evil-example.com/",
      denied,
      /evil-example\.com is not on the list of allowed domains \(example\.com/,
    ],
    ["http://notexample.com/", denied, /not on the list/],
    ["http://example.com.evil.test/", denied, /not on the list/],
    ["http://example.comevil.test/", denied, /not on the list/],
    ["http://example.co/", denied, /not on the list/],
    ["http://com/", denied, /not on the list/],
    ["http://xn--exmple-cua.com/", denied, /not on the list/],
    ["http://еxample.com/", denied, /xn--.*not on the list/],
    ["http://bad.example.com/", denied, /denied domains/],
    ["http://sub.bad.example.com/", denied, /denied domains/],
    ["http://BAD.Example.Com./", denied, /denied domains/],
    ["http://ｂａｄ.example.com/", denied, /denied domains/],
    // C133: the user info is not the host.
    ["http://example.com@evil.test/", invalid, /user name or password.*evil\.test/],
    ["http://example.com:80@evil.test/", invalid, /user name or password/],
    ["http://user:pw@example.com/", invalid, /never sent; the host of this one is example\.com/],
    ["http://example.com%40evil.test/", invalid, /cannot be read/],
    ["http://a@b@example.com/", invalid, /user name/],
    // C137: other dots, and dots in disguise.
    ["http://example.com。evil.test/", denied, /not on the list/],
    ["http://example.com%2eevil.test/", denied, /not on the list/],
    ["http://example.com．evil.test/", denied, /not on the list/],
    ["http://example..com/", invalid, /empty label/],
    ["http://example.com../", invalid, /empty label/],
    ["http://.example.com/", invalid, /empty label/],
    // C139: forms that parsers read differently.
    ["http:example.com", invalid, /odd way/],
    ["http:/example.com", invalid, /odd way/],
    ["http:///example.com", invalid, /odd way/],
    ["http:\\\\example.com", invalid, /odd way/],
    ["http://example.com\\@evil.test/", invalid, /odd way/],
    ["http://exa\tmple.com/", invalid, /odd way/],
    ["http://exa\nmple.com/", invalid, /odd way/],
    ["http://example.com\u0000.evil.test/", invalid, /odd way/],
    ["http://evil.test#@example.com/", denied, /evil\.test is not/],
    ["http://evil.test?@example.com/", denied, /evil\.test is not/],
    ["http://evil.test/@example.com/", denied, /evil\.test is not/],
    ["//example.com/", invalid, /no scheme/],
    ["example.com", invalid, /no scheme; give the whole address/],
    ["", invalid, /no scheme/],
    ["http://", invalid, /odd way/],
    ["http://[::1", invalid, /cannot be read/],
    ["http://example.com:99999/", invalid, /port cannot be read/],
    [`http://example.com/${"a".repeat(9_000)}`, invalid, /longer than 8000/],
    // C141: schemes.
    ["file:///etc/passwd", invalid, /only http and https.*not file:/],
    ["FILE:///etc/passwd", invalid, /not file:/],
    ["ftp://example.com/x", invalid, /not ftp:/],
    ["data:text/html,x", invalid, /not data:/],
    ["javascript:alert(1)", invalid, /not javascript:/],
    ["view-source:http://example.com/", invalid, /not view-source:/],
    ["httpx://example.com/", invalid, /not httpx:/],
    ["gopher://example.com/", invalid, /not gopher:/],
    ["ws://example.com/", invalid, /not ws:/],
    ["blob:http://example.com/x", invalid, /not blob:/],
    // Ports of other services.
    ["http://example.com:22/", denied, /port 22/],
    ["http://example.com:25/", denied, /port 25/],
    ["http://example.com:6000/", denied, /port 6000/],
  ])("%j", async (url, category, words) => {
    const { category: given, message } = await strict.refusal(url);
    expect([given, message]).toEqual([category, expect.stringMatching(words)]);
    expect(names.questions).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe("where every public host is allowed, web_fetch refuses", () => {
  it.each<[string, RegExp]>([
    // C147 and the rest of the notations of 127.0.0.1.
    ["http://127.0.0.1:1/", /port 1/],
    ["http://127.0.0.1/", /127\.0\.0\.1 is this machine itself; only public addresses/],
    ["http://127.1/", /this machine/],
    ["http://127.0.1/", /this machine/],
    ["http://2130706433/", /this machine/],
    ["http://0x7f000001/", /this machine/],
    ["http://0x7f.1/", /this machine/],
    ["http://0177.0.0.1/", /this machine/],
    ["http://①②⑦.⓪.⓪.①/", /this machine/],
    ["http://127.0.0.1./", /this machine/],
    ["http://0/", /reserved/],
    ["http://0.0.0.0:8080/", /reserved/],
    ["http://localhost/", /names this machine/],
    ["http://LOCALHOST./", /names this machine/],
    ["http://foo.localhost/", /names this machine/],
    ["http://metadata.google.internal/", /names this machine or its private network/],
    ["http://10.0.0.1/", /private network/],
    ["http://172.16.0.1/", /private network/],
    ["http://192.168.0.1/", /private network/],
    ["http://100.64.0.1/", /private network/],
    ["http://100.100.100.200/", /metadata service/],
    ["http://168.63.129.16/", /metadata service/],
    ["http://169.254.169.254/latest/meta-data/", /metadata service/],
    ["http://0xa9fea9fe/", /metadata service/],
    ["http://169.254.1.1/", /link-local/],
    ["http://198.18.0.1/", /reserved/],
    ["http://192.0.2.1/", /reserved/],
    ["http://224.0.0.1/", /multicast/],
    ["http://255.255.255.255/", /multicast/],
    ["http://240.0.0.1/", /reserved/],
    // C145, C149, C151: IPv6, and IPv4 within it.
    ["http://[::1]:8080/", /this machine/],
    ["http://[::]/", /reserved/],
    ["http://[::127.0.0.1]/", /reserved/],
    ["http://[::ffff:127.0.0.1]/", /this machine/],
    ["http://[::ffff:7f00:1]/", /this machine/],
    ["http://[::ffff:0:127.0.0.1]/", /reserved/],
    ["http://[64:ff9b::127.0.0.1]/", /this machine/],
    ["http://[64:ff9b::a9fe:a9fe]/", /metadata service/],
    ["http://[64:ff9b:1::7f00:1]/", /reserved/],
    ["http://[2002:7f00:1::]/", /reserved/],
    ["http://[2001::1]/", /reserved/],
    ["http://[2001:db8::1]/", /reserved/],
    ["http://[fe80::1]/", /link-local/],
    ["http://[fec0::1]/", /reserved/],
    ["http://[fc00::1]/", /private network/],
    ["http://[fd00:ec2::254]/", /metadata service/],
    ["http://[ff02::1]/", /multicast/],
    // C153: names that lead there.
    ...namesOfPrivateAddresses.map(([name]): [string, RegExp] => [
      `http://${name}/`,
      new RegExp(`${name.replace(".", "\\.")} leads to [\\d.a-f:]+, .*; only public addresses`),
    ]),
    ["http://in.test:8443/", /in\.test leads to 127\.0\.0\.1/],
    ["https://in.test/", /in\.test leads to 127\.0\.0\.1/],
    ["http://www.denied.test/", /denied domains/],
  ])("%s", async (url, words) => {
    const { category, message, details } = await open.refusal(url);
    expect([category, message]).toEqual([denied, expect.stringMatching(words)]);
    expect(details).toHaveProperty("reason");
    expect(server.requests).toEqual([]);
  });

  it("a name that does not exist, as not_found, and one whose server fails, as worth another try", async () => {
    expect(await open.refusal("http://none.test/")).toMatchObject({
      category: "not_found",
      message: expect.stringContaining("none.test"),
    });
    names.set("broken.test", "servfail");
    expect(await open.refusal("http://broken.test/")).toMatchObject({
      category: "execution_failed",
      retryable: true,
    });
    names.set("empty.test", []);
    expect(await open.refusal("http://empty.test/")).toMatchObject({ category: "not_found" });
  });

  it("a name that is public at one lookup and this machine at the next [57, C155]", async () => {
    // One lookup a call, and its very answer is connected to: there is no second answer to be fooled by.
    await using hasty = await WebBench.open({
      allowed_domains: ["*"],
      dns_servers: [names.address],
      timeout_ms: 300,
    });
    const url = `http://rebind.test:${server.port}/`;
    names.set("rebind.test", ["203.0.114.1"], ["127.0.0.1"]);
    expect((await hasty.refusal(url)).message).not.toContain("127.0.0.1");
    expect(names.questions).toEqual(["rebind.test"]);
    expect((await hasty.refusal(url)).message).toContain("rebind.test leads to 127.0.0.1");

    const answers = Array.from({ length: 40 }, (_, at) => [at % 2 === 0 ? "203.0.114.1" : "127.0.0.1"]);
    names.set("flicker.test", ...answers);
    const calls = Array.from({ length: 20 }, () => hasty.refusal(`http://flicker.test:${server.port}/`));
    for (const { category } of await Promise.all(calls)) {
      expect([denied, "timeout", "execution_failed"]).toContain(category);
    }
    expect(server.requests).toEqual([]);
  });

  it("nothing of an exempt name: its server sees the name as Host, at the address of the lookup", async () => {
    names.set("intranet.test", ["127.0.0.1"]);
    const origin = `http://intranet.test:${server.port}`;
    await using exempt = await WebBench.open({
      allowed_domains: ["intranet.test"],
      private_origins: [origin],
      dns_servers: [names.address],
    });
    await exempt.fetch(`${origin}/`);
    expect(server.requests[0]?.headers.host).toBe(`intranet.test:${server.port}`);
    expect((await exempt.refusal("http://intranet.test:8080/")).message).toContain("leads to 127.0.0.1");
  });
});

describe("a redirect is judged like the first address", () => {
  it.each<[string, string, RegExp]>([
    [
      "the metadata service",
      "http://169.254.169.254/latest/",
      /redirect is not followed: 169\.254\.169\.254 is a cloud's metadata service.*\/hop → http:\/\/169/,
    ],
    ["this machine", "http://127.0.0.1/", /not followed: .*this machine/],
    ["this machine in disguise", "http://2130706433/", /this machine/],
    ["this machine by IPv6", "http://[::ffff:7f00:1]/", /this machine/],
    ["a name of this machine", "http://localhost:80/", /names this machine/],
    ["a name that leads to this machine", "http://in.test/", /in\.test leads to 127\.0\.0\.1/],
    ["a name that leads to both", "http://both.test/", /both\.test leads to/],
    ["a file", "file:///etc/passwd", /only http and https.*not file:/],
    ["data", "data:text/html,x", /not data:/],
    ["a script", "javascript:alert(1)", /not javascript:/],
    ["a password", "http://user:pw@example.com/", /user name or password/],
    ["another service", "http://example.com:25/", /port 25/],
    ["a denied domain", "http://denied.test/", /denied domains/],
    ["the same host at another port", "//127.0.0.1:8/", /this machine|port/],
    ["an address that is none", "http://[/", /what it gives is no valid address/],
    ["a backslash address", "http:\\\\127.0.0.1/", /this machine/],
    ["an endless address", `http://example.com/${"a".repeat(9_000)}`, /too long/],
  ])("to %s", async (_name, location, words) => {
    server.redirect("/hop", location);
    const { category, message, details } = await open.refusal(`${server.origin}/hop`);
    expect([category, message]).toEqual([denied, expect.stringMatching(words)]);
    expect(details?.["chain"]).toContain(`${server.origin}/hop`);
    expect(server.requests.map(({ path }) => path)).toEqual(["/hop"]);
  });

  it("to a host that is not allowed, which is told so that it can be asked for [C159]", async () => {
    server.redirect("/away", "https://other.test/page", 301);
    const failure = await strict.refusal(`${server.origin}/away`);
    expect(failure.category).toBe(denied);
    expect(failure.message).toMatch(
      /not followed: other\.test is not on the list.*\/away → https:\/\/other\.test\/page/,
    );
    expect(failure.details).toMatchObject({ chain: [`${server.origin}/away`, "https://other.test/page"] });
  });

  it("for ever, to itself and in a circle", async () => {
    server.redirect("/self", "/self");
    server.redirect("/a", "/b");
    server.redirect("/b", "/a");
    for (const path of ["/self", "/a"]) {
      const { category, message } = await open.refusal(server.origin + path);
      expect(category).toBe("execution_failed");
      expect(message).toMatch(/more than 5 redirects: .* → /);
    }
    expect(server.count("/self")).toBe(6);
  });
});

describe("near neighbours pass", () => {
  it.each([
    ["sub.example.com"],
    ["example.com."],
    ["EXAMPLE.com"],
    ["a.b.example.com"],
    ["example.com:8080"],
  ])("%s by name [C135]", async (host) => {
    names.set("sub.example.com", ["127.0.0.1"]);
    // Allowed by name, then refused by its address: the name was asked for.
    const { message } = await strict.refusal(`http://${host}/`);
    expect(message).toMatch(/leads to 127\.0\.0\.1|does not exist/);
  });

  it("NAT64 of a public address, and the exempt origin alone", async () => {
    const { specialKindOf } = await import("./address-rules.ts");
    expect(specialKindOf("64:ff9b::5db8:d70e")).toBeUndefined();
    expect(specialKindOf("2606:4700::1111")).toBeUndefined();
    expect((await open.fetch(`${server.origin}/page`)).status).toBe(200);
    expect((await open.refusal(`http://127.0.0.1:${server.port + 1}/`)).category).toBe(denied);
  });

  it("one allowed domain allows no other [C143]", async () => {
    await strict.refusal("http://example.com/");
    expect((await strict.refusal("http://example.org/")).message).toContain("not on the list");
  });
});
