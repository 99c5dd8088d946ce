import { expect, test } from "vitest";
import type { ChildEnd } from "../../src/extractions/sandbox-process.ts";
import type { FaultMessage } from "../../src/extractions/sandbox-protocol.ts";
import { isResult, judge, toFault, toProgress } from "../../src/extractions/sandbox-verdict.ts";

const allowance = { deadlineMs: 1000, memoryBytes: 1000 };
const end = (facts: Partial<ChildEnd>): ChildEnd => ({ code: null, signal: null, output: "", ...facts });

test.each([
  ["V8", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace"],
  ["C++", "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc"],
  ["Rust", "memory allocation of 68719476736 bytes failed"],
])("an abort with the last words of %s is out of memory", (_who, output) => {
  expect(judge(end({ signal: "SIGABRT", output }), 10, allowance)).toBe("extraction_out_of_memory");
});

test("an abort without such words is a crash", () => {
  const output = "Assertion failed: (size > 0), function read";
  expect(judge(end({ signal: "SIGABRT", output }), 900, allowance)).toBe("extraction_crashed");
});

test("a kill from outside is the kernel's where the child was large, else a crash", () => {
  expect(judge(end({ signal: "SIGKILL" }), 501, allowance)).toBe("extraction_out_of_memory");
  expect(judge(end({ signal: "SIGKILL" }), 500, allowance)).toBe("extraction_crashed");
});

test("an exit is a crash, however large the child was", () => {
  expect(judge(end({ code: 0 }), 900, allowance)).toBe("extraction_crashed");
});

test("a code that is not in the table of errors is a crash", () => {
  const message = { type: "fault", code: "toString", detail: "x", keptBytes: 0 } as unknown as FaultMessage;
  expect(toFault(message)).toMatchObject({ code: "extraction_crashed" });
});

test("a result must be bytes and the facts about them", () => {
  const result = { json: Buffer.from("{}"), kind: "pdf", mimeType: "application/pdf", pages: 1, warnings: [] };
  expect(isResult(result)).toBe(true);
  const wrong = [{ json: "{}" }, { pages: -1 }, { pages: "1" }, { kind: null }, { warnings: null }] as object[];
  for (const change of wrong) expect(isResult({ ...result, ...change })).toBe(false);
});

test("progress is a short text and two numbers", () => {
  expect(toProgress({ stage: "x".repeat(5000), done: 1, total: 2 })).toEqual({
    stage: "x".repeat(100),
    done: 1,
    total: 2,
  });
});
