// Data regions of a sheet, as a spreadsheet program selects them: filled cells that touch, corners included, and the boxes around
// them joined where they overlap. Works on filled cells only, so a sheet of a million rows costs what it holds.

export interface SheetCell {
  row: number;
  column: number;
  /** As displayed. */
  text: string;
  /** Whether the value itself is text, not a number, date or truth value. */
  isText: boolean;
  bold: boolean;
}

export interface Merge {
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export interface Region {
  top: number;
  left: number;
  bottom: number;
  right: number;
  cells: SheetCell[];
}

/** Joining boxes is quadratic; a sheet scattered beyond this is one region. */
const MAX_REGIONS = 1500;
/** A merge over whole columns counts as touching only along this much of its edge; where there are very many, along less. */
const MAX_MERGE_EDGE = 400;
const MAX_MERGE_EDGE_OF_MANY = 16;
const MANY_MERGES = 1000;

const key = (row: number, column: number) => row * 65_536 + column;

function find(parents: Int32Array, at: number): number {
  let root = at;
  while (parents[root] !== root) root = parents[root]!;
  for (let n = at; parents[n] !== root; ) {
    const next = parents[n]!;
    parents[n] = root;
    n = next;
  }
  return root;
}

/** The places around a cell or a merged area that count as touching it. */
function* neighbours(cell: SheetCell, merge: Merge | undefined, longest: number): Generator<number> {
  const rows = Math.min(merge?.rows ?? 1, longest);
  const columns = Math.min(merge?.columns ?? 1, longest);
  for (let row = cell.row - 1; row <= cell.row + rows; row++) {
    if (row < 0) continue;
    const edge = row === cell.row - 1 || row === cell.row + rows;
    const step = edge ? 1 : columns + 1;
    for (let column = cell.column - 1; column <= cell.column + columns; column += step)
      if (column >= 0) yield key(row, column);
  }
}

const touches = (a: Region, b: Region) =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

function join(into: Region, other: Region): void {
  into.top = Math.min(into.top, other.top);
  into.left = Math.min(into.left, other.left);
  into.bottom = Math.max(into.bottom, other.bottom);
  into.right = Math.max(into.right, other.right);
  for (const cell of other.cells) into.cells.push(cell);
}

function joinOverlapping(regions: Region[]): Region[] {
  if (regions.length > MAX_REGIONS) {
    const [first, ...rest] = regions;
    for (const region of rest) join(first!, region);
    return [first!];
  }
  let open = regions;
  for (let changed = true; changed; ) {
    changed = false;
    const joined: Region[] = [];
    for (const region of open) {
      const other = joined.find((candidate) => touches(candidate, region));
      if (other) {
        join(other, region);
        changed = true;
      } else joined.push(region);
    }
    open = joined;
  }
  return open;
}

export function findRegions(cells: SheetCell[], merges: Merge[]): Region[] {
  const places = new Map<number, number>();
  for (const [at, cell] of cells.entries()) places.set(key(cell.row, cell.column), at);
  const merged = new Map(merges.map((merge) => [key(merge.row, merge.column), merge]));
  const parents = Int32Array.from(cells, (_, at) => at);
  const longest = merges.length > MANY_MERGES ? MAX_MERGE_EDGE_OF_MANY : MAX_MERGE_EDGE;
  cells.forEach((cell, at) => {
    for (const place of neighbours(cell, merged.get(key(cell.row, cell.column)), longest)) {
      const other = places.get(place);
      if (other !== undefined) parents[find(parents, at)] = find(parents, other);
    }
  });
  const regions = new Map<number, Region>();
  cells.forEach((cell, at) => {
    const root = find(parents, at);
    const merge = merged.get(key(cell.row, cell.column));
    const own = {
      top: cell.row,
      left: cell.column,
      bottom: cell.row + (merge?.rows ?? 1) - 1,
      right: cell.column + (merge?.columns ?? 1) - 1,
      cells: [cell],
    };
    const region = regions.get(root);
    if (region) join(region, own);
    else regions.set(root, own);
  });
  return joinOverlapping([...regions.values()]).sort((a, b) => a.top - b.top || a.left - b.left);
}
