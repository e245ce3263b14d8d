// One session as plugins see it: who it is, what it may still spend, and what was emitted in it. Depth and budget
// only shrink (semantics.md, 'Sub-agents').
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { type GetSessionResultSchema, SessionStatus } from "@pluggableharness/protocol/wire";
import { EventLog } from "./event-log.ts";
import { createUlids } from "./ulid.ts";

export interface SessionOptions {
  /** Made where it is missing. */
  readonly id?: string;
  readonly parentId?: string;
  /** The agent profile it runs under. */
  readonly profile?: string;
  /** How deep it is itself; 0 by default. */
  readonly depth?: number;
  /** How much deeper sub-sessions may go; 0 by default, which is none. */
  readonly remainingDepth?: number;
  /** What it may still cost, in US dollars; 0 by default. */
  readonly remainingCostBudgetUsd?: number;
}

const nextId = createUlids();

/** A session that is running. */
export class Session {
  readonly id: string;
  readonly remainingDepth: number;
  readonly events = new EventLog();
  readonly #options: SessionOptions;
  readonly #startedAt = timestampNow();
  #remainingUsd: number;
  #costUsd = 0;

  constructor(options: SessionOptions = {}) {
    this.id = options.id ?? nextId();
    this.remainingDepth = options.remainingDepth ?? 0;
    this.#remainingUsd = options.remainingCostBudgetUsd ?? 0;
    this.#options = options;
  }

  /** The answer of GetSession. */
  describe(): MessageInitShape<typeof GetSessionResultSchema> {
    const { parentId, profile = "", depth = 0 } = this.#options;
    return {
      info: {
        sessionId: this.id,
        ...(parentId !== undefined && { parentSessionId: parentId }),
        profile,
        status: SessionStatus.RUNNING,
        depth,
        startedAt: this.#startedAt,
        costUsd: this.#costUsd,
      },
      remainingDepth: this.remainingDepth,
      remainingCostBudgetUsd: this.#remainingUsd,
    };
  }

  /** Sets a part of the budget aside for a sub-session: as much as is asked for and still there. */
  reserve(usd: number): number {
    // Not a number, or less than nothing: then nothing.
    const reserved = usd > 0 ? Math.min(usd, this.#remainingUsd) : 0;
    this.#remainingUsd -= reserved;
    return reserved;
  }

  /** Settles what was set aside by what it has cost; the rest is there again. */
  settle(reservedUsd: number, costUsd: number): void {
    this.#costUsd += costUsd;
    this.#remainingUsd = Math.max(0, this.#remainingUsd + reservedUsd - costUsd);
  }
}
