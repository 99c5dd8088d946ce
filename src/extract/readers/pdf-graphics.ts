// The drawings of a PDF page that carry structure: straight lines, rectangles, images. Curves only count by their box.
import type { Box, PositionedPage } from "../document.ts";
import type { PdfFile } from "./pdf-engine.ts";
import type { Upright } from "./pdf-text.ts";

type Matrix = [number, number, number, number, number, number];
export type Graphics = Pick<PositionedPage, "lines" | "rects" | "images">;

/** Maps and plots have tens of thousands of paths; what is past this is no table. */
const MAX_OBJECTS = 20_000;
const MAX_SEGMENTS = 400;
const MAX_DEPTH = 6;
/** A filled area thinner than this is a drawn line. */
export const LINE_THICKNESS = 2.6;
const MAX_BULLET = 8;
const [PATH, IMAGE, FORM] = [2, 3, 5];
const [LINE_TO, BEZIER_TO, MOVE_TO] = [0, 1, 2];

export function readGraphics(file: PdfFile, page: number, upright: Upright): Graphics {
  const { pdfium, scratch } = file;
  const graphics: Graphics = { lines: [], rects: [], images: [] };
  let budget = MAX_OBJECTS;
  const place = (box: Box): Box => {
    const [x0, y0] = upright.point(box[0], box[1]);
    const [x1, y1] = upright.point(box[2], box[3]);
    return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
  };
  const matrixOf = (object: number): Matrix => {
    if (!pdfium._FPDFPageObj_GetMatrix!(object, scratch)) return [1, 0, 0, 1, 0, 0];
    return [...pdfium.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 6)] as Matrix;
  };

  const visit = (object: number, outer: Matrix, depth: number): void => {
    if (--budget < 0) return;
    const type = pdfium._FPDFPageObj_GetType!(object);
    if (type === FORM && depth < MAX_DEPTH) {
      const inner = multiply(matrixOf(object), outer);
      const count = Math.min(pdfium._FPDFFormObj_CountObjects!(object), MAX_OBJECTS);
      for (let i = 0; i < count; i++) visit(pdfium._FPDFFormObj_GetObject!(object, i), inner, depth + 1);
    } else if (type === IMAGE) {
      const box = boundsOf(object, outer);
      if (box) graphics.images.push({ bbox: place(box) });
    } else if (type === PATH) readPath(object, outer);
  };

  const boundsOf = (object: number, outer: Matrix): Box | null => {
    if (!pdfium._FPDFPageObj_GetBounds!(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return null;
    const [x0, y0, x1, y1] = pdfium.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4);
    return boxOf([apply(outer, x0!, y0!), apply(outer, x1!, y1!)]);
  };

  const readPath = (object: number, outer: Matrix): void => {
    pdfium._FPDFPath_GetDrawMode!(object, scratch, scratch + 4);
    const filled = pdfium.HEAP32[scratch >> 2] !== 0;
    const stroked = pdfium.HEAP32[(scratch >> 2) + 1] !== 0;
    if (!filled && !stroked) return;
    const readColor = filled ? pdfium._FPDFPageObj_GetFillColor! : pdfium._FPDFPageObj_GetStrokeColor!;
    readColor(object, scratch, scratch + 4, scratch + 8, scratch + 12);
    const [red, green, blue, alpha] = [0, 4, 8, 12].map((offset) => pdfium.HEAPU8[scratch + offset]!);
    if (alpha === 0) return;
    const color = [red, green, blue].map((part) => part!.toString(16).padStart(2, "0")).join("");
    pdfium._FPDFPageObj_GetStrokeWidth!(object, scratch);
    const pen = pdfium.HEAPF32[scratch >> 2]! * Math.hypot(outer[0], outer[1]);
    const matrix = multiply(matrixOf(object), outer);
    const segments = pdfium._FPDFPath_CountSegments!(object);
    if (segments <= 0 || segments > MAX_SEGMENTS) return;

    let points: [number, number][] = [];
    let curved = false;
    const endSubpath = (): void => {
      if (points.length > 1) addSubpath(points, { filled, stroked, curved, color, pen });
      points = [];
      curved = false;
    };
    for (let i = 0; i < segments; i++) {
      const segment = pdfium._FPDFPath_GetPathSegment!(object, i);
      const kind = pdfium._FPDFPathSegment_GetType!(segment);
      pdfium._FPDFPathSegment_GetPoint!(segment, scratch, scratch + 4);
      const point = apply(matrix, pdfium.HEAPF32[scratch >> 2]!, pdfium.HEAPF32[(scratch >> 2) + 1]!);
      if (kind === MOVE_TO) endSubpath();
      if (kind === BEZIER_TO) curved = true;
      if (kind === LINE_TO || kind === MOVE_TO || kind === BEZIER_TO) points.push(point);
      if (pdfium._FPDFPathSegment_GetClose!(segment) && points[0]) points.push(points[0]);
    }
    endSubpath();
  };

  const addSubpath = (
    points: [number, number][],
    ink: { filled: boolean; stroked: boolean; curved: boolean; color: string; pen: number },
  ): void => {
    const bbox = place(boxOf(points));
    const thin = Math.min(bbox[2] - bbox[0], bbox[3] - bbox[1]);
    const long = Math.max(bbox[2] - bbox[0], bbox[3] - bbox[1]);
    if (ink.filled && thin <= LINE_THICKNESS && long > 2 * thin) {
      addLine(bbox, thin, ink.color);
      return;
    }
    // small circles are bullets, however they are drawn
    if (ink.filled || (ink.curved && long <= MAX_BULLET) || (isRectangle(points) && !ink.curved)) {
      const rect: PositionedPage["rects"][number] = { bbox, stroke: ink.stroked };
      if (ink.filled) rect.fill = ink.color;
      graphics.rects.push(rect);
      return;
    }
    for (let i = 1; i < points.length && !ink.curved; i++) {
      const box = place(boxOf([points[i - 1]!, points[i]!]));
      if (Math.min(box[2] - box[0], box[3] - box[1]) <= 0.8) addLine(box, ink.pen, ink.color);
    }
  };

  const addLine = (box: Box, width: number, color: string): void => {
    if (color === "ffffff") return;
    const horizontal = box[2] - box[0] >= box[3] - box[1];
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    if (horizontal) graphics.lines.push({ x0: box[0], y0: y, x1: box[2], y1: y, width });
    else graphics.lines.push({ x0: x, y0: box[1], x1: x, y1: box[3], width });
  };

  const count = Math.min(pdfium._FPDFPage_CountObjects!(page), MAX_OBJECTS);
  for (let i = 0; i < count && budget > 0; i++) visit(pdfium._FPDFPage_GetObject!(page, i), [1, 0, 0, 1, 0, 0], 0);
  return graphics;
}

const apply = (m: Matrix, x: number, y: number): [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

const multiply = (a: Matrix, b: Matrix): Matrix => [
  a[0] * b[0] + a[1] * b[2],
  a[0] * b[1] + a[1] * b[3],
  a[2] * b[0] + a[3] * b[2],
  a[2] * b[1] + a[3] * b[3],
  a[4] * b[0] + a[5] * b[2] + b[4],
  a[4] * b[1] + a[5] * b[3] + b[5],
];

function boxOf(points: [number, number][]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** Four corners on the sides of their box. */
function isRectangle(points: [number, number][]): boolean {
  if (points.length < 4 || points.length > 6) return false;
  const box = boxOf(points);
  return points.every(
    ([x, y]) =>
      (Math.abs(x - box[0]) < 0.5 || Math.abs(x - box[2]) < 0.5) &&
      (Math.abs(y - box[1]) < 0.5 || Math.abs(y - box[3]) < 0.5),
  );
}
