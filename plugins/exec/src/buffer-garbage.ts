// Frees the buffers of output that has been sent. They lie outside of the heap that V8 watches: a gigabyte of them is
// a few hundred small objects to it, and by itself it lets hundreds of megabytes pile up before it looks. A look at
// the young objects alone takes less than a millisecond.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const LOOK_EVERY_BYTES = 8 * 1024 * 1024;

type Collect = (options: { readonly type: "minor" }) => void;

let collect: Collect | undefined;
let since = 0;

/** Told of each new buffer. */
export function bufferUsed(bytes: number): void {
  since += bytes;
  if (since < LOOK_EVERY_BYTES) return;
  since = 0;
  collect ??= collector();
  collect({ type: "minor" });
}

function collector(): Collect {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  // V8's own function, which takes these options; without it memory is only less tidy.
  return typeof found === "function" ? (found as Collect) : () => {};
}
