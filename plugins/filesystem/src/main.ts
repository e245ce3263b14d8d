// The executable: serves the operations of the filesystem plugin.
import { serve } from "@pluggableharness/plugin";
import { editFile } from "./edit-file.ts";
import { listDirectory } from "./list-directory.ts";
import { multiEdit } from "./multi-edit.ts";
import { filesystem } from "./plugin.ts";
import { readFile } from "./read-file.ts";
import { undoEdit } from "./undo-edit.ts";
import { writeFile } from "./write-file.ts";

serve(filesystem, [readFile, listDirectory, writeFile, editFile, multiEdit, undoEdit]);
