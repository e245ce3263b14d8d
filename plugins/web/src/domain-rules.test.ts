import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareHost, parseDomainRule, portOf, ruleMatches } from "./domain-rules.ts";
import { HostPolicy } from "./host-policy.ts";

function matches(entry: string, address: string): boolean {
  const url = new URL(address);
  return ruleMatches(parseDomainRule("allowed_domains", entry), bareHost(url), portOf(url));
}

describe("an entry of a list of domains", () => {
  it.each<[string, string, boolean]>([
    ["example.com", "http://example.com/", true],
    ["example.com", "http://a.b.example.com/", true],
    ["example.com", "http://example.com./", true],
    ["example.com", "https://EXAMPLE.com:8443/", true],
    ["EXAMPLE.com.", "http://example.com/", true],
    ["example.com", "http://evil-example.com/", false],
    ["example.com", "http://example.com.evil.test/", false],
    ["example.com", "http://com/", false],
    ["a.example.com", "http://example.com/", false],
    ["*.example.com", "http://a.example.com/", true],
    ["*.example.com", "http://example.com/", false],
    ["example.com:8443", "https://example.com:8443/", true],
    ["example.com:8443", "https://example.com/", false],
    ["example.com:443", "https://example.com/", true],
    ["example.com:443", "http://example.com/", false],
    ["münchen.example", "http://xn--mnchen-3ya.example/", true],
    ["127.0.0.1", "http://127.0.0.1/", true],
    ["127.0.0.1", "http://2130706433/", true],
    ["0.0.1", "http://127.0.0.1/", false],
    ["[::1]", "http://[::1]:8080/", true],
    ["[::1]:8080", "http://[0:0::1]:8080/", true],
    ["[::1]:8080", "http://[::1]/", false],
    ["*", "http://anything.test:8080/", true],
  ])("%s and %s: %s [55, C145]", (entry, url, expected) => {
    expect(matches(entry, url)).toBe(expected);
  });

  it.each([
    "",
    " ",
    "http://x",
    "x/y",
    "a b",
    "a@b",
    "*.*",
    "a.*",
    "x:port",
    "[::1",
    "::1",
    "a..b",
    "*.127.0.0.1",
    "a?b",
    "a#b",
    "a\\b",
    "%61.test",
  ])("%j is refused", (entry) => {
    expect(() => parseDomainRule("allowed_domains", entry)).toThrow(
      /^allowed_domains: .* is no domain; write example\.com/,
    );
  });

  it("matches by labels and by nothing else", () => {
    const label = fc.stringMatching(/^[a-z]{1,3}$/);
    const name = fc.array(label, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(name, name, (rule, host) => {
        const expected =
          host.length >= rule.length &&
          rule.every((each, at) => host[host.length - rule.length + at] === each);
        expect(matches(rule.join("."), `http://${host.join(".")}/`)).toBe(expected);
      }),
    );
  });
});

describe("allow_private_networks", () => {
  const policy = new HostPolicy({
    allowedDomains: ["*"],
    deniedDomains: ["10.0.0.1"],
    allowPrivateNetworks: true,
    privateOrigins: [],
  });

  it.each([
    "http://127.0.0.1:8080/",
    "http://10.1.2.3/",
    "http://[fd12::1]/",
    "http://localhost:3000/",
    "http://100.64.0.1/",
  ])("opens %s", (url) => {
    expect(() => policy.checkUrl(new URL(url))).not.toThrow();
  });

  it.each([
    "http://169.254.169.254/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://0.0.0.0/",
    "http://224.0.0.1/",
    "http://[fe80::1]/",
    "http://10.0.0.1/",
    "http://127.0.0.1:22/",
  ])("leaves %s closed", (url) => {
    expect(() => policy.checkUrl(new URL(url))).toThrow();
  });
});
