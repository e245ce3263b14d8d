// The sessions of one configuration: a bounded number that run, and the latest that have ended, so that their last
// words can still be read. A session is seen only by the kernel session that started it, and ends with it.
import { randomBytes } from "node:crypto";
import { ToolError } from "@pluggableharness/plugin";
import type { Session } from "./session.ts";

export class Sessions {
  readonly #max: number;
  readonly #all = new Map<string, Session>();
  readonly #starting = new Set<string>();
  #made = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Starts a session if there is room. Throws execution_failed where there is none. */
  async start(
    owner: string,
    asked: string | undefined,
    make: (id: string) => Promise<Session>,
  ): Promise<Session> {
    const id = asked ?? this.#newId();
    checkName(id);
    const key = keyOf(id, owner);
    if (this.#starting.has(key)) {
      throw new ToolError(
        "concurrency_conflict",
        `session_id: a session ${id} is being started; choose another name`,
      );
    }
    const running = [...this.#all].filter(
      ([other, { status }]) => other !== key && status === undefined,
    ).length;
    if (running + this.#starting.size >= this.#max) {
      throw new ToolError(
        "execution_failed",
        `${this.#max} sessions are running, which is the limit; end one with exec_kill first`,
      );
    }
    this.#starting.add(key);
    try {
      await this.#replace(key);
      const session = await make(id);
      this.#all.set(key, session);
      this.#forgetOldest();
      return session;
    } finally {
      this.#starting.delete(key);
    }
  }

  /** Throws not_found where the owner has none of that id. */
  get(id: string, owner: string): Session {
    checkName(id);
    const session = this.#all.get(keyOf(id, owner));
    if (session !== undefined) return session;
    const known = this.of(owner).map(({ facts }) => facts.id);
    throw new ToolError(
      "not_found",
      `session_id: there is no session ${JSON.stringify(id.slice(0, 100))}; ${known.length === 0 ? "none was started" : `there are ${known.join(", ")}`}`,
    );
  }

  of(owner: string): Session[] {
    return [...this.#all.values()].filter(({ facts }) => facts.owner === owner);
  }

  /** Ends and forgets the sessions of an owner. */
  endOf(owner: string): void {
    for (const session of this.of(owner)) {
      this.#all.delete(keyOf(session.facts.id, owner));
      void session.end().finally(() => session.close());
    }
  }

  /** Their processes have been ended already. */
  close(): void {
    for (const session of this.#all.values()) session.close();
    this.#all.clear();
  }

  /** A name that is given again is a program that is started again. */
  async #replace(key: string): Promise<void> {
    const before = this.#all.get(key);
    if (before === undefined) return;
    await before.end();
    before.close();
    this.#all.delete(key);
  }

  /** Never used before, also not by a plugin that ran earlier. */
  #newId(): string {
    this.#made++;
    return `${this.#made}-${randomBytes(4).toString("hex")}`;
  }

  #forgetOldest(): void {
    const ended = [...this.#all.values()].filter(({ status }) => status !== undefined);
    for (const session of ended.slice(0, Math.max(0, ended.length - this.#max))) {
      session.close();
      this.#all.delete(keyOf(session.facts.id, session.facts.owner));
    }
  }
}

function keyOf(id: string, owner: string): string {
  return `${owner}\0${id}`;
}

function checkName(id: string): void {
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(id)) return;
  throw new ToolError(
    "invalid_arguments",
    `session_id: ${JSON.stringify(id.slice(0, 100))} is no name; up to 64 letters, digits, "_", "." and "-" are accepted`,
  );
}
