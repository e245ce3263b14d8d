// What plugins tell each other: Publish gives an event to whoever has subscribed to its topic (wire.md, kernel.v1).
// A subscriber that does not keep up gets what is queued for it and then the end of its stream with
// RESOURCE_EXHAUSTED: it learns that it has missed something, which a dropped event would not tell it.
import { create, type MessageShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { Code, GrpcError } from "@pluggableharness/grpc";
import { BusEventSchema, type PublishRequestSchema } from "@pluggableharness/protocol/wire";
import { isTopicFilter, matchesTopic, topicOf } from "./topic.ts";

type BusEvent = MessageShape<typeof BusEventSchema>;

export interface EventBusBounds {
  readonly maxQueuedEvents: number;
  /** Of the payloads in one subscriber's queue. */
  readonly maxQueuedBytes: number;
  readonly maxSubscribers: number;
}

const defaultBounds: EventBusBounds = {
  maxQueuedEvents: 1_000,
  maxQueuedBytes: 16 * 1024 * 1024,
  maxSubscribers: 100,
};

interface Subscriber {
  readonly filters: readonly string[];
  readonly queue: BusEvent[];
  queuedBytes: number;
  hasFallenBehind: boolean;
  wake: () => void;
}

/** The event bus of an agent. */
export class EventBus {
  readonly #bounds: EventBusBounds;
  readonly #subscribers = new Set<Subscriber>();
  #sequence = 0n;

  constructor(bounds: EventBusBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** Gives an event of a plugin to its subscribers; the result is its topic. Throws where the type is no segment. */
  publish(plugin: string, request: MessageShape<typeof PublishRequestSchema>): string {
    const topic = topicOf(plugin, request.eventType);
    if (topic === undefined) {
      throw new GrpcError(
        Code.INVALID_ARGUMENT,
        `event_type ${JSON.stringify(request.eventType)} must be one segment, without '.', '*' or spaces`,
      );
    }
    this.#sequence++;
    const { payload, payloadType, schemaVersion } = request;
    const event = create(BusEventSchema, {
      topic,
      payload,
      payloadType,
      schemaVersion,
      time: timestampNow(),
      sequence: this.#sequence,
    });
    for (const subscriber of this.#subscribers) {
      if (subscriber.filters.some((filter) => matchesTopic(filter, topic))) this.#queue(subscriber, event);
    }
    return topic;
  }

  /** The events of the topics that are asked for, from now on and until the signal fires. */
  subscribe(filters: readonly string[], signal: AbortSignal): AsyncIterable<BusEvent> {
    const wrong = filters.find((filter) => !isTopicFilter(filter));
    if (filters.length === 0 || wrong !== undefined) {
      const which = wrong === undefined ? "there is none" : `${JSON.stringify(wrong)} is none`;
      throw new GrpcError(
        Code.INVALID_ARGUMENT,
        `topic_filters needs topics, in which '*' may stand for a whole segment; ${which}`,
      );
    }
    if (this.#subscribers.size >= this.#bounds.maxSubscribers) {
      throw new GrpcError(
        Code.RESOURCE_EXHAUSTED,
        `there are ${this.#bounds.maxSubscribers} subscriptions already`,
      );
    }
    const subscriber: Subscriber = {
      filters: [...filters],
      queue: [],
      queuedBytes: 0,
      hasFallenBehind: false,
      wake: () => {},
    };
    this.#subscribers.add(subscriber);
    const onAbort = (): void => {
      this.#subscribers.delete(subscriber);
      subscriber.wake();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    return this.#events(subscriber, signal);
  }

  async *#events(subscriber: Subscriber, signal: AbortSignal): AsyncGenerator<BusEvent, void> {
    try {
      while (!signal.aborted) {
        const event = subscriber.queue.shift();
        if (event !== undefined) {
          subscriber.queuedBytes -= event.payload.length;
          yield event;
        } else if (subscriber.hasFallenBehind) {
          throw new GrpcError(
            Code.RESOURCE_EXHAUSTED,
            "this subscriber did not keep up and has missed events; subscribe again",
          );
        } else {
          await new Promise<void>((resolve) => {
            subscriber.wake = resolve;
          });
        }
      }
    } finally {
      this.#subscribers.delete(subscriber);
    }
  }

  #queue(subscriber: Subscriber, event: BusEvent): void {
    const { maxQueuedEvents, maxQueuedBytes } = this.#bounds;
    const bytes = subscriber.queuedBytes + event.payload.length;
    if (subscriber.queue.length >= maxQueuedEvents || bytes > maxQueuedBytes) {
      subscriber.hasFallenBehind = true;
      this.#subscribers.delete(subscriber);
    } else {
      subscriber.queue.push(event);
      subscriber.queuedBytes = bytes;
    }
    subscriber.wake();
  }
}
