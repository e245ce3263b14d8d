// The messages that both sides of transport.ts exchange.
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";

export {
  DescribeRequestSchema,
  DescribeResponseSchema,
  InvokeRequestSchema,
  InvokeResponseSchema,
} from "@pluggableharness/protocol/wire";
export type MessageOf<D extends DescMessage> = MessageShape<D>;
