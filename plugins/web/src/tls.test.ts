// Certificates are verified, whatever the environment says (C213), and say what is wrong with them; the name, not the
// address, is what is asked for (C155).
import { createServer } from "node:https";
import * as tls from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authority, expired, selfSigned, serverKey, valid } from "./testing/certificates.ts";
import { NameServer } from "./testing/name-server.ts";
import { unmarked, WebBench } from "./testing/web-bench.ts";
import { WebServer } from "./testing/web-server.ts";

let names: NameServer;
const trusted = tls.getCACertificates("default");

beforeAll(async () => {
  names = await NameServer.start();
  tls.setDefaultCACertificates([...trusted, authority]);
});

afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await names[Symbol.asyncDispose]();
});

async function outcome(host: string, cert: string): Promise<{ text: string; sni: string | undefined }> {
  let sni: string | undefined;
  const https = createServer({
    cert,
    key: serverKey,
    SNICallback: (name, done) => {
      sni = name;
      done(null);
    },
  });
  https.on("tlsClientError", () => {});
  await using server = await WebServer.start(https);
  server.page("/", "safe", { "content-type": "text/plain" });
  names.set(host, ["127.0.0.1"]);
  const origin = `https://${host}:${server.port}`;
  await using bench = await WebBench.open({
    allowed_domains: [host],
    private_origins: [origin],
    dns_servers: [names.address],
  });
  const text = await bench.fetch(`${origin}/`).then(
    ({ content }) => unmarked(content),
    ({ category, message, details }) => `${category} ${details.reason}: ${message}`,
  );
  return { text, sni };
}

describe("a certificate", () => {
  it("of a known authority for the right name is good, and the name is asked for", async () => {
    expect(await outcome("valid.test", valid)).toEqual({ text: "safe", sni: "valid.test" });
  });

  it.each([
    [
      "that has expired",
      "expired.test",
      expired,
      /^execution_failed tls: no secure connection to expired\.test:\d+: certificate has expired/,
    ],
    [
      "that is signed by itself",
      "self.test",
      selfSigned,
      /^execution_failed tls: .*self-signed certificate;.* certificates are always verified/,
    ],
    ["for another host", "other.test", valid, /^execution_failed tls: .*its certificate is for another host/],
  ])("%s is refused", async (_name, host, cert, words) => {
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect((await outcome(host, cert)).text).toMatch(words);
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
  });

  it("is not looked for where a server speaks no TLS", async () => {
    await using server = await WebServer.start();
    names.set("plain.test", ["127.0.0.1"]);
    const origin = `https://plain.test:${server.port}`;
    await using bench = await WebBench.open({
      allowed_domains: ["*"],
      private_origins: [origin],
      dns_servers: [names.address],
    });
    expect((await bench.refusal(`${origin}/`)).details).toMatchObject({ reason: "tls" });
  });
});
