import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultLimits, defaultOptions, extract } from "../../src/extract/extract.ts";

const example = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url));

test("the example on the home page is what the engine says of its document", async () => {
  const schema = JSON.parse(example("invoice.schema.json").toString());
  const shown = JSON.parse(example("invoice.json").toString());
  const request = {
    bytes: example("invoice.pdf"),
    name: "invoice.pdf",
    contentType: null,
    url: null,
    options: defaultOptions,
    schema,
    limits: defaultLimits,
  };
  const { source, data, evidence, usage } = await extract(request);
  expect(JSON.parse(JSON.stringify({ source, data, evidence, usage }))).toEqual(shown);
});
