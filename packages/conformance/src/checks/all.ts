// Every check, in the order in which they run: the process, its services, what it says of itself, calls, the end.
import type { Check } from "../check.ts";
import { autoMtlsChecks } from "./auto-mtls.ts";
import { callbackChecks } from "./callbacks.ts";
import { callChecks } from "./calls.ts";
import { cancellationChecks } from "./cancellation.ts";
import { configSchemaChecks } from "./config-schema.ts";
import { configureChecks } from "./configure.ts";
import { describeChecks } from "./describe.ts";
import { grpcChecks } from "./grpc.ts";
import { handshakeChecks } from "./handshake.ts";
import { interactiveChecks } from "./interactive.ts";
import { lifecycleChecks } from "./lifecycle.ts";
import { misuseChecks } from "./misuse.ts";
import { outputChecks } from "./output.ts";
import { previewChecks } from "./preview.ts";
import { renderChecks } from "./render.ts";
import { schemaChecks } from "./schema.ts";
import { secretChecks } from "./secrets.ts";
import { serviceChecks } from "./services.ts";

/** The checks of the kit. */
export const allChecks: readonly Check[] = [
  ...handshakeChecks,
  ...autoMtlsChecks,
  ...serviceChecks,
  ...grpcChecks,
  ...describeChecks,
  ...schemaChecks,
  ...configSchemaChecks,
  ...configureChecks,
  ...callChecks,
  ...misuseChecks,
  ...cancellationChecks,
  ...interactiveChecks,
  ...previewChecks,
  ...renderChecks,
  ...callbackChecks,
  ...secretChecks,
  ...lifecycleChecks,
  ...outputChecks,
];
