// A plugin that several checks use one after the other; a new one is made where a check has ended the last.
import type { ConnectedPlugin } from "./connected-plugin.ts";

export class SharedPlugin {
  readonly #connect: () => Promise<ConnectedPlugin>;
  #plugin: Promise<ConnectedPlugin> | undefined;

  constructor(connect: () => Promise<ConnectedPlugin>) {
    this.#connect = connect;
  }

  /** The plugin, running. Throws where it cannot be connected; the next call tries again. */
  async get(): Promise<ConnectedPlugin> {
    const running = await this.running();
    if (running !== undefined) return running;
    this.#plugin = this.#connect();
    return await this.#plugin;
  }

  /** The plugin where there is one that runs. */
  async running(): Promise<ConnectedPlugin | undefined> {
    const plugin = await this.#plugin?.catch(() => undefined);
    return plugin?.subject.end === undefined ? plugin : undefined;
  }
}
