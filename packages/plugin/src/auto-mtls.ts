// The plugin's half of AutoMTLS: a key and a self-signed certificate for this process alone (go-plugin.md,
// 'AutoMTLS'). Written out in DER: Node cannot make certificates, and the library that can added 370 KB to every
// plugin and 8 ms to every start, also where no host asks for TLS.
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import {
  bitString,
  boolean,
  objectIdentifier,
  octetString,
  positiveInteger,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from "./der.ts";

/** What the server and the broker's dials use, in PEM. */
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

const CLOCK_SKEW_MS = 30_000;
/** As go-plugin's: the pair lives as long as the process, however long that is. */
const VALID_YEARS = 30;
const HOST_NAME = "localhost";

const oid = {
  ecdsaWithSha512: "1.2.840.10045.4.3.4",
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

/** Makes the pair. Throws where the host's certificate is not one. */
export function makeServerCertificate(clientCertificate: string): ServerCertificate {
  const ca = readCertificate(clientCertificate);
  const { certificate, key } = selfSigned();
  return {
    cert: certificate.toString(),
    key,
    ca,
    handshakeField: certificate.raw.toString("base64").replace(/=+$/, ""),
  };
}

/** A fresh P-521 key in PEM and a certificate for localhost signed with it. */
export function selfSigned(): { readonly certificate: X509Certificate; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-521" });
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha512));
  const body = certificateBody(publicKey.export({ type: "spki", format: "der" }), algorithm, new Date());
  const signature = sign("sha512", body, privateKey);
  return {
    certificate: new X509Certificate(sequence(body, algorithm, bitString(signature))),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** The signed part (RFC 5280 section 4.1): version 3, subject and issuer the same. */
function certificateBody(publicKey: Buffer, algorithm: Buffer, now: Date): Buffer {
  const name = sequence(
    nameEntry(oid.organization, "PluggableHarness"),
    nameEntry(oid.commonName, HOST_NAME),
  );
  const notBefore = new Date(now.getTime() - CLOCK_SKEW_MS);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + VALID_YEARS);
  return sequence(
    tagged(0, positiveInteger(Buffer.from([2])), { constructed: true }),
    positiveInteger(randomBytes(16)),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey,
    tagged(3, extensions(), { constructed: true }),
  );
}

function extensions(): Buffer {
  // digitalSignature 0, keyEncipherment 2, keyAgreement 4, keyCertSign 5; the first bit is the highest.
  const usage = bitString(Buffer.from([0b1010_1100]), 2);
  const purposes = sequence(objectIdentifier(oid.serverAuth), objectIdentifier(oid.clientAuth));
  const dnsName = tagged(2, Buffer.from(HOST_NAME), { constructed: false });
  return sequence(
    extension(oid.basicConstraints, sequence(boolean(true)), { critical: true }),
    extension(oid.keyUsage, usage, { critical: true }),
    extension(oid.extendedKeyUsage, purposes, { critical: false }),
    extension(oid.subjectAltName, sequence(dnsName), { critical: false }),
  );
}

function extension(id: string, value: Buffer, { critical }: { critical: boolean }): Buffer {
  const flags = critical ? [boolean(true)] : [];
  return sequence(objectIdentifier(id), ...flags, octetString(value));
}

function nameEntry(id: string, value: string): Buffer {
  return set(sequence(objectIdentifier(id), utf8String(value)));
}

function readCertificate(text: string): string {
  try {
    return new X509Certificate(text).toString();
  } catch (cause) {
    throw new Error("PLUGIN_CLIENT_CERT is not a certificate in PEM form", { cause });
  }
}
