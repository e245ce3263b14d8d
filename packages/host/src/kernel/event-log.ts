// What was emitted in one session, in order: Emit appends, ReadEvents reads (wire.md, kernel.v1). Bounded: beyond its
// bounds the oldest events go, which a reader sees from the sequence of the first one it gets.
import { create, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { type EventKind, StoredEventSchema } from "@pluggableharness/protocol/wire";
import { createUlids } from "./ulid.ts";

type StoredEvent = MessageShape<typeof StoredEventSchema>;
/** An event before it has its place in the log. */
export type NewEvent = Pick<
  MessageInitShape<typeof StoredEventSchema>,
  "kind" | "producer" | "schemaVersion" | "payload"
>;

/** Which events are asked for. */
export interface EventFilter {
  /** All where it is empty. */
  readonly kinds: readonly EventKind[];
  /** The first sequence; from the oldest that is kept where it is missing. */
  readonly fromSequence?: bigint | undefined;
  /** How many at the most. */
  readonly limit?: number | undefined;
}

export interface EventLogBounds {
  readonly maxEvents: number;
  /** Of the payloads. */
  readonly maxBytes: number;
}

const defaultBounds: EventLogBounds = { maxEvents: 10_000, maxBytes: 64 * 1024 * 1024 };

/** The events of a session. */
export class EventLog {
  readonly #bounds: EventLogBounds;
  readonly #nextId = createUlids();
  #events: StoredEvent[] = [];
  /** Events that have gone but still stand at the start of the list. */
  #gone = 0;
  #bytes = 0;
  #sequence = 0n;

  constructor(bounds: EventLogBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** Appends an event. Sequences begin at 1 and have no gaps. */
  append(event: NewEvent): StoredEvent {
    this.#sequence++;
    const stored = create(StoredEventSchema, {
      ...event,
      id: this.#nextId(),
      sequence: this.#sequence,
      time: timestampNow(),
    });
    this.#events.push(stored);
    this.#bytes += stored.payload.length;
    this.#dropOldest();
    return stored;
  }

  /** The events that are asked for, as they are now, in order. */
  *read({ kinds, fromSequence = 0n, limit = Number.POSITIVE_INFINITY }: EventFilter): Generator<StoredEvent> {
    let given = 0;
    for (const event of this.#events.slice(this.#gone)) {
      if (given >= limit) return;
      if (event.sequence < fromSequence || (kinds.length > 0 && !kinds.includes(event.kind))) continue;
      given++;
      yield event;
    }
  }

  #dropOldest(): void {
    const { maxEvents, maxBytes } = this.#bounds;
    for (;;) {
      const kept = this.#events.length - this.#gone;
      const oldest = this.#events[this.#gone];
      if (oldest === undefined || (kept <= maxEvents && this.#bytes <= maxBytes)) break;
      this.#bytes -= oldest.payload.length;
      this.#gone++;
    }
    // Not one by one: that would move the whole list for each event.
    if (this.#gone <= this.#events.length / 2) return;
    this.#events = this.#events.slice(this.#gone);
    this.#gone = 0;
  }
}
