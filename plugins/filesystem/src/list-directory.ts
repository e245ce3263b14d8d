// list_directory: what is in a directory, to a depth, page by page in a stable order (catalog.md,
// 'list_directory').
import {
  type Jail,
  type JailDirectory,
  type JailEntry,
  type PathRequest,
  printableName,
} from "@pluggableharness/jail";
import { s, ToolError, ui } from "@pluggableharness/plugin";
import { requestOf } from "./file-request.ts";
import { asToolError } from "./jail-failure.ts";
import { filesystem } from "./plugin.ts";

/** Entries looked at in one call; a directory with more is listed up to here and says so. */
const MAX_SCANNED = 100_000;

export const listDirectory = filesystem.defineTool({
  name: "list_directory",
  kind: "data_source",
  idempotent: true,
  timeoutMs: 30_000,
  concurrency: { safe: true },
  description:
    "Lists a directory: files, directories, links and where they lead, with sizes and times, in the order of their names. A depth above 1 lists what lies in its directories too; links are not followed.",
  input: s.object({
    path: s.string("The directory, absolute or relative to the working directory; `.` for that itself."),
    depth: s.optional(s.integer("Levels to list; 1 by default", { min: 1, max: 32 })),
    limit: s.optional(s.integer("Entries to return; 200 by default", { min: 1, max: 2_000 })),
    offset: s.optional(s.integer("Entries to pass over, from next_offset of the page before", { min: 0 })),
  }),
  output: s.object({
    operation: s.literal("list_directory"),
    path: s.string("The directory, as it was asked for."),
    entries: s.array(
      s.object({
        name: s.string("Path from the listed directory, with / between names."),
        escaped: s.optional(
          s.boolean("The name holds bytes that cannot be shown; it is escaped and no path."),
        ),
        type: s.string("file, directory, link, fifo, socket, character_device, block_device or unknown."),
        size_bytes: s.optional(s.number("Of a file.")),
        modified: s.optional(s.string("Last change of the content.")),
        link_target: s.optional(
          s.string("The text of a link that stays inside; missing for one that does not."),
        ),
        link_type: s.optional(
          s.string("What a link leads to; `missing` for nothing, `unavailable` for what is outside."),
        ),
      }),
    ),
    total: s.optional(s.number("Entries in all; missing where not all were looked at.")),
    truncated: s.boolean("There are more entries."),
    next_offset: s.optional(s.number("The offset of the next page.")),
    warnings: s.optional(s.array(s.string("One."), "Directories that could not be read.")),
  }),

  preview: ({ path, depth = 1 }) => ui.text(`List ${path}${depth > 1 ? `, ${depth} levels deep` : ""}`),

  async invoke({ path, depth = 1, limit = 200, offset = 0 }, call) {
    const scan = scanDirectory(call.state.jail, requestOf(path, call), depth, call.signal);
    const page: ListedEntry[] = [];
    let seen = 0;
    for await (const entry of scan.entries) {
      if (seen >= offset && page.length < limit) page.push(entry);
      seen++;
    }
    const end = offset + page.length;
    const truncated = end < seen || scan.stopped();
    const warnings = scan.warnings();
    return {
      operation: "list_directory",
      path,
      entries: page,
      ...(!scan.stopped() && { total: seen }),
      truncated,
      ...(end < seen && { next_offset: end }),
      ...(warnings.length > 0 && { warnings }),
    };
  },

  render({ path, entries, truncated, total }) {
    const rows = entries.map(({ name, type, size_bytes, modified, link_target }) => [
      link_target === undefined ? name : `${name} → ${link_target}`,
      type,
      size_bytes === undefined ? "" : String(size_bytes),
      modified ?? "",
    ]);
    const count =
      total === undefined ? `${entries.length} entries shown` : `${entries.length} of ${total} entries`;
    return ui.group(
      ui.text(`${path} (${count}${truncated ? ", there are more" : ""})`, "bold"),
      ui.table(["name", "type", "bytes", "modified"], rows),
    );
  },
});

interface ListedEntry {
  name: string;
  escaped?: boolean;
  type: string;
  size_bytes?: number;
  modified?: string;
  link_target?: string;
  link_type?: string;
}

interface Scan {
  readonly entries: AsyncGenerator<ListedEntry, void>;
  /** The scan ended at its bound. */
  stopped(): boolean;
  warnings(): string[];
}

const MAX_WARNINGS = 20;

/** Entries in the order of their names, each directory before what is in it. */
function scanDirectory(jail: Jail, request: PathRequest, maxDepth: number, signal: AbortSignal): Scan {
  let scanned = 0;
  let stopped = false;
  let unreadable = 0;
  const warnings: string[] = [];

  async function* below(at: PathRequest, prefix: string, depth: number): AsyncGenerator<ListedEntry, void> {
    for (const entry of sortedEntries(at, prefix)) {
      yield listed(entry, prefix);
      if (entry.kind !== "directory" || depth >= maxDepth || stopped) continue;
      const path = `${at.path}/${entry.name}`;
      // Lets cancellation and other calls in: one directory is read without a pause, a tree is not.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      yield* below({ ...at, path }, `${prefix}${entry.name}/`, depth + 1);
    }
  }

  function sortedEntries(at: PathRequest, prefix: string): JailEntry[] {
    try {
      using directory = jail.openDirectory(at);
      return takeEntries(directory).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const failure = asToolError(error);
      if (prefix === "" || !(failure instanceof ToolError)) throw failure;
      unreadable++;
      if (warnings.length < MAX_WARNINGS) warnings.push(failure.message);
      return [];
    }
  }

  function takeEntries(directory: JailDirectory): JailEntry[] {
    const taken: JailEntry[] = [];
    for (const entry of directory.entries()) {
      if (scanned >= MAX_SCANNED) {
        stopped = true;
        break;
      }
      scanned++;
      taken.push(entry);
    }
    return taken;
  }

  return {
    entries: below(request, "", 1),
    stopped: () => stopped,
    warnings: () => {
      const more = unreadable - warnings.length;
      const bound = stopped
        ? [`only the first ${MAX_SCANNED} entries were looked at; list a smaller directory or depth`]
        : [];
      return [...warnings, ...(more > 0 ? [`${more} more directories could not be read`] : []), ...bound];
    },
  };
}

function listed({ name, kind, stat, link }: JailEntry, prefix: string): ListedEntry {
  const path = `${prefix}${name}`;
  const shown = printableName(path);
  // A backslash is doubled by printableName only so that escapes stay unique; alone it is an ordinary name.
  const isPlain = shown === path || shown === path.replaceAll("\\", "\\\\");
  return {
    name: isPlain ? path : shown,
    ...(!isPlain && { escaped: true }),
    type: kind,
    ...(kind === "file" && stat !== undefined && { size_bytes: stat.sizeBytes }),
    ...(stat !== undefined && { modified: new Date(stat.modifiedMs).toISOString() }),
    ...linkFacts(link),
  };
}

function linkFacts(link: JailEntry["link"]): Pick<ListedEntry, "link_target" | "link_type"> {
  if (link === undefined) return {};
  if (link.leads === "unavailable") return { link_type: "unavailable" };
  const link_target = printableName(link.text);
  return { link_target, link_type: link.leads === "nowhere" ? "missing" : link.kind };
}
