// The reference for transport.ts: the same messages served by @grpc/grpc-js, without an SDK around them.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import {
  DescribeRequestSchema,
  DescribeResponseSchema,
  InvokeRequestSchema,
  InvokeResponseSchema,
  type MessageOf,
} from "./messages.ts";

const definition = {
  Describe: {
    path: "/pluggableharness.tool.v1.ToolService/Describe",
    requestStream: false,
    responseStream: false,
    requestSerialize: (message: MessageOf<typeof DescribeRequestSchema>) =>
      Buffer.from(toBinary(DescribeRequestSchema, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(DescribeRequestSchema, bytes),
    responseSerialize: (message: MessageOf<typeof DescribeResponseSchema>) =>
      Buffer.from(toBinary(DescribeResponseSchema, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(DescribeResponseSchema, bytes),
  },
  Invoke: {
    path: "/pluggableharness.tool.v1.ToolService/Invoke",
    requestStream: false,
    responseStream: true,
    requestSerialize: (message: MessageOf<typeof InvokeRequestSchema>) =>
      Buffer.from(toBinary(InvokeRequestSchema, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(InvokeRequestSchema, bytes),
    responseSerialize: (message: MessageOf<typeof InvokeResponseSchema>) =>
      Buffer.from(toBinary(InvokeResponseSchema, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(InvokeResponseSchema, bytes),
  },
} as const satisfies grpc.ServiceDefinition;

const producer = {
  name: "echo",
  version: "1.2.3",
  source: "github.com/pluggableharness/plugin-tool-echo",
  category: 2,
  protocolVersion: 1,
} as const;

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(definition, {
  Describe: (_call: unknown, done: grpc.sendUnaryData<MessageOf<typeof DescribeResponseSchema>>) =>
    done(null, create(DescribeResponseSchema, { producer })),
  Invoke: async (
    call: grpc.ServerWritableStream<
      MessageOf<typeof InvokeRequestSchema>,
      MessageOf<typeof InvokeResponseSchema>
    >,
  ) => {
    const { chunks, bytes } = call.request.call?.arguments ?? {};
    const data = new Uint8Array(Number(bytes)).fill(97);
    for (let sent = 0; sent < Number(chunks); sent++) {
      const response = create(InvokeResponseSchema, {
        event: { event: { case: "outputChunk", value: { stream: 1, data } } },
      });
      if (!call.write(response)) await new Promise((resolve) => call.once("drain", resolve));
    }
    call.end();
  },
});
server.bindAsync(`unix:${process.argv[2]}`, grpc.ServerCredentials.createInsecure(), (error) => {
  if (error !== null) throw error;
  process.stdout.write("ready\n");
});
