import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeServerCertificate, selfSigned } from "./auto-mtls.ts";
import { objectIdentifier, positiveInteger, sequence, time } from "./der.ts";

const hostCertificate = selfSigned().certificate.toString();

describe("makeServerCertificate", () => {
  const pair = makeServerCertificate(hostCertificate);
  const certificate = new X509Certificate(pair.cert);

  it("makes a certificate for localhost that signs itself", () => {
    expect(certificate.subjectAltName).toBe("DNS:localhost");
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "secp521r1" });
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  });

  it("is valid from half a minute ago, for thirty years", () => {
    const now = Date.now();
    expect(Date.parse(certificate.validFrom)).toBeLessThan(now - 20_000);
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(now + 29 * 365 * 86_400_000);
  });

  it("gives the handshake its DER in base64 without padding", () => {
    expect(pair.handshakeField).not.toMatch(/[=\n|]/);
    expect(Buffer.from(pair.handshakeField, "base64").equals(certificate.raw)).toBe(true);
  });

  it("makes another key each time", () => {
    expect(makeServerCertificate(hostCertificate).key).not.toBe(pair.key);
  });

  it("trusts the host's certificate and refuses what is none", () => {
    expect(new X509Certificate(pair.ca).raw.equals(new X509Certificate(hostCertificate).raw)).toBe(true);
    expect(() => makeServerCertificate("garbage")).toThrow(
      "PLUGIN_CLIENT_CERT is not a certificate in PEM form",
    );
  });
});

describe("DER", () => {
  it.each([
    ["a short identifier", objectIdentifier("2.5.4.3"), "0603550403"],
    ["an identifier with large parts", objectIdentifier("1.2.840.10045.4.3.4"), "06082a8648ce3d040304"],
    ["a number whose first bit is set", positiveInteger(Buffer.from([0x80])), "02020080"],
    ["a number with leading zeros", positiveInteger(Buffer.from([0, 0, 5])), "020105"],
    ["zero", positiveInteger(Buffer.from([0])), "020100"],
    ["a year before 2050", time(new Date("2049-12-31T23:59:58.999Z")), "170d3439313233313233353935385a"],
    ["a year from 2050 on", time(new Date("2050-01-02T03:04:05Z")), "180f32303530303130323033303430355a"],
    ["a length of two bytes", sequence(Buffer.alloc(300)).subarray(0, 4), "3082012c"],
    ["a length of one byte", sequence(Buffer.alloc(200)).subarray(0, 3), "3081c8"],
  ])("encodes %s", (_name, bytes, hex) => {
    expect(bytes.toString("hex")).toBe(hex);
  });
});
