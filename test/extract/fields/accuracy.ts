// Compares found data with the truth, leaf by leaf.

export interface Score {
  wanted: number;
  given: number;
  right: number;
  misses: string[];
}

export const emptyScore = (): Score => ({ wanted: 0, given: 0, right: 0, misses: [] });

const flat = (value: unknown): string =>
  typeof value === "string"
    ? value
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "")
    : JSON.stringify(value);

function leaves(value: unknown, path: string, out: Map<string, unknown>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) value.forEach((item, i) => void leaves(item, `${path}/${i}`, out));
  else if (typeof value === "object")
    for (const [key, inner] of Object.entries(value)) leaves(inner, `${path}/${key}`, out);
  else out.set(path, value);
}

export function compare(truth: unknown, data: unknown, name: string, score: Score): void {
  const wanted = new Map<string, unknown>();
  const given = new Map<string, unknown>();
  leaves(truth, "", wanted);
  leaves(data, "", given);
  for (const [path, value] of wanted) {
    score.wanted++;
    if (given.has(path) && flat(given.get(path)) === flat(value)) score.right++;
    else
      score.misses.push(
        `${name}${path}: ${JSON.stringify(given.get(path) ?? null)} instead of ${JSON.stringify(value)}`,
      );
  }
  for (const [path, value] of given) {
    score.given++;
    if (!wanted.has(path)) score.misses.push(`${name}${path}: ${JSON.stringify(value)} instead of nothing`);
  }
}

export function f1({ wanted, given, right }: Score): number {
  const precision = given ? right / given : 1;
  const recall = wanted ? right / wanted : 1;
  return precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
}
