import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

const never = new AbortController().signal;

it("lets so many in at a time, in the order in which they came", async () => {
  const turns = new Turns(2);
  const order: number[] = [];
  let [inside, most] = [0, 0];
  const work = (number: number) => async () => {
    order.push(number);
    most = Math.max(most, ++inside);
    await new Promise(setImmediate);
    inside--;
    if (number === 1) throw new Error("one");
  };
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => turns.run(work(number), never)));
  expect(all.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect([order, most]).toEqual([[0, 1, 2, 3, 4], 2]);
});

it("forgets who leaves the line, and turns away who comes too late", async () => {
  const turns = new Turns(1);
  let finish = (): void => {};
  const first = turns.run(() => new Promise<void>((resolve) => (finish = resolve)), never);
  const abort = new AbortController();
  const second = turns.run(() => Promise.reject(new Error("must not run")), abort.signal);
  const third = turns.run(() => Promise.resolve("third"), never);
  abort.abort(new Error("left"));
  await expect(second).rejects.toThrow("left");
  await expect(turns.run(() => Promise.resolve(), abort.signal)).rejects.toThrow("left");
  finish();
  expect([await first, await third]).toEqual([undefined, "third"]);
});
