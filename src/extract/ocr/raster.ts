// A grey image in memory and the few things done to it: turning by quarters, halving, sampling along a slanted box.

export interface Raster {
  width: number;
  height: number;
  /** One byte a pixel, 0 black to 255 white, row by row. */
  data: Uint8Array;
}

export type QuarterTurn = 0 | 90 | 180 | 270;

/** A rectangle that may be slanted: centre, size, and the angle of its long axis in radians, clockwise. */
export interface Slant {
  cx: number;
  cy: number;
  width: number;
  height: number;
  angle: number;
}

/** Turns clockwise. */
export function turn(image: Raster, degrees: QuarterTurn): Raster {
  const { width, height, data } = image;
  if (degrees === 0) return image;
  const out = new Uint8Array(width * height);
  if (degrees === 180) {
    for (let i = 0, j = out.length - 1; j >= 0; i++, j--) out[j] = data[i]!;
    return { width, height, data: out };
  }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const to = degrees === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      out[to] = data[y * width + x]!;
    }
  return { width: height, height: width, data: out };
}

/** Each pixel the mean of four. */
export function halve(image: Raster): Raster {
  const width = Math.max(1, image.width >> 1);
  const height = Math.max(1, image.height >> 1);
  const out = new Uint8Array(width * height);
  const right = image.width > 1 ? 1 : 0;
  const below = image.height > 1 ? image.width : 0;
  for (let y = 0; y < height; y++) {
    let from = Math.min(2 * y, image.height - 1) * image.width;
    for (let x = 0; x < width; x++, from += 2) {
      const { data } = image;
      out[y * width + x] =
        (data[from]! + data[from + right]! + data[from + below]! + data[from + right + below]! + 2) >> 2;
    }
  }
  return { width, height, data: out };
}

/** The image and its halvings, made when first asked for: level n is 2^n times smaller. */
export class Pyramid {
  readonly levels: Raster[];

  constructor(image: Raster) {
    this.levels = [image];
  }

  get image(): Raster {
    return this.levels[0]!;
  }

  level(n: number): Raster {
    while (this.levels.length <= n) this.levels.push(halve(this.levels.at(-1)!));
    return this.levels[n]!;
  }

  /** Bilinear samples of a slanted box, stretched to width × height pixels; outside the image is its nearest edge. */
  cut(box: Slant, width: number, height: number): Raster {
    const shrink = Math.min(box.width / width, box.height / height);
    const n = Math.max(0, Math.min(6, Math.floor(Math.log2(Math.max(1, shrink * 0.75)) + 0.5)));
    const from = this.level(n);
    const scale = 1 / 2 ** n;
    const out = new Uint8Array(width * height);
    const stepX = box.width / width;
    const stepY = box.height / height;
    const cos = Math.cos(box.angle);
    const sin = Math.sin(box.angle);
    const maxX = from.width - 1;
    const maxY = from.height - 1;
    for (let y = 0; y < height; y++) {
      const v = (y + 0.5) * stepY - box.height / 2;
      for (let x = 0; x < width; x++) {
        const u = (x + 0.5) * stepX - box.width / 2;
        const sx = Math.min(maxX, Math.max(0, (box.cx + u * cos - v * sin) * scale - 0.5));
        const sy = Math.min(maxY, Math.max(0, (box.cy + u * sin + v * cos) * scale - 0.5));
        const ix = Math.min(Math.floor(sx), Math.max(0, maxX - 1));
        const iy = Math.min(Math.floor(sy), Math.max(0, maxY - 1));
        const fx = sx - ix;
        const fy = sy - iy;
        const at = iy * from.width + ix;
        const right = maxX > 0 ? 1 : 0;
        const below = maxY > 0 ? from.width : 0;
        const top = from.data[at]! * (1 - fx) + from.data[at + right]! * fx;
        const bottom = from.data[at + below]! * (1 - fx) + from.data[at + below + right]! * fx;
        out[y * width + x] = top * (1 - fy) + bottom * fy + 0.5;
      }
    }
    return { width, height, data: out };
  }
}
