// A page of a document as a picture to look at. Only kinds that have pages to see; upright, as the boxes are.
import sharp from "sharp";
import { Fault } from "../errors.ts";
import { detect } from "./detect.ts";
import type { Kind } from "./document.ts";
import { decodeBmp, isBmp, readBmpHeader } from "./ocr/bmp.ts";
import { openPdf } from "./readers/pdf-engine.ts";
import { withPage } from "./readers/pdf-page.ts";
import { rasterise } from "./readers/pdf-raster.ts";

/** Pixels along the longer side: sharp enough on a large screen, some 200 KB as WebP. */
const LONG_SIDE = 1600;
const MAX_PIXELS = 210_000_000;
const images = new Set<Kind>(["png", "jpeg", "webp", "tiff", "gif", "bmp"]);

export interface RenderRequest {
  bytes: Uint8Array;
  name: string | null;
  contentType: string | null;
  password: string | null;
  page: number;
  /** By which the reader turned the page to stand upright. */
  rotation: 0 | 90 | 180 | 270;
}

export const isVisible = (kind: string | null): boolean => kind === "pdf" || images.has(kind as Kind);

/** WebP. */
export async function renderPage(request: RenderRequest): Promise<Buffer> {
  const { kind } = detect(request);
  if (kind === "pdf") return renderPdf(request);
  if (images.has(kind)) return renderImage(request);
  throw new Fault("unsupported_kind", { detail: `Documents of kind ${kind} have no pages to look at.` });
}

async function renderPdf({ bytes, password, page }: RenderRequest): Promise<Buffer> {
  const file = await openPdf(bytes, password);
  try {
    const image = withPage(file, page, (handle) => {
      const side = Math.max(file.pdfium._FPDF_GetPageWidthF!(handle), file.pdfium._FPDF_GetPageHeightF!(handle), 1);
      return rasterise(file, handle, LONG_SIDE / side);
    });
    if (!image) throw new Fault("not_found", { detail: `There is no page ${page} that can be shown.` });
    return await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 4 } })
      .webp({ quality: 80 })
      .toBuffer();
  } finally {
    file.close();
  }
}

async function renderImage({ bytes, page, rotation }: RenderRequest): Promise<Buffer> {
  const header = isBmp(bytes) ? readBmpHeader(bytes) : null;
  const image = header
    ? sharp(decodeBmp(bytes, header), { raw: { width: header.width, height: header.height, channels: 3 } })
    : sharp(bytes, { page: page - 1, failOn: "none", limitInputPixels: MAX_PIXELS }).autoOrient();
  const upright = await image
    .flatten({ background: "#ffffff" })
    .resize(LONG_SIDE, LONG_SIDE, { fit: "inside", withoutEnlargement: true })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = upright.info;
  const raw = upright.info.format === "raw" ? { raw: { width, height, channels: channels as 3 } } : {};
  return sharp(upright.data, raw).rotate(rotation).webp({ quality: 80 }).toBuffer();
}
