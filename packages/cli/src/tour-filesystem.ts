// The filesystem plugin's chapter of the tour: look, read, edit, fail usefully, be refused, undo.
import type { Chapter } from "./tour-chapter.ts";
import type { TourFiles } from "./tour-files.ts";

const MENU = "menu.txt";
const edited = (files: TourFiles): Buffer =>
  Buffer.from(files.original(MENU).toString().replace("  Brot", "  Käse\r\n  Brot"));

export const filesystemChapter: Chapter = {
  plugin: "filesystem",
  config: ({ folder }) => ({ roots: [folder] }),
  steps: [
    { title: "List a directory", operation: "list_directory", args: { path: ".", depth: 2 } },
    {
      title: "Read a page of a file",
      operation: "read_file",
      args: { path: "src/handshake.ts", offset: 1, limit: 8 },
    },
    {
      title: "Edit a file with CRLF line endings: a person approves the diff, then it happens",
      operation: "edit_file",
      args: { path: MENU, old_string: "  Ei\n  Brot", new_string: "  Ei\n  Käse\n  Brot" },
      holds: {
        words: "the new line has CRLF like its neighbours, and nothing else changed",
        check: (files) => files.read(MENU).equals(edited(files)),
      },
    },
    {
      title: "A path out of the folder is refused, whether it exists or not",
      operation: "read_file",
      args: { path: "../outside.txt" },
      failsWith: "permission_denied",
    },
    {
      title: "An edit that does not match says what differs, and changes nothing",
      operation: "edit_file",
      args: { path: MENU, old_string: "    Suppe", new_string: "    Salat" },
      failsWith: "not_found",
      holds: {
        words: "the file is as it was before this step",
        check: (files) => files.read(MENU).equals(edited(files)),
      },
    },
    {
      title: "Take the edit back",
      operation: "undo_edit",
      args: { path: MENU },
      holds: {
        words: "the file is what it was at the start, to the byte",
        check: (files) => files.read(MENU).equals(files.original(MENU)),
      },
    },
  ],
};
