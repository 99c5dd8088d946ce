import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, PatternError } from "../../../src/extract/fields/pattern.ts";

const patterns = [
  "^[A-Z]{2}\\d{3,5}$",
  "a|bc",
  "(?:ab)*c",
  "^\\S+@\\S+$",
  "\\bno\\b",
  "[^\\d\\s]+",
  "x{0}y",
  "^(a|b)?c$",
  "\\u0041\\x42",
  "^$",
  "[a-c-]+",
  "\\$\\d+\\.\\d\\d",
  "(?<year>\\d{4})-\\d\\d",
  "\\p{Lu}+",
  "a.c",
  "(a*)*b",
  "(?:a{2,3}){1,2}",
  "[\\]\\-]",
];

describe("compilePattern", () => {
  it.each(patterns)("%s matches what JavaScript's own engine matches", (source) => {
    const own = new RegExp(source, "u");
    const ours = compilePattern(source);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 12 }),
          fc.string({ unit: fc.constantFrom(..."abcxyABC 01.-@$n\no"), maxLength: 10 }),
        ),
        (text) => {
          expect(ours.test(text)).toBe(own.test(text));
          expect(ours.find(text)?.[0]).toBe(own.exec(text)?.index);
        },
      ),
      { numRuns: 150, seed: 7 },
    );
  });

  it("finds the longest match that starts earliest", () => {
    expect(compilePattern("\\d+").find("ab 1234 5")).toEqual([3, 7]);
    expect(compilePattern("x").find("abc")).toBeNull();
    expect(compilePattern("b+").find("😀bb")).toEqual([2, 4]);
  });

  it("takes time in step with the text, whatever the pattern", () => {
    // Exponential for an engine that goes back: 2^2000 ways to part the letters
    expect(compilePattern("^(a+)+$").test(`${"a".repeat(2_000)}!`)).toBe(false);
    expect(compilePattern("(.*a){12}").test("b".repeat(2_000))).toBe(false);
  });

  it.each([
    "(a",
    "a)",
    "[a",
    "*a",
    "a**",
    "(?=a)",
    "(?<=a)b",
    "(a)\\1",
    "\\",
    "[b-a]",
    "a{3,1}",
    "(?:a{900}){900}",
    "\\p{Nope}",
    "a".repeat(600),
    "(".repeat(60),
  ])("refuses %.20s", (source) => {
    expect(() => compilePattern(source)).toThrow(PatternError);
  });
});
