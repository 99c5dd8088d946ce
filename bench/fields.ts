// How long finding fields takes: 10, 100 and 400 properties on documents of 1, 10 and 100 pages.
// usage: node bench/fields.ts
// Growth should be near linear in pages, and far below linear in properties: the document is indexed once.

import type { Element, NumberedDocument, Word } from "../src/extract/document.ts";
import { findFields } from "../src/extract/fields/fields.ts";
import { parseSchema } from "../src/extract/fields/schema.ts";

const ROWS_PER_PAGE = 50;
const ROUNDS = 5;
const nouns =
  "order policy meter vehicle parcel sample claim lease tariff module account shipment patient permit batch contract engine member project branch".split(
    " ",
  );
const traits =
  "number date amount name code status weight total reference owner type rate origin period class limit balance unit location grade".split(
    " ",
  );

function line(page: number, row: number): string {
  const noun = nouns[(page * 7 + row) % nouns.length]!;
  const trait = traits[(page * 3 + row * 5) % traits.length]!;
  const kinds = [
    `${noun} ${trait}: AB-${page}${row}`,
    `${noun} ${trait} ${row}.${10 + row} EUR`,
    `Date ${1 + (row % 28)}.0${1 + (page % 9)}.2024 ${noun}`,
    `The ${noun} was moved to the ${trait} without further notice by the parties.`,
  ];
  return kinds[row % kinds.length]!;
}

function makeDocument(pages: number): NumberedDocument {
  const elements: Element[] = [];
  for (let page = 1; page <= pages; page++) {
    for (let row = 0; row < ROWS_PER_PAGE; row++) {
      const text = line(page, row);
      const y = 40 + row * 15;
      const words: Word[] = [...text.matchAll(/\S+/g)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
        bbox: [50 + match.index * 5, y, 50 + (match.index + match[0].length) * 5, y + 10],
      }));
      elements.push({
        id: `e${elements.length + 1}`,
        type: "paragraph",
        text,
        page,
        bbox: [50, y, 50 + text.length * 5, y + 10],
        words,
      });
    }
  }
  return {
    title: null, authors: [], language: null, published_at: null, metadata: {}, page_count: pages, elements, tables: [],
    pages: Array.from({ length: pages }, (_, i) => ({ number: i + 1, width: 600, height: 840, unit: "pt" as const, rotation: 0 as const, ocr: false })),
  }; // biome-ignore format: one line
}

function makeSchema(properties: number): unknown {
  const types = [
    { type: "string" },
    { type: "number" },
    { type: "string", format: "date" },
    { type: "string", pattern: "^[A-Z]{2}-\\d+$" },
  ];
  return {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: properties }, (_, i) => [
        `${nouns[i % nouns.length]}_${traits[Math.floor(i / nouns.length) % traits.length]}`,
        types[i % types.length],
      ]),
    ),
  };
}

// The lexicon is built and the code compiled on the first call; a service pays that once
findFields({ schema: parseSchema(makeSchema(100)), document: makeDocument(20) });

const sizes = { pages: [1, 10, 100], properties: [10, 100, 400] };
console.log(`median of ${ROUNDS} runs, milliseconds of processor time`);
console.log(["properties", ...sizes.pages.map((pages) => `${pages} page${pages > 1 ? "s" : ""}`)].join("\t"));
for (const properties of sizes.properties) {
  const schema = parseSchema(makeSchema(properties));
  const row = sizes.pages.map((pages) => {
    const document = makeDocument(pages);
    const times = Array.from({ length: ROUNDS }, () => {
      const started = process.cpuUsage();
      findFields({ schema, document });
      const { user, system } = process.cpuUsage(started);
      return (user + system) / 1_000;
    });
    return times.sort((a, b) => a - b)[ROUNDS >> 1]!.toFixed(1);
  });
  console.log([properties, ...row].join("\t"));
}
