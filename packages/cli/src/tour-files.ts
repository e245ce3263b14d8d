// The folder the tour plays in: real files of several kinds, made fresh and removed at the end.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("../../..", import.meta.url));

/** A scratch folder; disposing removes it. */
export interface TourFiles extends Disposable {
  readonly folder: string;
  /** Bytes of a file. */
  read(name: string): Buffer;
}

/** Makes the folder. */
export function makeTourFiles(): TourFiles {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-tour-")));
  mkdirSync(join(folder, "src"));
  writeFileSync(
    join(folder, "src", "handshake.ts"),
    readFileSync(join(checkout, "packages/plugin/src/handshake.ts")),
  );
  writeFileSync(join(folder, "menu.txt"), "Frühstück\r\n  Ei\r\n  Brot\r\nMittag\r\n  Suppe\r\n");
  writeFileSync(join(folder, "notes.md"), "# Notes\n\nEverything here is real.\n");
  return {
    folder,
    read: (name) => readFileSync(join(folder, name)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
