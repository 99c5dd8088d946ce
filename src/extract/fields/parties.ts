// Who wrote a document and to whom: company names, people, postal addresses, and the blocks that hold them.

import { fold } from "./fold.ts";
import { type Labels, standsOver } from "./labels.ts";
import type { Role } from "./plan.ts";
import { repairText } from "./repair.ts";
import { joinSpans, type Span, segmentSpan, spanText, trimSpan } from "./spans.ts";
import type { Values } from "./values.ts";
import type { Segment, View } from "./view.ts";

export interface Named {
  spans: Span[];
  value: string;
  score: number;
  segments: Segment[];
}

export interface Party {
  role: Exclude<Role, null>;
  name: Named | null;
  address: Named | null;
  /** Segments of the block, for the e-mail, telephone and tax number in it. */
  segments: Set<number>;
  /** No label opens it: the address in the window of the envelope. */
  guessed?: boolean;
}

/** Lines of a block under "Bill to": name, up to six of address, contact lines. */
const MAX_BLOCK_LINES = 10;
/** A longer line is prose; it also bounds the expressions below, some of which look back. */
const MAX_LINE_CHARS = 200;
/** Lines an address may have. */
const MAX_ADDRESS_LINES = 6;

const legalForm =
  /(?:^|[\s,.(])(?:sdn\.? ?bhd|s\/b|sb|bhd|berhad|plt|pte\.? ?ltd|ltd|limited|llc|l\.l\.c|llp|inc|incorporated|corp|corporation|co|company|plc|gmbh(?: & co\.? ?kg)?|mbh|ag|kg|ohg|gbr|ug|e\.? ?k|e\.? ?v|s\.?a\.?r\.?l|sas|sasu|eurl|s\.?a|s\.?l(?:\.?u)?|s\.?p\.?a|s\.?r\.?l|s\.?n\.?c|b\.?v|n\.?v|v\.?o\.?f|lda|ltda|eireli|sp\.? ?z ?o\.?o|s\.?r\.?o|a\.?s|aps|ab|oy|oyj|asa|kft|d\.?o\.?o|pty\.? ?ltd|pvt\.? ?ltd|k\.?k|pt|cv|tbk)\.?(?=[\s,.)(]|$)/iu;
// OCR drops the spaces: "ENTERPRISESDNBHD"
const legalFormGlued = /(?:sdn\.?bhd|pte\.?ltd|pty\.?ltd|pvt\.?ltd|gmbh)\.?(?=$|[\s(),.\d])/iu;
const tradeWord =
  /\b(?:enterprise|enterprises|trading|traders|restaurant|restoran|ristorante|restaurante|cafe|café|coffee|bistro|bakery|bakeries|confectionery|kitchen|hardware|stationery|stationers?|mart|market|supermarket|supermarkt|minimarket|hypermarket|store|stores|shop|boutique|pharmacy|pharmacie|apotheke|farmacia|farmasi|clinic|hotel|motel|bar|pub|grill|house|foods?|services?|solutions|systems|consulting|group|holdings?|industries|international|marketing|motors?|auto|electrical|electronics|books?|bookstore|florist|gallery|kedai|perniagaan|syarikat|kopitiam|station|petrol|salon|studio|studios|agency|partners|associates|university|bank|versicherung|insurance|technologies|logistics|supply|supplies|design|media|labs?|works|garage|express|distributors?|manufacturing|machinery|furniture|furnishing|optical|dental|centre|center)\b/iu;

const streetWord =
  /\b(?:jalan|jln|lorong|lrg|taman|tmn|persiaran|lebuh|lebuhraya|kampung|bandar|seksyen|kawasan|lot|blok|blk|block|unit|level|tingkat|floor|flr|flor|ground|street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|court|ct|square|sq|plaza|place|pl|highway|hwy|parkway|terrace|suite|ste|p\.?o\.? box|po box|postfach|rue|chemin|allee|allée|quai|impasse|via|viale|piazza|corso|calle|avenida|avda|paseo|carrera|carretera|rua|travessa|largo|praça|ulica|ul|aleja|al|gatan|vägen|wisma|menara|bangunan|pusat|kompleks|complex|mall|tower|building|bldg|batu|mukim|medan|dataran|bukit|wangsa|city|off|industrial|park|estate|garden|gardens)\b|(?:str(?:aße|asse)|str\.|straat)(?=[\s,.\d]|$)|\p{L}{3,}(?:weg|platz|gasse|allee|ring|damm|ufer|laan|plein|gracht|kade|gatan|vägen|gata)\s+\d/iu;
const houseFirst =
  /^(?:no|lot|unit|level|suite|lg|plot|p\.?t)(?:\b\.?:? ?[\w/.-]*\d|\d)|^[A-Z]{1,2}-\d{1,4}(?:-\d{1,4})*,|^\(?\d{1,5}[a-z]?(?:[-/&, ] ?\d{1,4}[a-z]?)*(?:[,.]? +\p{L}|-\p{L}{3})/iu;
const streetThenNumber = /^\p{L}[\p{L}\s.'-]{2,40} \d{1,4} ?[a-z]?(?:[-/]\d{1,4})?(?:,|$)/iu;
const postcode =
  /(?<![\d.,-])(?:[A-Z]{1,2}-)?\d{4,6}(?![\d.,]\d|\d)[,.]? ?\p{L}{2,}|\p{L}{2,}[,.]? (?:[A-Z]{2} )?\d{5}(?:-\d{4})?$|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]\d[A-Z] \d[A-Z]\d\b|\b\d{4} ?[A-Z]{2}\b|\b\d{5}-\d{3}\b|\b\d{2}-\d{3} \p{L}|^\d{5}$/iu;
const regions =
  /\b(?:malaysia|singapore|darul ehsan|darul takzim|darul ta'zim|wilayah persekutuan|d\.e\.?|selangor|johor|kuala lumpur|penang|pulau pinang|perak|kedah|melaka|sabah|sarawak|negeri sembilan|pahang|germany|deutschland|france|italia|italy|espana|españa|spain|portugal|nederland|netherlands|belgium|belgique|belgië|austria|österreich|switzerland|schweiz|suisse|united kingdom|england|scotland|wales|ireland|usa|united states|canada|australia|new zealand|india|indonesia|thailand|philippines|vietnam|china|japan|hong kong|taiwan|korea|brasil|brazil|mexico|méxico|argentina|chile|colombia|poland|polska|sweden|sverige|norway|denmark|danmark|finland|suomi|czech republic|hungary|romania|greece|turkey|türkiye|london|paris|berlin|madrid|roma|milano|amsterdam|wien|zürich)\b/iu;

/** Labels that a line of an address or a name does not carry. */
const foreign = new Set([
  "phone", "fax", "email", "url", "tax_id", "company_reg", "invoice_number", "receipt_number", "invoice_date", "due_date", "order_number", "customer_number", "iban", "bic",
  "time", "cashier", "payment_terms", "payment_method", "reference", "total", "subtotal", "tax", "quantity", "unit_price", "register", "table_number", "order_date", "delivery_date", "amount_due", "account_number", "discount", "paid", "change", "rounding", "tip", "shipping", "card_number", "approval", "points",
  "tip",
  "shipping",
  "card_number",
  "approval",
  "points",
]); // biome-ignore format: a list of words

export interface Line {
  segment: Segment;
  text: string;
  /** How much it looks like a line of an address. */
  address: number;
  /** It carries another label or value: no part of a name or an address. */
  foreign: boolean;
}

export function readLine(segment: Segment, values: Values, labels: Labels): Line {
  const text = values.ocrPages.has(segment.page) ? repairText(segment.text) : segment.text;
  if (text.length > MAX_LINE_CHARS) return { segment, text, address: -3, foreign: true };
  const held = values.bySegment.get(segment.index) ?? [];
  const alien =
    held.some(
      (value) =>
        value.kind === "email" ||
        (value.kind === "url" && !legalForm.test(text)) ||
        value.kind === "iban" ||
        value.kind === "time" ||
        (value.kind === "date" && value.quality > 0.6) ||
        (value.kind === "phone" && value.quality >= 0.8),
    ) ||
    held.some(
      (value) =>
        value.number &&
        value.number.decimals === 2 &&
        !value.number.glued &&
        text.length < 40 &&
        /[.,]\d\d$/.test(text),
    ) ||
    (labels.bySegment.get(segment.index) ?? []).some(
      (hit) =>
        hit.start - segment.start < 4 &&
        hit.labels.some((label) => foreign.has(label.id) && label.weight === 1) &&
        hit.size >= 3 &&
        !/^(?:no|lot|unit)\b/i.test(text),
    );
  // A registration number on a line of its own: "(801580-T)"
  const numberOnly =
    /^(?:[([]\s*[A-Z]{0,3}\d{4,}\s?-?\s?[A-Z]{0,2}\s*[)\]]?|[A-Z]{0,3}\d{4,}(?:-[A-Z]{1,2})?)\.?$/i.test(text.trim()) &&
    !/^\d{5,6}$/.test(text.trim());
  let score = 0;
  if (streetWord.test(text)) score += 1;
  if (houseFirst.test(text)) score += 0.8;
  else if (streetThenNumber.test(text)) score += 0.6;
  if (postcode.test(text)) score += 1.2;
  if (regions.test(text.replace(/[.,](?=\p{L})/gu, " "))) score += 0.6;
  if (/,\s*$/.test(text)) score += 0.5;
  if ((text.match(/,/g) ?? []).length >= 2) score += 0.4;
  if (text.length > 90) score -= 1.5;
  if (legalForm.test(text) && !streetWord.test(text)) score -= 2;
  // A company's registration number in brackets ends its name
  else if (/\(\s*\w{4,8}-[A-Z]\s*\)?\s*$/.test(text)) score -= 2;
  if (alien || numberOnly) score -= 3;
  return { segment, text, address: score, foreign: alien || numberOnly };
}

/** The segment that continues this one's column on the next row, if it stands near enough. */
export function lineBelow(view: View, segment: Segment): Segment | null {
  for (let down = 1; down <= 2; down++) {
    const row = view.rows[segment.row + down];
    if (!row?.[0] || row[0].page !== segment.page) return null;
    if (!segment.box) {
      const same =
        row.find((other) => other.source === segment.source) ??
        row.find((other) => standsOver(segment, other, row.length === 1));
      return same && same.source.element.type !== "heading" ? same : null;
    }
    let best: Segment | null = null;
    for (const other of row) {
      if (!other.box || !standsOver(segment, other, false)) continue;
      const gap = other.box[1] - segment.box[3];
      if (gap > 1.6 * Math.max(segment.height, other.height)) continue;
      const offset = Math.min(
        Math.abs(other.box[0] - segment.box[0]),
        Math.abs((other.box[0] + other.box[2]) / 2 - (segment.box[0] + segment.box[2]) / 2),
      );
      const old = best?.box
        ? Math.min(
            Math.abs(best.box[0] - segment.box[0]),
            Math.abs((best.box[0] + best.box[2]) / 2 - (segment.box[0] + segment.box[2]) / 2),
          )
        : Number.POSITIVE_INFINITY;
      if (offset < old) best = other;
    }
    if (best) return best;
  }
  return null;
}

export function columnFrom(view: View, first: Segment, max: number): Segment[] {
  const out = [first];
  for (let next = lineBelow(view, first); next && out.length < max; next = lineBelow(view, next)) out.push(next);
  return out;
}

/** The address that starts in one of the lines, with the lines that belong to it. */
export function addressIn(lines: Line[]): { named: Named; from: number; to: number } | null {
  let from = lines.findIndex(
    (line, i) => line.address >= 1 || (line.address >= 0.5 && (lines[i + 1]?.address ?? 0) >= 1),
  );
  if (from < 0) return null;
  // The name of a branch or a mall above "No. 15, Jalan …" is not part of it
  if (
    (!/[\d,]/.test(lines[from]!.text) || companyScore(lines[from]!.text) >= 0.7) &&
    lines[from + 1] &&
    houseFirst.test(lines[from + 1]!.text) &&
    !lines[from + 1]!.foreign
  )
    from++;
  let to = from + 1;
  let sum = lines[from]!.address;
  while (to < lines.length && to - from < MAX_ADDRESS_LINES) {
    const line = lines[to]!;
    if (line.foreign) break;
    const runsOn = /[,&-]\s*$/.test(lines[to - 1]!.text);
    const next = lines[to + 1];
    const bridged =
      next !== undefined && !next.foreign && next.address >= 0.5 && line.text.length < 60 && !legalForm.test(line.text);
    if (line.address < 0.5 && !runsOn && !bridged) break;
    sum += Math.max(0, line.address);
    to++;
  }
  const used = lines.slice(from, to).map((line) => line.segment);
  return { named: join(used, Math.min(1, sum / 3), true), from, to };
}

/** Lines put together to one value: with commas where an address had line ends. */
export function join(segments: Segment[], score: number, commas: boolean): Named {
  const spans = joinSpans(segments.flatMap((segment) => trimSpan(segmentSpan(segment), /[\s:;|•·=–—-]/u) ?? []));
  const texts = segments
    .flatMap((segment) => trimSpan(segmentSpan(segment)) ?? [])
    .map((span) => spanText(span).replace(/\s+/g, " "));
  return { spans, value: texts.join(commas ? ", " : " "), score, segments };
}

/** Names are written with capitals, sentences mostly without. */
function isSentence(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.length > 2 && words.filter((word) => /^\p{Ll}/u.test(word)).length > words.length / 2;
}

/** How much a line looks like the name of a company: 0 to 1. */
export function companyScore(text: string): number {
  const letters = text.replace(/[^\p{L}]/gu, "").length;
  if (letters < 3 || text.length > 80 || isSentence(text)) return 0;
  if (legalForm.test(text) || legalFormGlued.test(text)) return 1;
  let score = letters / text.replace(/\s/g, "").length > 0.75 ? 0.35 : 0.1;
  // "Bistro & Cafe" says what they do, not who they are
  const rest = text.replace(new RegExp(tradeWord, "giu"), "").replace(/\b(?:and|und|et|of|the)\b|[^\p{L}]/giu, "");
  if (tradeWord.test(text)) score += rest.length > 2 ? 0.35 : -0.1;
  return score;
}

const registration =
  /\s*[([]?\s*(?:co\.? ?(?:reg)?\.? ?(?:no)?\.?:? ?|reg\.? ?no\.?:? ?|roc\.? ?|company no\.?:? ?)?[([]?\d{4,}[\w\s/-]*[)\]]?\s*[)\]]?\.?\s*$/iu;
const ownedBy =
  /^\s*[([]?(?:own(?:ed|er)?|operated|managed|trading|run|powered)\s*(?:and operated )?(?:by|as)\s*[:.]?\s*/iu;

/** The name alone: without "operated by", a till number before it, or a registration number after the legal form. */
export function companySpan(segment: Segment): Span | null {
  const { text } = segment;
  if (text.length > MAX_LINE_CHARS) return null;
  let end = text.length;
  const register = registration.exec(text);
  if (register && register.index > 3) end = register.index;
  const forms = [...text.slice(0, end).matchAll(new RegExp(legalForm, "giu"))];
  const numbered = forms.find((form) => /^\s*[([]?\s*\d{3,}/.test(text.slice(form.index + form[0].length)));
  const last = numbered ?? forms.at(-1) ?? legalFormGlued.exec(text.slice(0, end));
  if (last) {
    // What follows the legal form is a number, a bracket that OCR cut off, or dirt
    const after = last.index + last[0].length;
    const rest = text.slice(after, end);
    if (after > 8 && (/\d/.test(rest) || /^\s*[([][^)\]]{0,6}$/.test(rest) || rest.trim().length <= 2)) end = after;
  }
  let start = ownedBy.exec(text)?.[0].length ?? 0;
  start += /^#?[\dO]{4,}\s+(?=\p{L})/u.exec(text.slice(start))?.[0].length ?? 0;
  return trimSpan(
    { source: segment.source, start: segment.start + start, end: segment.start + Math.max(start, end) },
    /[\s:;,|•·=*#_–—-]/u,
  );
}

/** "Ada Lovelace": two to four words that start with a capital, no digits. */
export function looksLikePerson(text: string): boolean {
  return /^(?:(?:mr|mrs|ms|dr|prof|herr|frau|m|mme|sr|sra|dott)\.? )?\p{Lu}[\p{L}'’.-]*(?: (?:van|von|de|der|den|da|di|du|la|le|el|bin|binti|al)\b)*(?: \p{Lu}[\p{L}'’.-]*){1,4}$/u.test(
    text.trim(),
  );
}

export const isHeader = (text: string): boolean =>
  /^(?:tax )?(?:invoice|receipt|rechnung|facture|factura|fattura|quotation|purchaseorder|statement)/u.test(
    fold(text.slice(0, 40)),
  );

export { legalForm, legalFormGlued, MAX_BLOCK_LINES, tradeWord };
