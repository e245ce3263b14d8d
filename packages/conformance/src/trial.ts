// One run against one plugin: starts it as often as checks need, shares two connected ones among those that do not
// mind, remembers every process, and ends them all.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConnectedPlugin, type PluginSchema } from "./connected-plugin.ts";
import { callables, type Exchange, exchange } from "./exchange.ts";
import { type HttpPages, serveHttpPages } from "./http-pages.ts";
import { guessedConfig, kernelConfig } from "./kernel-config.ts";
import { canFindProcesses, processesWith } from "./process-search.ts";
import { fillIn, type JsonObject, type Recipe } from "./recipe.ts";
import { Scratch } from "./scratch.ts";
import { SharedPlugin } from "./shared-plugin.ts";
import { type KernelMood, type StandInKernel, serveStandInKernel } from "./stand-in-kernel.ts";
import { type StartOptions, Subject } from "./subject.ts";

/** The variable by which the processes of a run are found. */
export const RUN_VARIABLE = "TOOLCONFORM_RUN";

/** What a run is given. */
export interface TrialOptions {
  /** The executable, as an absolute path. */
  readonly path: string;
  readonly recipe: Recipe;
  /** How long a handshake may take, in milliseconds. */
  readonly startMs: number;
}

/** A run. Disposing ends every process and removes every file it made. */
export class Trial implements AsyncDisposable {
  readonly path: string;
  readonly startMs: number;
  readonly recipe: Recipe;
  readonly scratch: Scratch;
  /** Where plugins are started, and sockets are made; short, since a socket's path is. */
  readonly folder: string;
  readonly runId = randomUUID();
  /** Every process that was started, for what must hold of all of them. */
  readonly subjects: Subject[] = [];
  /** Never configured. */
  readonly bare = new SharedPlugin(() => this.connect());
  /** Configured as the recipe says. */
  readonly configured = new SharedPlugin(() => this.connectConfigured());
  readonly #pages: HttpPages;
  readonly #kernels: StandInKernel[] = [];
  #marks = 0;
  #schema: Promise<PluginSchema> | undefined;
  #exchanges: Promise<readonly Exchange[]> | undefined;

  private constructor(options: TrialOptions, scratch: Scratch, pages: HttpPages) {
    this.path = options.path;
    this.startMs = options.startMs;
    this.scratch = scratch;
    this.#pages = pages;
    this.recipe = fillIn(options.recipe, { scratch: scratch.path, http: pages.origin });
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "conf")));
  }

  /** Prepares a run; nothing is started yet. */
  static async prepare(options: TrialOptions): Promise<Trial> {
    const pages = await serveHttpPages(options.recipe.http);
    return new Trial(options, new Scratch(options.recipe.files), pages);
  }

  /** Starts the plugin. The caller disposes it; the run does too, in the end. */
  start(options: StartOptions = {}): Subject {
    const environment = {
      // Sockets and temporary files of plugins that are killed go with the run.
      TMPDIR: this.folder,
      ...this.recipe.environment,
      [RUN_VARIABLE]: this.runId,
      ...options.environment,
    };
    const subject = new Subject(this.path, { ...options, environment }, this.folder);
    this.subjects.push(subject);
    return subject;
  }

  /** A plugin of the check's own to which no call was made yet. The caller disposes it. */
  async connectSilently(mood: KernelMood = "answers", options: StartOptions = {}): Promise<ConnectedPlugin> {
    const config = this.recipe.config ?? {};
    const kernel = await serveStandInKernel(this.folder, `k${this.#kernels.length}`, config, mood);
    this.#kernels.push(kernel);
    const subject = this.start(options);
    try {
      return await ConnectedPlugin.over(subject, kernel, this.startMs);
    } catch (error) {
      await subject[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A connected plugin of the check's own, not configured. The caller disposes it. */
  async connect(mood: KernelMood = "answers", options: StartOptions = {}): Promise<ConnectedPlugin> {
    const plugin = await this.connectSilently(mood, options);
    await plugin.openStreams();
    return plugin;
  }

  /** A connected plugin of the check's own, configured. The caller disposes it. */
  async connectConfigured(
    mood: KernelMood = "answers",
    options: StartOptions = {},
  ): Promise<ConnectedPlugin> {
    const plugin = await this.connect(mood, options);
    const refusal = await plugin.configure(await this.config());
    if (refusal === undefined) return plugin;
    await plugin[Symbol.asyncDispose]();
    throw new Error(`Configure refused the configuration: ${refusal.message}`);
  }

  /** The shared plugins that are running, to see which a check has ended. */
  async running(): Promise<ConnectedPlugin[]> {
    const shared = await Promise.all([this.bare.running(), this.configured.running()]);
    return shared.filter((plugin) => plugin !== undefined);
  }

  /** A value of the run's variable for one plugin alone. */
  mark(): string {
    this.#marks++;
    return `${this.runId}-${this.#marks}`;
  }

  /** The processes of the plugins with this mark. */
  processesMarked(wanted: string): number[] {
    return processesWith(RUN_VARIABLE, (mark) => mark === wanted);
  }

  /** A directory with nothing in it, inside the scratch directory. */
  emptyFolder(): string {
    const path = join(this.scratch.path, "empty-directory");
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
    return path;
  }

  /** The plugin's schema, asked for once. */
  async schema(): Promise<PluginSchema> {
    this.#schema ??= this.#getSchema();
    return await this.#schema;
  }

  /** A plugin that wants to be configured first breaks a rule, but what it says is still worth looking at. */
  async #getSchema(): Promise<PluginSchema> {
    const bare = await this.bare.get();
    try {
      return await bare.getSchema();
    } catch (error) {
      await using plugin = await this.connect();
      if ((await plugin.configure(this.recipe.config ?? {})) !== undefined) throw error;
      return await plugin.getSchema();
    }
  }

  /** The configuration, as the kernel sends it. */
  async config(): Promise<JsonObject> {
    const attributes = (await this.schema()).configSchema?.attributes ?? [];
    return kernelConfig(this.recipe.config ?? guessedConfig(attributes, this.scratch.path), attributes);
  }

  /** One call of every operation that may be called; made once, one after the other. */
  async exchanges(): Promise<readonly Exchange[]> {
    this.#exchanges ??= this.#exchangeAll();
    return await this.#exchanges;
  }

  async #exchangeAll(): Promise<readonly Exchange[]> {
    const { tools } = await this.schema();
    const made: Exchange[] = [];
    for (const callable of callables(tools, this.recipe))
      made.push(await exchange(await this.configured.get(), callable, this.scratch));
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const plugin of await this.running()) await plugin[Symbol.asyncDispose]();
    for (const subject of this.subjects) await subject[Symbol.asyncDispose]();
    if (canFindProcesses)
      for (const pid of processesWith(RUN_VARIABLE, (mark) => mark.startsWith(this.runId))) killNow(pid);
    for (const kernel of this.#kernels) kernel[Symbol.dispose]();
    this.#pages[Symbol.dispose]();
    this.scratch[Symbol.dispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
