// Schema and document in, data and evidence out. Every non-null leaf has evidence whose text stands in the document.

import type { NumberedDocument, Warning } from "../document.ts";
import { calibrate } from "./confidence.ts";
import { type Alternative, type Evidence, missing } from "./evidence.ts";
import { type Finder, makeFinder } from "./finder.ts";
import { nameWords } from "./fold.ts";
import type { Label } from "./labels.ts";
import { listItems } from "./lists.ts";
import { type Place, planLeaf, type Want } from "./plan.ts";
import { repairText } from "./repair.ts";
import { type ArrayField, accepts, escapePointer, type Field, type FieldSchema, type ValueField } from "./schema.ts";
import { type Candidate, placesOf } from "./spans.ts";
import { textReaders } from "./texts.ts";
import { reviewTotals } from "./totals.ts";
import { isTyped, typedCandidates } from "./typed.ts";

export interface FieldsRequest {
  schema: FieldSchema;
  document: NumberedDocument;
}

export interface FieldsResult {
  data: unknown;
  evidence: Record<string, Evidence>;
  warnings: Warning[];
}

/** Candidates this close to the best are told as alternatives; at most so many. */
const MAX_ALTERNATIVES = 5;
/** Below this a value is a guess: the leaf stays null. */
const MIN_SCORE = 0.3;
/** Stands for the index of an item in a pointer; no escaped key can be this. */
const ITEM = "~*";
/** Two values this close are equally good. */
const TIE = 0.02;

export function findFields(request: FieldsRequest): FieldsResult {
  const wants = new Map<string, Want>();
  const lists: { phrase: string; label: Label }[] = [];
  plan(request.schema, "", { path: [], listed: false }, "", wants, lists);
  const phrases = [...wants.values()].flatMap((want) => [
    ...want.phrases,
    ...(want.field.choices ?? []).map((choice) => ({
      phrase: String(choice).replaceAll("_", " ").slice(0, 100),
      label: { id: `choice:${want.id}`, weight: 0 },
    })),
  ]);
  const finder = makeFinder(request.document, [...phrases, ...lists]);
  const evidence: Record<string, Evidence> = {};
  const found = new Map<string, Candidate[]>();
  for (const [pointer, want] of wants)
    if (!pointer.includes(`/${ITEM}`)) found.set(pointer, candidatesOf(want, finder));
  reviewTotals(wants, found, finder);
  const data = build(request.schema, "", "", { wants, found, finder, evidence });
  return { data, evidence, warnings: [] };
}

interface Building {
  wants: Map<string, Want>;
  found: Map<string, Candidate[]>;
  finder: Finder;
  evidence: Record<string, Evidence>;
}

/** Leaves by pointer; the items of an array have ITEM for their index. */
function plan(
  field: Field,
  pointer: string,
  place: Place,
  name: string,
  wants: Map<string, Want>,
  lists: { phrase: string; label: Label }[],
): void {
  if (field.type === "object") {
    const path = name ? [...place.path, name] : place.path;
    for (const property of field.properties)
      plan(
        property.field,
        `${pointer}/${escapePointer(property.name)}`,
        { ...place, path },
        property.name,
        wants,
        lists,
      );
  } else if (field.type === "array") {
    const pattern = `${pointer}/${ITEM}`;
    const words = [nameWords(name), field.title ?? "", ...field.labels].filter((phrase) => phrase.length > 2);
    for (const phrase of words) lists.push({ phrase, label: { id: `list:${pattern}`, weight: 1 } });
    plan(field.items, pattern, { path: place.path, listed: field.items.type === "object" }, name, wants, lists);
  } else wants.set(pointer, planLeaf(field, name, place, `field:${wants.size}`));
}

export function candidatesOf(want: Want, finder: Finder): Candidate[] {
  const reader = textReaders[want.reads];
  const all = [...(isTyped(want) ? typedCandidates(want, finder) : []), ...(reader ? reader(want, finder) : [])];
  return rank(repairable.has(want.reads) ? all.map((candidate) => repaired(candidate, finder)) : all, want.field);
}

/** What is made of words; numbers, codes and addresses on the net have readers that know their form. */
const repairable = new Set<Want["reads"]>(["company", "address", "person", "name", "line", "title", "section"]);

function repaired(candidate: Candidate, finder: Finder): Candidate {
  const scanned = candidate.spans.every((span) => finder.values.ocrPages.has(span.source.page));
  return scanned && typeof candidate.value === "string"
    ? { ...candidate, value: repairText(candidate.value) }
    : candidate;
}

/** Best first, one per value; only values the schema takes. */
function rank(all: Candidate[], field: ValueField): Candidate[] {
  const byValue = new Map<unknown, Candidate>();
  for (const candidate of all) {
    if (candidate.value === null || !candidate.spans.length || !accepts(field, candidate.value)) continue;
    const old = byValue.get(candidate.value);
    if (!old) byValue.set(candidate.value, candidate);
    else {
      // Said twice is surer than said once
      const best = old.score >= candidate.score ? old : candidate;
      byValue.set(candidate.value, { ...best, score: Math.min(1, best.score + 0.02) });
    }
  }
  return [...byValue.values()].sort((a, b) => b.score - a.score);
}

function build(field: Field, pointer: string, pattern: string, building: Building): unknown {
  if (field.type === "object") {
    return Object.fromEntries(
      field.properties.map(({ name, field: inner }) => {
        const key = `/${escapePointer(name)}`;
        return [name, build(inner, pointer + key, pattern + key, building)];
      }),
    );
  }
  if (field.type === "array") return buildList(field, pointer, pattern, building);
  const want = building.wants.get(pattern);
  return want ? settle(building, pointer, want, building.found.get(pattern) ?? []) : null;
}

function buildList(field: ArrayField, pointer: string, pattern: string, building: Building): unknown {
  const { wants, finder, evidence } = building;
  const items = listItems({ field, name: lastKey(pointer), pattern: `${pattern}/${ITEM}`, wants, finder });
  const max = Math.min(field.maxItems, items.length);
  if (max === 0 || max < field.minItems) {
    evidence[pointer] = missing();
    return null;
  }
  const seen = new Set<string>();
  const out: unknown[] = [];
  for (const item of items) {
    if (out.length >= max) break;
    const before = { ...building, evidence: {} as Record<string, Evidence> };
    const value = buildItem(field.items, `${pointer}/${out.length}`, `${pattern}/${ITEM}`, item, before);
    const key = JSON.stringify(value);
    if (isEmpty(value) || (field.uniqueItems && seen.has(key))) continue;
    seen.add(key);
    out.push(value);
    Object.assign(evidence, before.evidence);
  }
  if (out.length && out.length >= field.minItems) return out;
  for (const key of Object.keys(evidence)) if (key.startsWith(`${pointer}/`)) delete evidence[key];
  evidence[pointer] = missing();
  return null;
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).every(isEmpty));

function buildItem(
  field: Field,
  pointer: string,
  pattern: string,
  item: Map<string, Candidate[]>,
  building: Building,
): unknown {
  if (field.type === "object") {
    return Object.fromEntries(
      field.properties.map(({ name, field: inner }) => {
        const key = `/${escapePointer(name)}`;
        return [name, buildItem(inner, pointer + key, pattern + key, item, building)];
      }),
    );
  }
  if (field.type === "array") {
    building.evidence[pointer] = missing();
    return null;
  }
  const want = building.wants.get(pattern);
  return want ? settle(building, pointer, want, rank(item.get(pattern) ?? [], want.field)) : null;
}

/** The value of a leaf from its candidates, and the evidence for it. */
function settle(building: Building, pointer: string, want: Want, candidates: Candidate[]): unknown {
  const [best, second] = candidates;
  if (!best || best.score < MIN_SCORE) {
    building.evidence[pointer] = {
      ...missing(),
      alternatives: best ? alternatives(building.finder, want, candidates) : [],
    };
    return null;
  }
  const { place, parts } = placesOf(best.spans, building.finder.view);
  const tied = second !== undefined && best.score - second.score < TIE;
  building.evidence[pointer] = {
    state: tied ? "ambiguous" : "found",
    confidence: calibrate(want, best, second, building.finder),
    ...place,
    alternatives: alternatives(building.finder, want, candidates.slice(1)),
    ...(parts.length > 1 ? { parts } : {}),
  };
  return best.value;
}

function alternatives(finder: Finder, want: Want, candidates: Candidate[]): Alternative[] {
  return candidates
    .filter((candidate) => candidate.score >= 0.15)
    .slice(0, MAX_ALTERNATIVES)
    .map((candidate) => ({
      value: candidate.value,
      confidence: calibrate(want, candidate, undefined, finder) / 2,
      ...placesOf(candidate.spans, finder.view).place,
    }));
}

const lastKey = (pointer: string): string =>
  (pointer.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
