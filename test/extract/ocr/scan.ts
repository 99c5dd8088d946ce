// Scans the tests make themselves: a page drawn as PDF with the fonts PDFium carries, rasterised, then damaged like paper is.
import sharp, { type Sharp } from "sharp";
import { openPdf } from "../../../src/extract/readers/pdf-engine.ts";

export interface Drawing {
  width: number;
  height: number;
  /** Baseline at y points from the top. */
  texts: { x: number; y: number; size: number; text: string; bold?: boolean }[];
  rules?: { x0: number; y0: number; x1: number; y1: number }[];
}

/** A PDF of one page; text in Helvetica. */
export function drawPdf({ width, height, texts, rules = [] }: Drawing): Uint8Array {
  const quoted = (text: string) => text.replace(/[\\()]/g, "\\$&");
  const content = [
    ...texts.map(
      ({ x, y, size, text, bold }) => `BT /F${bold ? 2 : 1} ${size} Tf ${x} ${height - y} Td (${quoted(text)}) Tj ET`,
    ),
    ...rules.map(({ x0, y0, x1, y1 }) => `0.8 w ${x0} ${height - y0} m ${x1} ${height - y1} l S`),
  ].join("\n");
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`,
    `<< /Length ${Buffer.byteLength(content, "latin1")} >>\nstream\n${content}\nendstream`,
    font("Helvetica"),
    font("Helvetica-Bold"),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = file.length;
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

/** The first page as raw grey pixels. */
export async function rasterise(pdf: Uint8Array, dpi: number): Promise<Sharp> {
  const file = await openPdf(pdf, null);
  const { pdfium } = file;
  try {
    const page = pdfium._FPDF_LoadPage!(file.document, 0);
    const width = Math.round((pdfium._FPDF_GetPageWidth!(page) * dpi) / 72);
    const height = Math.round((pdfium._FPDF_GetPageHeight!(page) * dpi) / 72);
    const bitmap = pdfium._FPDFBitmap_Create!(width, height, 0);
    pdfium._FPDFBitmap_FillRect!(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium._FPDF_RenderPageBitmap!(bitmap, page, 0, 0, width, height, 0, 0);
    const start = pdfium._FPDFBitmap_GetBuffer!(bitmap);
    const stride = pdfium._FPDFBitmap_GetStride!(bitmap);
    const grey = Buffer.alloc(width * height);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) grey[y * width + x] = pdfium.HEAPU8[start + y * stride + x * 4 + 1]!;
    pdfium._FPDFBitmap_Destroy!(bitmap);
    pdfium._FPDF_ClosePage!(page);
    return sharp(grey, { raw: { width, height, channels: 1 } });
  } finally {
    file.close();
  }
}

export interface Damage {
  turn?: 90 | 180 | 270;
  skewDegrees?: number;
  /** Grey levels, at most, added or taken at random from each pixel. */
  noise?: number;
  jpegQuality?: number;
}

/** As PNG, or JPEG where a quality is given. */
export async function scan(drawing: Drawing, dpi: number, damage: Damage = {}): Promise<Uint8Array> {
  let image = await rasterise(drawPdf(drawing), dpi);
  const again = async () => {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    if (damage.noise) addNoise(data, damage.noise);
    image = sharp(data, { raw: { width, height, channels } });
  };
  if (damage.skewDegrees) {
    image = image.rotate(damage.skewDegrees, { background: "#ffffff" });
    await again();
  } else if (damage.noise) await again();
  if (damage.turn) image = image.rotate(damage.turn);
  return damage.jpegQuality ? image.jpeg({ quality: damage.jpegQuality }).toBuffer() : image.png().toBuffer();
}

/** The same noise each time: a linear congruential row of numbers. */
function addNoise(data: Uint8Array, levels: number): void {
  let state = 42;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = Math.max(0, Math.min(255, data[i]! + Math.round((state / 2 ** 32 - 0.5) * 2 * levels)));
  }
}
