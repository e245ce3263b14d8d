// The search plugin: its configuration, and the state its operations share (catalog.md, 'search').
import { type Jail, openJail } from "@pluggableharness/jail";
import { definePlugin, s } from "@pluggableharness/plugin";
import { failuresAsToolErrors } from "./jail-failure.ts";
import { PageMemory } from "./page-memory.ts";

/** The released version; a test compares it with package.json. */
export const VERSION = "0.1.0";

const config = s.object({
  roots: s.array(
    s.string("An existing directory; a relative one starts at the directory of the kernel."),
    "Directories that may be searched, with everything below them.",
  ),
  hide: s.optional(
    s.array(s.string("A glob."), "Globs of what is never listed or searched, with everything below."),
  ),
  respect_ignore: s.default(
    s.boolean("Leave out what .gitignore, .ignore and .rgignore files name, where a call does not say."),
    true,
  ),
  max_results: s.default(s.integer("Results of one page at the most.", { min: 1, max: 100_000 }), 100),
  max_output_bytes: s.default(
    s.integer("Bytes of one page at the most, as JSON.", { min: 1_024, max: 4 * 1024 * 1024 }),
    64 * 1024,
  ),
});

/** What `open` makes of the configuration; shared by all operations, closed with the plugin. */
export interface SearchState extends Disposable {
  readonly jail: Jail;
  readonly pages: PageMemory;
  readonly hidesNames: boolean;
  readonly respectIgnore: boolean;
  readonly maxResults: number;
  readonly maxOutputBytes: number;
}

export const search = definePlugin({
  name: "search",
  version: VERSION,
  source: "github.com/pluggableharness/plugin-tool-search",
  config,
  open: (settings): SearchState => {
    const hide = settings.hide ?? [];
    const jail = failuresAsToolErrors(() => openJail({ roots: settings.roots, hide, readOnly: true }));
    return {
      jail,
      pages: new PageMemory(),
      hidesNames: hide.length > 0,
      respectIgnore: settings.respect_ignore,
      maxResults: settings.max_results,
      maxOutputBytes: settings.max_output_bytes,
      [Symbol.dispose]: () => jail[Symbol.dispose](),
    };
  },
  sessionEnded: ({ pages }, sessionId) => pages.endSession(sessionId),
});
