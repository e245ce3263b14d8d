// The kernel as a plugin may call it: KernelCallbackService over the broker, dialled on first use
// (go-plugin.md, 'Reaching the kernel').
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { CallOptions, GrpcClient } from "@pluggableharness/grpc";
import type { KernelCallbackService } from "@pluggableharness/protocol/wire";

type Methods = (typeof KernelCallbackService)["method"];
type Request<K extends keyof Methods> = MessageInitShape<Methods[K]["input"]>;
type Response<K extends keyof Methods> = MessageShape<Methods[K]["output"]>;
type UnaryName = { [K in keyof Methods]: Methods[K] extends DescMethodUnary ? K : never }[keyof Methods];

/**
 * Calls the kernel. Every method waits at most 5 s for the kernel to say where it listens and throws a GrpcError
 * otherwise: UNAVAILABLE where it cannot be reached, UNIMPLEMENTED where this kernel lacks the method.
 */
export interface Kernel {
  /** Calls a unary method of KernelCallbackService by its name, such as `getSession`. */
  call<K extends UnaryName>(name: K, request: Request<K>, options?: CallOptions): Promise<Response<K>>;
  /** Follows the event bus; what is not read holds the kernel back. */
  subscribe(
    request: Request<"subscribe">,
    options?: CallOptions,
  ): AsyncGenerator<Response<"subscribe">, void>;
  /** Reads stored events of a session. */
  readEvents(
    request: Request<"readEvents">,
    options?: CallOptions,
  ): AsyncGenerator<Response<"readEvents">, void>;
}

/** A kernel whose connection `connect` gives; it is asked for every call and may answer with the same client. */
export function createKernel(connect: () => Promise<GrpcClient>, methods: () => Methods): Kernel {
  return {
    async call(name, request, options) {
      const client = await connect();
      return await client.unary(methods()[name], request, options);
    },
    async *subscribe(request, options) {
      const client = await connect();
      yield* client.serverStream(methods().subscribe, request, options);
    },
    async *readEvents(request, options) {
      const client = await connect();
      yield* client.serverStream(methods().readEvents, request, options);
    },
  };
}
