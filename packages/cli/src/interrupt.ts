// What Ctrl-C and its like do: the first cancels what is under way, so that a plugin is still closed in order and
// temporary folders go; the second ends the command at once.
import { constants } from "node:os";

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal that is aborted by the first SIGINT, SIGTERM or SIGHUP. Called once, by the main module. */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of names) {
    process.on(name, () => {
      // Exit listeners then kill the plugin and remove what is left of it.
      if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return controller.signal;
}
