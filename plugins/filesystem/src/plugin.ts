// The filesystem plugin: its configuration, and the state its operations share (catalog.md, 'filesystem').
import { type Jail, openJail } from "@pluggableharness/jail";
import { definePlugin, s } from "@pluggableharness/plugin";
import { failuresAsToolErrors } from "./jail-failure.ts";
import { KnownFiles } from "./known-files.ts";
import { UndoJournal } from "./undo-journal.ts";

/** The released version; a test compares it with package.json. */
export const VERSION = "0.1.0";

const config = s.object({
  roots: s.array(
    s.string("An existing directory; a relative one starts at the directory of the kernel."),
    "Directories the plugin may touch, with everything below them.",
  ),
  read_only: s.optional(s.boolean("Refuse every change.")),
  protect: s.default(
    s.array(
      s.string("A glob."),
      "Globs of what may be read but not written, with everything below; without a slash at any depth.",
    ),
    [".git"],
  ),
  hide: s.optional(
    s.array(
      s.string("A glob."),
      "Globs of what may be neither read nor written nor listed, with everything below.",
    ),
  ),
  require_read_before_write: s.default(
    s.boolean("Refuse to overwrite a file that was not read in this session, or that has changed since."),
    true,
  ),
  max_read_bytes: s.default(
    s.integer("Bytes of text that one read_file returns at the most.", { min: 1_024 }),
    256 * 1024,
  ),
  max_file_bytes: s.default(
    s.integer("Size in bytes up to which a file can be written and edited.", {
      min: 1,
      max: 512 * 1024 * 1024,
    }),
    64 * 1024 * 1024,
  ),
  undo_depth: s.default(s.integer("Changes of one path that can be undone.", { min: 0 }), 20),
});

/** What `open` makes of the configuration; shared by all operations, closed with the plugin. */
export interface FilesystemState extends Disposable {
  readonly jail: Jail;
  readonly knownFiles: KnownFiles;
  readonly undoJournal: UndoJournal;
  readonly requireReadBeforeWrite: boolean;
  readonly maxReadBytes: number;
  readonly maxFileBytes: number;
}

export const filesystem = definePlugin({
  name: "filesystem",
  version: VERSION,
  source: "github.com/pluggableharness/plugin-tool-filesystem",
  config,
  open: (settings): FilesystemState => {
    const jail = failuresAsToolErrors(() =>
      openJail({
        roots: settings.roots,
        protect: settings.protect,
        hide: settings.hide ?? [],
        readOnly: settings.read_only ?? false,
      }),
    );
    return {
      jail,
      knownFiles: new KnownFiles(),
      undoJournal: new UndoJournal(settings.undo_depth),
      requireReadBeforeWrite: settings.require_read_before_write,
      maxReadBytes: settings.max_read_bytes,
      maxFileBytes: settings.max_file_bytes,
      [Symbol.dispose]: () => jail[Symbol.dispose](),
    };
  },
  sessionEnded: ({ knownFiles, undoJournal }, sessionId) => {
    knownFiles.endSession(sessionId);
    undoJournal.endSession(sessionId);
  },
});
