// Looks through commands that only start another one: `sudo nice -n 5 env A=1 rm -rf x` is an rm.
import type { Word } from "./shell-words.ts";

/** Wrappers, with their options that take a value, and how many words of their own come first. */
const WRAPPERS: Readonly<Record<string, { readonly valued: string; readonly own?: number }>> = {
  env: { valued: "uCS" },
  nice: { valued: "n" },
  ionice: { valued: "cnp" },
  timeout: { valued: "ks", own: 1 },
  xargs: { valued: "IinLPsdEa" },
  sudo: { valued: "ugChpRTUDr" },
  doas: { valued: "uC" },
  watch: { valued: "n" },
  setsid: { valued: "" },
  nohup: { valued: "" },
  stdbuf: { valued: "ioe" },
  time: { valued: "fo" },
  command: { valued: "" },
  builtin: { valued: "" },
  exec: { valued: "a" },
  busybox: { valued: "" },
};

/** The command and each one it wraps, outermost first. */
export function unwrapped(words: readonly Word[]): (readonly Word[])[] {
  const layers = [words];
  for (let current = words; ; ) {
    const inner = innerOf(current);
    if (inner === undefined || inner.length === 0) return layers;
    layers.push(inner);
    current = inner;
  }
}

function innerOf([name, ...rest]: readonly Word[]): readonly Word[] | undefined {
  const wrapper = name === undefined ? undefined : WRAPPERS[baseName(name)];
  if (wrapper === undefined) return undefined;
  let at = 0;
  for (; at < rest.length; at++) {
    const word = rest[at];
    if (word === undefined) break;
    if (word === "--") {
      at++;
      break;
    }
    if (/^[A-Za-z_]\w*=/.test(word)) continue;
    if (!word.startsWith("-") || word === "-") break;
    // `-u name`: the value is a word of its own.
    if (word.length === 2 && wrapper.valued.includes(word.slice(1))) at++;
  }
  return rest.slice(at + (wrapper.own ?? 0));
}

/** `/bin/rm` is rm. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
