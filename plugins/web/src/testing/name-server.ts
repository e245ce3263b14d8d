// A name server on loopback for tests: each name has a list of answers, one per question, the last of which stays.
// Enough of RFC 1035 for A and AAAA.
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

const TYPES: Readonly<Record<number, string>> = { 1: "ipv4", 28: "ipv6" };

/** Answers of a name: each a list of addresses of either family; `servfail` breaks, an empty list has none. */
export type NameAnswers = readonly (readonly string[] | "servfail")[];

export class NameServer implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #names = new Map<string, { answers: NameAnswers; asked: Map<number, number> }>();
  /** Names in the order in which they were asked for, without doubles for the two families. */
  readonly questions: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("message", (message, { port, address }) => socket.send(this.#answer(message), port, address));
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    return new NameServer(socket);
  }

  /** For `dns_servers`. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** What a name answers from now on. */
  set(name: string, ...answers: NameAnswers): void {
    this.#names.set(name, { answers, asked: new Map() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  #answer(message: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1);
    const question = message.subarray(12, at + 5);
    const name = labels.join(".").toLowerCase();
    if (this.questions.at(-1) !== name) this.questions.push(name);
    const answer = this.#next(name, type);
    const addresses = answer === "servfail" || answer === undefined ? [] : answer;
    const code = answer === "servfail" ? 2 : answer === undefined ? 3 : 0;
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    const records = addresses
      .map((address) => ipaddr.parse(address))
      .filter((each) => each.kind() === TYPES[type]);
    head.writeUInt16BE(records.length, 6);
    return Buffer.concat([head, question, ...records.map((address) => record(type, address.toByteArray()))]);
  }

  /** Each family sees the list of answers from its beginning: a lookup asks for both. */
  #next(name: string, type: number): readonly string[] | "servfail" | undefined {
    const known = this.#names.get(name);
    if (known === undefined) return undefined;
    const asked = known.asked.get(type) ?? 0;
    known.asked.set(type, asked + 1);
    return known.answers[Math.min(asked, known.answers.length - 1)];
  }
}

/** A resource record of the name in the question, with a TTL of zero. */
function record(type: number, address: readonly number[]): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length]);
  return Buffer.concat([head, Buffer.from(address)]);
}
