// AutoMTLS, which a host asks for with PLUGIN_CLIENT_CERT: the plugin answers with a certificate and lets in nobody
// but that host (go-plugin.md, 'AutoMTLS').
import { X509Certificate } from "node:crypto";
import type { Address } from "@pluggableharness/grpc";
import { ToolService } from "@pluggableharness/protocol/wire";
import { within } from "../bounded-wait.ts";
import { type Check, fail, type Outcome, pass } from "../check.ts";
import { QUICK_MS, untilListening } from "../connected-plugin.ts";
import { addressOf, handshakeFields } from "../handshake-fields.ts";
import { strangeHost, trustedHost } from "../host-certificates.ts";
import { type ClientPair, pathOf, RawSession } from "../raw-call.ts";
import type { Trial } from "../trial.ts";

const SOURCE = "go-plugin.md, 'AutoMTLS'";

interface Secured {
  readonly address: Address;
  readonly certificate: X509Certificate;
}

/** Starts the plugin with the trusted host's certificate and looks at it. */
async function secured(
  trial: Trial,
  judge: (plugin: Secured) => Promise<Outcome> | Outcome,
): Promise<Outcome> {
  await using subject = trial.start({ environment: { PLUGIN_CLIENT_CERT: trustedHost.cert } });
  const line = (await subject.handshake(trial.startMs)) ?? "";
  const address = addressOf(line);
  const { certificate = "" } = handshakeFields(line);
  if (address === undefined)
    return fail(`with PLUGIN_CLIENT_CERT its first line was ${JSON.stringify(line)}`);
  if (certificate === "") return fail("with PLUGIN_CLIENT_CERT the sixth field is empty: it serves in clear");
  await untilListening(address);
  try {
    return await judge({ address, certificate: new X509Certificate(Buffer.from(certificate, "base64")) });
  } catch (error) {
    return fail(`the sixth field is no certificate: ${error instanceof Error ? error.message : error}`);
  }
}

/** True where Describe is answered over this connection. */
async function letsIn(address: Address, pair: ClientPair | "no certificate" | undefined): Promise<boolean> {
  using session = new RawSession(address, pair);
  const failure = await within(session.ready, QUICK_MS);
  if (failure !== undefined || session.session.destroyed) return false;
  try {
    const { trailers } = await session.call(pathOf(ToolService.method.describe), new Uint8Array(), {
      waitMs: QUICK_MS,
    });
    return trailers["grpc-status"] === "0";
  } catch {
    // A session that was closed under the call throws: nobody was let in.
    return false;
  }
}

const pemOf = (certificate: X509Certificate): string => certificate.toString();

export const autoMtlsChecks: readonly Check[] = [
  {
    id: "mtls.certificate-field",
    rule: "Asked for AutoMTLS, the sixth field is its certificate: DER in base64 without padding, for localhost.",
    source: SOURCE,
    run: async (trial) => {
      await using subject = trial.start({ environment: { PLUGIN_CLIENT_CERT: trustedHost.cert } });
      const { certificate = "" } = handshakeFields((await subject.handshake(trial.startMs)) ?? "");
      if (certificate === "") return fail("the field is empty");
      if (/[^A-Za-z0-9+/]/.test(certificate))
        return fail("it is not base64 of the standard alphabet without padding");
      const { subjectAltName = "" } = new X509Certificate(Buffer.from(certificate, "base64"));
      return subjectAltName.includes("DNS:localhost")
        ? pass(subjectAltName)
        : fail(`its names are ${JSON.stringify(subjectAltName)}`);
    },
  },
  {
    id: "mtls.host-enters",
    rule: "The host whose certificate it was given is served over TLS.",
    source: SOURCE,
    run: (trial) =>
      secured(trial, async ({ address, certificate }) =>
        (await letsIn(address, { ...trustedHost, ca: pemOf(certificate) }))
          ? pass("Describe was answered")
          : fail("Describe was not answered"),
      ),
  },
  {
    id: "mtls.stranger-refused",
    rule: "A client with another certificate is refused.",
    source: SOURCE,
    run: (trial) =>
      secured(trial, async ({ address, certificate }) =>
        (await letsIn(address, { ...strangeHost, ca: pemOf(certificate) }))
          ? fail("Describe was answered to a stranger")
          : pass("it was refused"),
      ),
  },
  {
    id: "mtls.certificate-required",
    rule: "A client without a certificate is refused.",
    source: SOURCE,
    run: (trial) =>
      secured(trial, async ({ address }) =>
        (await letsIn(address, "no certificate"))
          ? fail("Describe was answered without a certificate")
          : pass("it was refused"),
      ),
  },
  {
    id: "mtls.never-in-clear",
    rule: "With PLUGIN_CLIENT_CERT set it never serves in clear.",
    source: SOURCE,
    run: (trial) =>
      secured(trial, async ({ address }) =>
        (await letsIn(address, undefined))
          ? fail("Describe was answered in clear")
          : pass("a connection in clear gets no answer"),
      ),
  },
  {
    id: "mtls.bad-certificate",
    rule: "Where PLUGIN_CLIENT_CERT is no certificate it does not serve in clear, and lets nobody in.",
    source: SOURCE,
    run: async (trial) => {
      await using subject = trial.start({ environment: { PLUGIN_CLIENT_CERT: "no certificate at all" } });
      const address = addressOf((await subject.handshake(trial.startMs)) ?? "");
      if (address === undefined)
        return pass(`it printed no handshake; stderr: ${subject.stderrLines.at(-1) ?? "nothing"}`);
      await untilListening(address);
      for (const pair of [undefined, "no certificate"] as const)
        if (await letsIn(address, pair)) return fail(`Describe was answered ${pair ?? "in clear"}`);
      return pass("nobody is served");
    },
  },
];
