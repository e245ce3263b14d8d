// The plugin's side of go-plugin's broker: keeps where the host says its services listen, for as long as the
// plugin lives, and hands it to whoever dials (go-plugin-verified.md section 5).
import type { MessageShape } from "@bufbuild/protobuf";
import { type Address, Code, GrpcError } from "@pluggableharness/grpc";
import type { ConnInfoSchema } from "@pluggableharness/protocol/wire";

/** The broker id on which the kernel serves its callbacks. */
export const CALLBACK_ID = 1;
/** Ids kept; one host announces one, so more is a peer that floods. */
const MAX_ANNOUNCED = 64;

type ConnInfo = MessageShape<typeof ConnInfoSchema>;

interface Waiter {
  readonly serviceId: number;
  readonly resolve: (address: Address) => void;
  readonly reject: (error: Error) => void;
}

/** Announced addresses by id. */
export class Broker {
  readonly #announced = new Map<number, Address>();
  readonly #waiters = new Set<Waiter>();
  /** Streams that hosts hold open; normally the one of the one host. */
  #open = 0;
  #hasEnded = false;

  /** Reads the host's stream of announcements until it ends; `StartStream` as the host sees it. */
  async follow(announcements: AsyncIterable<ConnInfo>): Promise<void> {
    this.#open++;
    this.#hasEnded = false;
    try {
      for await (const info of announcements) this.#take(info);
    } finally {
      this.#open--;
      // Another client on the socket that comes and goes says nothing about the host.
      if (this.#open === 0) this.#end();
    }
  }

  /** True once no stream is left of those that were followed. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  #end(): void {
    this.#hasEnded = true;
    for (const waiter of this.#waiters) waiter.reject(streamEnded());
  }

  /**
   * The address announced for an id, waiting for it at most `timeoutMs`. Fails at once when the stream has ended
   * without it.
   */
  async address(serviceId: number, timeoutMs: number): Promise<Address> {
    const known = this.#announced.get(serviceId);
    if (known !== undefined) return known;
    if (this.#hasEnded) throw streamEnded();
    let waiter: Waiter | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Address>((resolve, reject) => {
        waiter = { serviceId, resolve, reject };
        this.#waiters.add(waiter);
        timer = setTimeout(
          () =>
            reject(
              new GrpcError(
                Code.UNAVAILABLE,
                `the host announced no service ${serviceId} within ${timeoutMs} ms`,
              ),
            ),
          timeoutMs,
        );
      });
    } finally {
      clearTimeout(timer);
      if (waiter !== undefined) this.#waiters.delete(waiter);
    }
  }

  #take(info: ConnInfo): void {
    // A knock belongs to multiplexing, which the handshake declined.
    const address = info.knock === undefined ? addressOf(info) : undefined;
    if (address === undefined) return;
    // A host announces an id once; whoever comes later with the same one is not that host.
    if (this.#announced.has(info.serviceId) || this.#announced.size >= MAX_ANNOUNCED) return;
    this.#announced.set(info.serviceId, address);
    for (const waiter of this.#waiters) {
      if (waiter.serviceId === info.serviceId) waiter.resolve(address);
    }
  }
}

function addressOf({ network, address }: ConnInfo): Address | undefined {
  if (network === "unix" && address !== "") return { network, path: address };
  const tcp = /^(.+):(\d+)$/.exec(address);
  if (network !== "tcp" || tcp === null) return undefined;
  return { network, host: (tcp[1] ?? "").replace(/^\[|\]$/g, ""), port: Number(tcp[2]) };
}

function streamEnded(): GrpcError {
  return new GrpcError(Code.UNAVAILABLE, "the host closed the broker stream");
}
