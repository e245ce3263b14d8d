// A private folder of the plugin for what a command needs as a file: its input, a script too long for an argument,
// pipes, and by default its logs. It goes with the plugin.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file that is removed when disposed. */
export interface HeldFile extends Disposable {
  readonly path: string;
}

export class RunFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "plugin-exec-"));
  /** The part of it that commands may read. */
  readonly files = join(this.path, "files");

  constructor() {
    mkdirSync(this.files, { mode: 0o700 });
  }

  hold(content: string): HeldFile {
    const path = join(this.files, randomUUID());
    writeFileSync(path, content, { mode: 0o600, flag: "wx" });
    return { path, [Symbol.dispose]: () => rmSync(path, { force: true }) };
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
