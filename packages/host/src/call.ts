// One Invoke as the host sees it: events as they are pulled, with the rules of the stream enforced
// (tool-protocol.txt, 'Invoke'). A plugin that breaks them is reported as `unknown`, never believed.
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { type CallOptions, Code, type GrpcClient, GrpcError } from "@pluggableharness/grpc";
import { ToolError } from "@pluggableharness/protocol";
import { type ToolCallSchema, type ToolEventSchema, ToolService } from "@pluggableharness/protocol/wire";
import { toolErrorFromWire } from "./wire-tool-error.ts";

/** A call as it is sent. */
export type ToolCallInit = MessageInitShape<typeof ToolCallSchema>;
/** An event of a call. */
export type ToolEvent = MessageShape<typeof ToolEventSchema>["event"];

/**
 * The events of a call, the last of which is its result; it is given out only when the stream has ended as it must.
 * A ToolError is thrown for an error event, a broken stream and a dead process. Reading is pulling; leaving the loop
 * resets the call.
 */
export async function* invokeTool(
  client: GrpcClient,
  call: ToolCallInit,
  options: CallOptions,
): AsyncGenerator<ToolEvent, void> {
  let terminal: ToolEvent | undefined;
  let exited = false;
  try {
    for await (const { event: wrapped } of client.serverStream(
      ToolService.method.invoke,
      { call },
      options,
    )) {
      const event = wrapped?.event;
      if (event?.case === undefined) throw broken("sent an event without content");
      if (terminal !== undefined) throw broken(`sent ${event.case} after its ${terminal.case}`);
      if (event.case === "exitStatus" && exited) throw broken("sent a second exit status");
      exited ||= event.case === "exitStatus";
      if (event.case === "result" || event.case === "error") terminal = event;
      else yield event;
    }
  } catch (error) {
    throw error instanceof GrpcError ? failureOf(error) : error;
  }
  if (terminal === undefined) throw broken("ended its stream without a result or an error");
  if (terminal.case === "error") throw toolErrorFromWire(terminal.value);
  yield terminal;
}

function broken(what: string): ToolError {
  return new ToolError("unknown", `the plugin ${what}, which the protocol forbids`);
}

/** A status of Invoke as a ToolError; a lost connection is left to the one who knows whether the process lives. */
function failureOf(error: GrpcError): unknown {
  switch (error.code) {
    case Code.CANCELLED:
      return new ToolError("cancelled", error.message, { cause: error });
    case Code.DEADLINE_EXCEEDED:
      return new ToolError("timeout", error.message, { cause: error });
    case Code.UNAVAILABLE:
      return error;
    default:
      return new ToolError("unknown", `the plugin ended the call with a status: ${error.message}`, {
        cause: error,
      });
  }
}
