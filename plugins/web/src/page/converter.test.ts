// The owner of the thread: limits of time and memory, cancellation, the queue, the end.
import { afterEach, beforeEach, expect, it } from "vitest";
import { pdf } from "../testing/pdf.ts";
import type { ConvertJob } from "./convert-job.ts";
import { Converter } from "./converter.ts";

const never = new AbortController().signal;
const PATIENT_MS = 30_000;
let converter: Converter;

beforeEach(() => {
  converter = new Converter();
});
afterEach(async () => {
  await converter[Symbol.asyncDispose]();
});

function job(html: string, more: Partial<ConvertJob> = {}): ConvertJob {
  const bytes = new Uint8Array(Buffer.from(html));
  return {
    bytes,
    kind: "html",
    charset: undefined,
    url: "http://x.test/",
    format: "markdown",
    isLastResort: false,
    ...more,
  };
}

const heavy = (): ConvertJob =>
  job(`<article>${"<p>Some words, and <a href='/x'>a link</a>.</p>".repeat(12_000)}</article>`);
const text = (outcome: Awaited<ReturnType<Converter["convert"]>>): string =>
  outcome.kind === "page" ? outcome.page.text : `${outcome.kind}: ${outcome.reason}`;

it("ends a job at its time, and does the next in a new thread", async () => {
  expect(await converter.convert(heavy(), 1, never)).toEqual({ kind: "too_much", reason: "time" });
  expect(text(await converter.convert(job("<p>next</p>"), PATIENT_MS, never))).toBe("next");
});

it("ends a job that is cancelled, at once, also where it still waits", async () => {
  const aborts = [new AbortController(), new AbortController()];
  const jobs = aborts.map(({ signal }) => converter.convert(heavy(), PATIENT_MS, signal));
  const last = converter.convert(job("<p>last</p>"), PATIENT_MS, never);
  aborts[1]?.abort(new Error("second"));
  await expect(jobs[1]).rejects.toThrow("second");
  aborts[0]?.abort(new Error("first"));
  await expect(jobs[0]).rejects.toThrow("first");
  expect(text(await last)).toBe("last");
});

it("ends with the plugin, and leaves no job waiting", async () => {
  const running = converter.convert(heavy(), PATIENT_MS, never);
  await converter[Symbol.asyncDispose]();
  expect(text(await running)).toMatch(/^invalid: its thread was ended|^Some words/);
});

it("does the job of a thousand in a row in one thread", async () => {
  for (let at = 0; at < 1_000; at++) {
    expect(text(await converter.convert(job(`<p>${at}</p>`), PATIENT_MS, never))).toBe(String(at));
  }
});

it("tells what a damaged body is, and goes on", async () => {
  const broken = job("%PDF-1.4 nothing", { kind: "pdf" });
  expect(await converter.convert(broken, PATIENT_MS, never)).toMatchObject({ kind: "invalid" });
  const whole = job("", { kind: "pdf", bytes: new Uint8Array(pdf(["words"])) });
  expect(text(await converter.convert(whole, PATIENT_MS, never))).toBe("[page 1 of 1]\nwords");
});
