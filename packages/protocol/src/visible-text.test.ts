import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  it.each([
    ["a terminal escape", "\u001b[31mred", "␛[31mred"],
    ["a carriage return", "good\rbad", "good␍bad"],
    ["NUL and DEL", "\u0000\u007f", "␀␡"],
    ["a C1 control", "\u009b31m", "⟨U+009B⟩31m"],
    ["a right-to-left override", "a\u202eb", "a⟨U+202E⟩b"],
    ["a zero-width space", "a\u200bb", "a⟨U+200B⟩b"],
    ["hidden tag characters", "a\u{e0041}", "a⟨U+E0041⟩"],
    ["a line separator", "a\u2028b", "a⟨U+2028⟩b"],
  ])("makes %s visible", (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(["tab\tand\nnewline", "Zoë, 日本語, emoji 👩‍👩", "␛ already a picture", ""])("keeps %j", (text) => {
    const joinersShown = text.replaceAll("\u200d", "⟨U+200D⟩");
    expect(visibleText(text)).toBe(joinersShown);
  });

  it("leaves nothing a terminal would act on, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});
