// What Ctrl-C and its like do: the first cancels what is under way, so that a plugin is still closed in order and
// temporary folders go; the second ends the command at once. A conversation takes Ctrl-C over while it lasts.
import { constants } from "node:os";

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let takenOver: (() => void) | undefined;

/** A signal that is aborted by the first SIGINT, SIGTERM or SIGHUP. Called once, by the main module. */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of names) {
    process.on(name, () => {
      if (name === "SIGINT" && takenOver !== undefined && !controller.signal.aborted) {
        takenOver();
        return;
      }
      // Exit listeners then kill the plugin and remove what is left of it.
      if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return controller.signal;
}

/** From now on SIGINT calls `handler` and nothing else, until the result is disposed of. */
export function takeOverInterrupt(handler: () => void): Disposable {
  takenOver = handler;
  return {
    [Symbol.dispose]: () => {
      takenOver = undefined;
    },
  };
}
