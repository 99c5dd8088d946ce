// What each leaf of the schema asks for: its concept, how its value is read, and the phrases the document may use for it.

import { fold, nameWords } from "./fold.ts";
import { buildTable, findPhrases, type Label } from "./labels.ts";
import { type ConceptId, conceptById, concepts, type Reads } from "./lexicon.ts";
import type { Field, ValueField } from "./schema.ts";

export type Role = "vendor" | "customer" | "ship" | null;

export interface Want {
  /** Labels of the caller's own phrases carry this id. */
  id: string;
  name: string;
  field: ValueField;
  concept: ConceptId | null;
  reads: Reads | "choice" | "boolean" | "pattern" | "nothing";
  role: Role;
  phrases: { phrase: string; folded: string; label: Label }[];
}

/** Where a leaf stands: the names above it, and whether it is a column of a list. */
export interface Place {
  path: string[];
  listed: boolean;
}

const roleWords: [Role, string[]][] = [
  ["ship", ["ship to", "shipping", "delivery", "deliver to", "consignee", "ship"]],
  ["customer", ["customer", "client", "buyer", "bill to", "billing", "billed to", "purchaser", "recipient", "tenant", "payer", "sold to", "receiver", "lessee", "addressee", "debtor"]],
  ["vendor", ["vendor", "seller", "supplier", "merchant", "issuer", "biller", "shop", "store", "from", "sender", "provider", "company", "landlord", "lessor", "payee", "retailer", "creditor"]],
]; // biome-ignore format: a table

/** Concepts that only mean something as a column of a list, and those that never are one. */
const columnsOnly = new Set<ConceptId>([
  "line_amount",
  "line_number",
  "unit",
  "description",
  "item_code",
  "employer",
  "position",
  "institution",
  "degree",
]);
const listedFirst: ConceptId[] = [
  "description", "quantity", "unit", "unit_price", "line_amount", "tax_rate", "item_code", "line_number", "discount", "tax", "debit", "credit", "balance",
  "position", "employer", "institution", "degree", "period_start", "period_end",
]; // biome-ignore format: a list of words
const labelsOnly = new Set<ConceptId>(["incl", "excl", "tax_summary"]);

/** Words too common to name a field by themselves. */
const vague = new Set(
  "name value type id number no code status date amount total description title text key item note notes comment unit price reference level state".split(
    " ",
  ),
);

const byName = new Map<string, ConceptId[]>();
for (const { id, names, strong, weak } of concepts) {
  if (labelsOnly.has(id)) continue;
  for (const phrase of [id.replaceAll("_", " "), ...names, ...strong, ...weak]) {
    const key = fold(phrase);
    const list = byName.get(key) ?? [];
    if (!list.includes(id)) list.push(id);
    byName.set(key, list);
  }
}
const nameTable = buildTable(
  concepts
    .filter(({ id }) => !labelsOnly.has(id))
    .flatMap(({ id, names, strong, weak }) =>
      [...names, id.replaceAll("_", " "), ...strong, ...weak].map((phrase) => ({ phrase, label: { id, weight: 1 } })),
    ),
);

const formats: Record<string, Reads> = {
  date: "date", "date-time": "date", time: "time", email: "email", "idn-email": "email", uri: "url", url: "url", "uri-reference": "url", iri: "url", hostname: "url",
  phone: "phone", tel: "phone", iban: "iban", bic: "bic", vat: "vat", currency: "currency", address: "address",
}; // biome-ignore format: a table

const numeric = new Set<Reads>(["amount", "number", "count", "percent"]);

export function planLeaf(field: ValueField, name: string, place: Place, id: string): Want {
  const words = nameWords(name);
  const parent = nameWords(place.path.at(-1) ?? "");
  const concept = resolve(field, words, parent, place);
  const role = roleOf(words, place.path) ?? describedRole(field.description);
  return {
    id,
    name,
    field,
    concept,
    role,
    reads: readsOf(field, concept),
    phrases: ownPhrases(field, words, parent, id, concept),
  };
}

function resolve(field: ValueField, words: string, parent: string, place: Place): ConceptId | null {
  const fits = (id: ConceptId): boolean => {
    if (!place.listed && columnsOnly.has(id)) return false;
    const reads = conceptById.get(id)!.reads;
    if (field.type === "boolean") return false;
    if (field.type === "number" || field.type === "integer") return numeric.has(reads);
    const format = field.format ? formats[field.format] : undefined;
    if (format) return reads === format || (format === "date" && reads === "date");
    // A string may hold any of them as written, except that a count or a percentage is rarely asked for as text
    return true;
  };
  const choose = (ids: ConceptId[] | undefined): ConceptId | null => {
    const usable = (ids ?? []).filter(fits);
    const same = usable.find((id) => id.replaceAll("_", " ") === words);
    if (same) return same;
    if (place.listed) {
      const listed = listedFirst.find((id) => usable.includes(id));
      if (listed) return listed;
    }
    return usable[0] ?? null;
  };
  const bare = words.replace(/^(?:the|a|my|our|doc|document) /, "");
  const role = roleOf(words, place.path);
  if (role && /^(?:full |company |legal |business |display )?name$|^company$/.test(stripRole(bare))) {
    if (!place.listed) return role === "vendor" ? "vendor_name" : role === "customer" ? "customer_name" : "ship_name";
  }
  if (role && /^(?:full |street |postal |mailing )?address$/.test(stripRole(bare)) && fits("address")) {
    return role === "vendor" ? "address" : role === "customer" ? "customer_address" : "ship_address";
  }
  const exact =
    choose(byName.get(fold(`${parent} ${bare}`))) ??
    choose(byName.get(fold(bare))) ??
    (field.title ? choose(byName.get(fold(field.title))) : null);
  if (exact) return exact;
  const inName = choose(headOf(bare));
  if (inName) return inName;
  for (const label of field.labels) {
    const named = choose(byName.get(fold(label)));
    if (named) return named;
  }
  // The description only helps where the name is a word of ours in disguise: its first phrase names the thing
  return field.description && !place.listed ? choose(headOf(field.description.split(/[.;,(]/)[0]!.slice(0, 60))) : null;
}

function stripRole(words: string): string {
  for (const [, list] of roleWords)
    for (const word of list) if (words.startsWith(`${word} `)) return words.slice(word.length + 1);
  return words;
}

/** Concepts of the longest phrase in a name; of two as long, the last: "customer email" is an e-mail. */
function headOf(words: string): ConceptId[] {
  const hits = findPhrases(words, [nameTable]);
  let best: (typeof hits)[number] | null = null;
  for (const hit of hits) if (hit.size >= 3 && (!best || hit.size >= best.size || hit.start > best.end - 1)) best = hit;
  return (best?.labels ?? []).map((label) => label.id as ConceptId);
}

function roleOf(words: string, path: string[]): Role {
  for (const text of [words, ...path.map(nameWords).reverse()]) {
    for (const [role, list] of roleWords)
      if (list.some((word) => text === word || text.startsWith(`${word} `))) return role;
  }
  return null;
}

/** "Address of the shop": whose it is, where the name does not say. */
function describedRole(description: string | null): Role {
  const words = nameWords(description ?? "").split(" ");
  for (const [role, list] of roleWords) if (list.some((word) => word !== "from" && words.includes(word))) return role;
  return null;
}

function readsOf(field: ValueField, concept: ConceptId | null): Want["reads"] {
  if (field.type === "null") return "nothing";
  if (field.type === "boolean") return "boolean";
  const known = concept ? conceptById.get(concept)!.reads : null;
  if (field.choices) return known === "currency" ? "currency" : "choice";
  if (field.type === "number" || field.type === "integer") return known && numeric.has(known) ? known : "number";
  const format = field.format ? formats[field.format] : undefined;
  if (format) return format;
  if (field.pattern && known !== "currency") return "pattern";
  return known ?? "line";
}

const abbreviations: [RegExp, string[]][] = [
  [/\bnumber\b/, ["no", "nr", "num"]],
  [/\bidentifier\b/, ["id"]],
  [/\bquantity\b/, ["qty"]],
  [/\bamount\b/, ["amt"]],
  [/\breference\b/, ["ref"]],
  [/\btelephone\b/, ["tel", "phone"]],
  [/\bdepartment\b/, ["dept", "department"]],
  [/\bpercentage\b|\bpercent\b/, ["%"]],
  [/\baccount\b/, ["acct", "a/c"]],
];

function ownPhrases(
  field: ValueField,
  words: string,
  parent: string,
  id: string,
  concept: ConceptId | null,
): Want["phrases"] {
  const out = new Map<string, number>();
  const put = (phrase: string, weight: number): void => {
    const clean = phrase.trim().toLowerCase();
    if (clean.length >= 2 && clean.length <= 80) out.set(clean, Math.max(weight, out.get(clean) ?? 0));
  };
  for (const label of field.labels) put(label, 1.1);
  if (field.title) put(field.title, 1.05);
  const weight = vague.has(words) ? (concept ? 0.3 : 0.6) : 1;
  put(words, weight);
  if (parent) put(`${parent} ${words}`, 1);
  for (const [long, short] of abbreviations)
    if (long.test(words)) for (const word of short) put(words.replace(long, word), weight * 0.95);
  if (words.endsWith("s") && words.length > 4) put(words.slice(0, -1), weight * 0.9);
  else if (words.length > 3) put(`${words}s`, weight * 0.9);
  if (!concept && field.description) {
    const first = field.description.split(/[.;,:(]/)[0]!.replace(/^(?:the|a|an) /i, "");
    if (first.length <= 40) put(first, 0.8);
  }
  return [...out].map(([phrase, value]) => ({ phrase, folded: fold(phrase), label: { id, weight: value } }));
}

/** Concept of a list itself: skills, experience, parties. */
export function planList(field: Field, name: string): ConceptId | null {
  const ids =
    byName.get(fold(nameWords(name))) ?? (field.title ? byName.get(fold(nameWords(field.title))) : undefined) ?? [];
  return ids.find((id) => conceptById.get(id)!.reads === "list") ?? ids[0] ?? null;
}
