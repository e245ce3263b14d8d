// The folder the tour plays in: real files of several kinds, made fresh and removed at the end.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("../../..", import.meta.url));

const texts: Readonly<Record<string, string>> = {
  "menu.txt": "Frühstück\r\n  Ei\r\n  Brot\r\nMittag\r\n  Suppe\r\n",
  "notes.md": "# Notes\n\nEverything here is real.\n",
};
const copies = ["packages/plugin/src/handshake.ts", "packages/protocol/src/visible-text.ts"];

/** A scratch folder; disposing removes it. */
export interface TourFiles extends Disposable {
  readonly folder: string;
  /** Bytes of a file as it is now. */
  read(name: string): Buffer;
  /** Bytes of a text file as it was made. */
  original(name: string): Buffer;
}

/** Makes the folder. It is removed too where the command is ended before its time. */
export function makeTourFiles(): TourFiles {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-tour-")));
  const remove = (): void => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  mkdirSync(join(folder, "src"));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  for (const path of copies)
    writeFileSync(join(folder, "src", basename(path)), readFileSync(join(checkout, path)));
  return {
    folder,
    read: (name) => readFileSync(join(folder, name)),
    original: (name) => Buffer.from(texts[name] ?? ""),
    [Symbol.dispose]: remove,
  };
}
