// The plugin's half of AutoMTLS: a key and a self-signed certificate for this process alone (go-plugin.md,
// 'AutoMTLS'). Loaded only when a host asks for it: the library behind it is large.
import "reflect-metadata";
import { webcrypto, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** What the server and the broker's dials use. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  /** The host's certificate: the only peer that is trusted. */
  readonly ca: string;
}

export interface ServerCertificate extends TlsPair {
  /** For the handshake line: DER in base64 without padding. */
  readonly handshakeField: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-521", hash: "SHA-512" };
const CLOCK_SKEW_MS = 30_000;
/** As go-plugin's: the pair lives as long as the process, however long that is. */
const VALID_YEARS = 30;

/** Makes the pair. Throws where the host's certificate is not one. */
export async function makeServerCertificate(clientCertificate: string): Promise<ServerCertificate> {
  const ca = readCertificate(clientCertificate);
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const now = Date.now();
  const notAfter = new Date(now);
  notAfter.setFullYear(notAfter.getFullYear() + VALID_YEARS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=localhost, O=PluggableHarness",
    notBefore: new Date(now - CLOCK_SKEW_MS),
    notAfter,
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature |
          x509.KeyUsageFlags.keyEncipherment |
          x509.KeyUsageFlags.keyAgreement |
          x509.KeyUsageFlags.keyCertSign,
        true,
      ),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: "localhost" }]),
    ],
  });
  const privateKey = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  return {
    cert: certificate.toString("pem"),
    key: pem("PRIVATE KEY", privateKey),
    ca,
    handshakeField: Buffer.from(certificate.rawData).toString("base64").replace(/=+$/, ""),
  };
}

function readCertificate(text: string): string {
  try {
    return new X509Certificate(text).toString();
  } catch (cause) {
    throw new Error("PLUGIN_CLIENT_CERT is not a certificate in PEM form", { cause });
  }
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
