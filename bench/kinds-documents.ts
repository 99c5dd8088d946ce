// One text in every kind: sections with a heading, paragraphs, a list and a table with a merged cell; slides and sheets of the same
// words. Made in code, with the truth beside it.

import { utils, write } from "@e965/xlsx";
import type { Kind } from "../src/extract/document.ts";
import { compound } from "../test/extract/office/compound.ts";
import { docx, item, paragraph, relations, zip } from "../test/extract/office/make.ts";
import { sprms, word97 } from "../test/extract/office/word97.ts";

export interface Section {
  heading: string;
  paragraphs: string[];
  items: string[];
  rows: string[][];
}

const words =
  "the river carried old boats past quiet mills while farmers counted sacks of grain under a grey morning sky".split(
    " ",
  );

/** Words that repeat, but in an order that does not. */
function sentence(seed: number, length: number): string {
  const picked = Array.from({ length }, (_, n) => words[(seed * 7 + n * n + n * seed) % words.length]!);
  return `${picked.join(" ")} ${seed}.`;
}

export const sections: Section[] = Array.from({ length: 30 }, (_, s) => ({
  heading: `Section ${s + 1} of ${words[s % words.length]}`,
  paragraphs: [sentence(s * 3, 60), sentence(s * 3 + 1, 45), sentence(s * 3 + 2, 80)],
  items: [sentence(s, 6), sentence(s + 50, 7), sentence(s + 100, 5)],
  rows: [
    ["Name", "Amount", "Place"],
    ...Array.from({ length: 8 }, (_, r) => [`Row ${s}-${r}`, String(s * 100 + r), words[(s + r) % words.length]!]),
  ],
}));

/** Every word that must come back. */
export const truthWords = (part: Section[]) =>
  part
    .flatMap((s) => [s.heading, ...s.paragraphs, ...s.items, ...s.rows.flat()])
    .join(" ")
    .split(/\s+/);

const contentTypes = (part: string, type: string) =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

function makeDocx(): Uint8Array {
  const row = (cells: string[], header: boolean) =>
    `<w:tr>${header ? "<w:trPr><w:tblHeader/></w:trPr>" : ""}${cells.map((c) => `<w:tc>${paragraph(c)}</w:tc>`).join("")}</w:tr>`;
  return docx(
    sections
      .map(
        (s) =>
          paragraph(s.heading, '<w:pStyle w:val="berschrift1"/>') +
          s.paragraphs.map((p) => paragraph(p)).join("") +
          s.items.map((i) => item(i, 1, 0)).join("") +
          `<w:tbl>${s.rows.map((r, n) => row(r, n === 0)).join("")}</w:tbl>`,
      )
      .join(""),
    { "[Content_Types].xml": contentTypes("/word/document.xml", "wordprocessingml.document") },
  );
}

const odf =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"';

const odfFile = (type: string, body: string) =>
  zip({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    "META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`,
    "content.xml": `<office:document-content ${odf}><office:body>${body}</office:body></office:document-content>`,
  });

const odfTable = (rows: string[][]) =>
  `<table:table>${rows.map((r) => `<table:table-row>${r.map((c) => `<table:table-cell><text:p>${c}</text:p></table:table-cell>`).join("")}</table:table-row>`).join("")}</table:table>`;
const odfList = (items: string[]) =>
  `<text:list>${items.map((i) => `<text:list-item><text:p>${i}</text:p></text:list-item>`).join("")}</text:list>`;

const makeOdt = () =>
  odfFile(
    "text",
    `<office:text>${sections.map((s) => `<text:h text:outline-level="1">${s.heading}</text:h>${s.paragraphs.map((p) => `<text:p>${p}</text:p>`).join("")}${odfList(s.items)}${odfTable(s.rows)}`).join("")}</office:text>`,
  );

const makeOdp = () =>
  odfFile(
    "presentation",
    `<office:presentation>${sections
      .map(
        (s) =>
          `<draw:page><draw:frame presentation:class="title" svg:x="1cm" svg:y="1cm" svg:width="9cm"><draw:text-box><text:p>${s.heading}</text:p></draw:text-box></draw:frame><draw:frame svg:x="1cm" svg:y="3cm" svg:width="9cm"><draw:text-box>${s.paragraphs.map((p) => `<text:p>${p}</text:p>`).join("")}${odfList(s.items)}</draw:text-box></draw:frame><draw:frame svg:x="1cm" svg:y="9cm" svg:width="9cm">${odfTable(s.rows)}</draw:frame></draw:page>`,
      )
      .join("")}</office:presentation>`,
  );

function makePptx(): Uint8Array {
  const names =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const line = (text: string, more = "") => `<a:p>${more}<a:r><a:t>${text}</a:t></a:r></a:p>`;
  const shape = (body: string, y: number, ph = "") =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${y}" name="s"/><p:cNvSpPr/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/><a:ext cx="900000" cy="90000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/>${body}</p:txBody></p:sp>`;
  const table = (rows: string[][]) =>
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="t"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="900000"/><a:ext cx="900000" cy="90000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>${rows.map((r) => `<a:tr>${r.map((c) => `<a:tc><a:txBody>${line(c)}</a:txBody></a:tc>`).join("")}</a:tr>`).join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const parts: Record<string, string> = {
    "[Content_Types].xml": contentTypes("/ppt/presentation.xml", "presentationml.presentation"),
    "_rels/.rels": relations(["r1", "officeDocument", "ppt/presentation.xml"]),
    "ppt/presentation.xml": `<p:presentation ${names}><p:sldIdLst>${sections.map((_, n) => `<p:sldId id="${256 + n}" r:id="s${n}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      ...sections.map((_, n): [string, string, string] => [`s${n}`, "slide", `slides/slide${n + 1}.xml`]),
    ),
  };
  sections.forEach((s, n) => {
    const bullets = s.items.map((i) => line(i, '<a:pPr><a:buChar char="•"/></a:pPr>')).join("");
    const body =
      shape(line(s.heading), 0, '<p:ph type="title"/>') +
      shape(s.paragraphs.map((p) => line(p)).join("") + bullets, 200_000);
    parts[`ppt/slides/slide${n + 1}.xml`] =
      `<p:sld ${names}><p:cSld><p:spTree>${body}${table(s.rows)}</p:spTree></p:cSld></p:sld>`;
  });
  return zip(parts);
}

function makeRtf(): Uint8Array {
  const row = (cells: string[]) =>
    `\\trowd${cells.map((_, n) => `\\cellx${(n + 1) * 2000}`).join("")}\\pard\\intbl ${cells.map((c) => `${c}\\cell `).join("")}\\row\n`;
  const body = sections
    .map(
      (s) =>
        `\\pard\\s1 ${s.heading}\\par\n${s.paragraphs.map((p) => `\\pard ${p}\\par\n`).join("")}${s.items.map((i, n) => `{\\listtext ${n + 1}.\\tab}\\pard\\ls1 ${i}\\par\n`).join("")}${s.rows.map(row).join("")}`,
    )
    .join("");
  return Buffer.from(`{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\stylesheet{\\s1 heading 1;}}${body}}`);
}

const html = (part: Section[]) =>
  part
    .map(
      (s) =>
        `<h1>${s.heading}</h1>${s.paragraphs.map((p) => `<p>${p}</p>`).join("")}<ol>${s.items.map((i) => `<li>${i}</li>`).join("")}</ol><table border="1">${s.rows.map((r) => `<tr>${r.map((c) => `<td>${c}</td>`).join("")}</tr>`).join("")}</table>`,
    )
    .join("\n");

function makeEpub(): Uint8Array {
  const parts: Record<string, string> = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "b.opf": `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Book</dc:title></metadata><manifest>${sections.map((_, n) => `<item id="c${n}" href="c${n}.xhtml" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine>${sections.map((_, n) => `<itemref idref="c${n}"/>`).join("")}</spine></package>`,
  };
  sections.forEach((s, n) => {
    parts[`c${n}.xhtml`] =
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${html([s])}</body></html>`;
  });
  return zip(parts);
}

/** The writer of XLS cuts texts at 255 characters. */
function makeBook(bookType: "xlsx" | "biff8" | "xlsb" | "ods"): Uint8Array {
  const book = utils.book_new();
  sections.forEach((s, n) => {
    const rows = [
      ...s.paragraphs.flatMap((p) => p.match(/.{1,200}/g)!.map((piece) => [piece])),
      [],
      ...s.items.map((i) => [i]),
      [],
      ...s.rows,
    ];
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), `Sheet ${n + 1}`);
  });
  return write(book, { type: "buffer", bookType });
}

/** The maker of binary Word files holds one page of properties: one section. */
export const oneSection = sections.slice(0, 1);

function makeDoc(): Uint8Array {
  const [s] = oneSection;
  const tabbed = s!.rows
    .slice(0, 1)
    .flatMap((r) => [
      ...r.map((c) => ({ text: `${c}\x07`, sprms: sprms.cell })),
      { text: "\x07", sprms: sprms.row([0, 900, 1800, 2700], [0, 0, 0]) },
    ]);
  const rest = s!.rows

    .slice(1)
    .map((r) => r.join(" "))
    .join(" ");
  return word97({
    paragraphs: [
      { text: `${s!.heading}\r`, style: 1 },
      ...s!.paragraphs.map((p) => ({ text: `${p}\r` })),
      ...s!.items.map((i) => ({ text: `${i}\r`, sprms: sprms.list(1, 0) })),
      ...tabbed,
      { text: `${rest}\r` },
    ],
  });
}

const makeEml = () =>
  Buffer.from(
    `From: Ann <ann@a.example>\r\nTo: Bob <bob@b.example>\r\nSubject: Offer\r\nDate: Tue, 5 Mar 2024 10:20:30 +0100\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body>${html(sections).replace(/\n/g, "\r\n")}</body></html>\r\n`,
  );

const makeMsg = () =>
  compound({
    "__properties_version1.0": Buffer.alloc(32),
    "__substg1.0_0037001F": Buffer.from("Offer", "utf16le"),
    "__substg1.0_0C1A001F": Buffer.from("Ann", "utf16le"),
    "__substg1.0_10130102": Buffer.from(`<html><body>${html(sections)}</body></html>`),
  });

export const makers: [kind: Kind, make: () => Uint8Array, truth: Section[]][] = [
  ["docx", makeDocx, sections],
  ["doc", makeDoc, oneSection],
  ["odt", makeOdt, sections],
  ["rtf", makeRtf, sections],
  ["pptx", makePptx, sections],
  ["odp", makeOdp, sections],
  ["xlsx", () => makeBook("xlsx"), sections],
  ["xls", () => makeBook("biff8"), sections],
  ["xlsb", () => makeBook("xlsb"), sections],
  ["ods", () => makeBook("ods"), sections],
  ["epub", makeEpub, sections],
  ["eml", makeEml, sections],
  ["msg", makeMsg, sections],
];
