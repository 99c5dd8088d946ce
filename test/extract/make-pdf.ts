// Writes small PDFs by hand for tests: text in the standard fonts, lines, links, outlines, form fields, tags, encryption.
import { createHash } from "node:crypto";

export interface PdfText {
  x: number;
  /** From the top of the page. */
  y: number;
  text: string;
  size?: number;
  font?: "Helvetica" | "Helvetica-Bold" | "Times-Roman" | "Courier";
  /** Degrees, counterclockwise as PDF has it. */
  turn?: number;
  /** Drawn but not shown, as under a scan. */
  invisible?: boolean;
  /** Tag of a tagged PDF: H1, P, … */
  tag?: string;
}

export interface PdfPage {
  width?: number;
  height?: number;
  rotate?: number;
  texts?: PdfText[];
  lines?: [number, number, number, number][];
  /** A picture over the whole page. */
  picture?: boolean;
  links?: { box: [number, number, number, number]; url: string }[];
  fields?: { name: string; value: string; box: [number, number, number, number] }[];
}

export interface PdfOptions {
  info?: Record<string, string>;
  outline?: { title: string; page: number; children?: { title: string; page: number }[] }[];
  password?: string;
}

const FONTS = ["Helvetica", "Helvetica-Bold", "Times-Roman", "Courier"] as const;
const quote = (text: string): string => text.replace(/[\\()]/g, "\\$&");
const number = (value: number): string => value.toFixed(2).replace(/\.?0+$/, "");

export function makePdf(pages: PdfPage[], options: PdfOptions = {}): Uint8Array {
  const objects: (string | { dictionary: string; stream: string })[] = [];
  const add = (body: string | { dictionary: string; stream: string }): number => objects.push(body);
  const key = options.password === undefined ? null : encryption(options.password);
  const text = (value: string, id: number): string =>
    key ? `<${hex(rc4(objectKey(key.key, id), latin(value)))}>` : `(${quote(value)})`;

  const catalog = add("");
  const tree = add("");
  const fonts = FONTS.map((name) =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
  );
  const picture = add({
    dictionary: "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
    stream: "\x80",
  });
  const tagged = pages.some((page) => page.texts?.some((item) => item.tag));
  const structure = tagged ? add("") : 0;
  const elements: number[] = [];
  const parents: string[] = [];
  const fieldIds: number[] = [];
  const pageIds: number[] = [];

  for (const [index, page] of pages.entries()) {
    const [width, height] = [page.width ?? 600, page.height ?? 800];
    const id = add("");
    pageIds.push(id);
    const own: number[] = [];
    const content: string[] = [];
    if (page.picture) content.push(`q ${width} 0 0 ${height} 0 0 cm /Im Do Q`);
    for (const [x0, y0, x1, y1] of page.lines ?? [])
      content.push(`${number(x0)} ${number(height - y0)} m ${number(x1)} ${number(height - y1)} l S`);
    for (const item of page.texts ?? []) {
      const angle = ((item.turn ?? 0) * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const matrix = [cos, sin, -sin, cos, item.x, height - item.y].map(number).join(" ");
      const shown = `BT /F${FONTS.indexOf(item.font ?? "Helvetica")} ${item.size ?? 12} Tf ${item.invisible ? 3 : 0} Tr ${matrix} Tm (${quote(item.text)}) Tj ET`;
      if (!item.tag) content.push(shown);
      else {
        content.push(`/${item.tag} << /MCID ${own.length} >> BDC ${shown} EMC`);
        const element = add(
          `<< /Type /StructElem /S /${item.tag} /P ${structure} 0 R /Pg ${id} 0 R /K ${own.length} >>`,
        );
        own.push(element);
        elements.push(element);
      }
    }
    if (own.length) parents.push(`${index} [${own.map((element) => `${element} 0 R`).join(" ")}]`);
    const annotations = [
      ...(page.links ?? []).map(({ box, url }) => {
        const link = objects.length + 1;
        return add(
          `<< /Type /Annot /Subtype /Link /Rect ${rect(box, height)} /Border [0 0 0] /A << /S /URI /URI ${text(url, link)} >> >>`,
        );
      }),
      ...(page.fields ?? []).map(({ name, value, box }) => {
        const field = objects.length + 1;
        fieldIds.push(field);
        return add(
          `<< /Type /Annot /Subtype /Widget /FT /Tx /T ${text(name, field)} /V ${text(value, field)} /Rect ${rect(box, height)} /P ${id} 0 R >>`,
        );
      }),
    ];
    const stream = add({ dictionary: "", stream: content.join("\n") });
    objects[id - 1] =
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${page.rotate ?? 0} /Contents ${stream} 0 R ` +
      `/Resources << /Font << ${fonts.map((font, i) => `/F${i} ${font} 0 R`).join(" ")} >> /XObject << /Im ${picture} 0 R >> >> ` +
      `${own.length ? `/StructParents ${index} ` : ""}/Annots [${annotations.map((annotation) => `${annotation} 0 R`).join(" ")}] >>`;
  }

  if (structure)
    objects[structure - 1] =
      `<< /Type /StructTreeRoot /K [${elements.map((element) => `${element} 0 R`).join(" ")}] /ParentTree << /Nums [${parents.join(" ")}] >> >>`;
  objects[tree - 1] = `<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] >>`;
  const outline = options.outline?.length ? addOutline(options.outline, pageIds, add, objects, text) : 0;
  objects[catalog - 1] =
    `<< /Type /Catalog /Pages ${tree} 0 R${outline ? ` /Outlines ${outline} 0 R` : ""}` +
    `${fieldIds.length ? ` /AcroForm << /Fields [${fieldIds.map((id) => `${id} 0 R`).join(" ")}] >>` : ""}` +
    `${structure ? ` /StructTreeRoot ${structure} 0 R /MarkInfo << /Marked true >>` : ""} >>`;
  const infoId = objects.length + 1;
  const info = add(
    `<< ${Object.entries(options.info ?? {})
      .map(([name, value]) => `/${name} ${text(value, infoId)}`)
      .join(" ")} >>`,
  );
  return write(objects, `/Root ${catalog} 0 R /Info ${info} 0 R`, key);
}

const rect = ([x0, y0, x1, y1]: [number, number, number, number], height: number): string =>
  `[${[x0, height - y1, x1, height - y0].map(number).join(" ")}]`;

function addOutline(
  entries: NonNullable<PdfOptions["outline"]>,
  pages: number[],
  add: (body: string) => number,
  objects: unknown[],
  text: (value: string, id: number) => string,
): number {
  const root = add("");
  const level = (
    items: { title: string; page: number; children?: { title: string; page: number }[] }[],
    parent: number,
  ): number[] => {
    const ids = items.map(() => add(""));
    for (const [i, item] of items.entries()) {
      const own = ids[i]!;
      const children = item.children?.length ? level(item.children, own) : [];
      objects[own - 1] =
        `<< /Title ${text(item.title, own)} /Parent ${parent} 0 R /Dest [${pages[item.page - 1]} 0 R /Fit]` +
        `${i > 0 ? ` /Prev ${ids[i - 1]} 0 R` : ""}${i + 1 < ids.length ? ` /Next ${ids[i + 1]} 0 R` : ""}` +
        `${children.length ? ` /First ${children[0]} 0 R /Last ${children.at(-1)} 0 R /Count ${children.length}` : ""} >>`;
    }
    return ids;
  };
  const top = level(entries, root);
  objects[root - 1] = `<< /Type /Outlines /First ${top[0]} 0 R /Last ${top.at(-1)} 0 R /Count ${top.length} >>`;
  return root;
}

function write(
  objects: (string | { dictionary: string; stream: string })[],
  trailer: string,
  key: Encryption | null,
): Uint8Array {
  let file = "%PDF-1.4\n";
  const offsets: number[] = [];
  for (const [i, body] of objects.entries()) {
    offsets.push(file.length);
    if (typeof body === "string") file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    else {
      const stream = key ? latinText(rc4(objectKey(key.key, i + 1), latin(body.stream))) : body.stream;
      file += `${i + 1} 0 obj\n<< ${body.dictionary} /Length ${stream.length} >>\nstream\n${stream}\nendstream\nendobj\n`;
    }
  }
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  const secret = key
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /O <${hex(key.owner)}> /U <${hex(key.user)}> /P -4 >> /ID [<${hex(FILE_ID)}> <${hex(FILE_ID)}>]`
    : "";
  file += `trailer\n<< /Size ${objects.length + 1} ${trailer}${secret} >>\nstartxref\n${start}\n%%EOF\n`;
  return latin(file);
}

// ---- the standard security handler, revision 2 ----------------------------------------------------------------------

interface Encryption {
  key: Uint8Array;
  owner: Uint8Array;
  user: Uint8Array;
}

const FILE_ID = latin("0123456789abcdef");
const PADDING = Uint8Array.from(Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex"));

function encryption(password: string): Encryption {
  const padded = Uint8Array.from([...latin(password), ...PADDING].slice(0, 32));
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Uint8Array.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(Uint8Array.from([...padded, ...owner, ...permissions, ...FILE_ID])).subarray(0, 5);
  return { key, owner, user: rc4(key, PADDING) };
}

const objectKey = (key: Uint8Array, id: number): Uint8Array =>
  md5(Uint8Array.from([...key, id & 255, (id >> 8) & 255, (id >> 16) & 255, 0, 0])).subarray(0, 10);

const md5 = (data: Uint8Array): Uint8Array => Uint8Array.from(createHash("md5").update(data).digest());

function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number): void => {
    const kept = state[a]!;
    state[a] = state[b]!;
    state[b] = kept;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    swap(i, j);
  }
  let [a, b] = [0, 0];
  return data.map((byte) => {
    a = (a + 1) & 255;
    b = (b + state[a]!) & 255;
    swap(a, b);
    return byte ^ state[(state[a]! + state[b]!) & 255]!;
  });
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}
const latinText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
