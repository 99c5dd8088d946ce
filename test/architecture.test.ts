// Holds the rules of how the house is built: who may import whom, what may stand where.
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.split(sep).join("/"));
const textOf = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));

interface Import {
  /** Below src/, or the package's name. */
  to: string;
  own: boolean;
  typeOnly: boolean;
}

const IMPORT =
  /^(?:import|export)\b(\s+type\b)?(?:[^;"'`]*?\bfrom\s+|\s+)["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

function importsOf(file: string): Import[] {
  return [...textOf.get(file)!.matchAll(IMPORT)].map(([, type, named, dynamic]) => {
    const name = (named ?? dynamic)!;
    const own = name.startsWith(".");
    const to = own
      ? relative(src, join(src, dirname(file), name))
          .split(sep)
          .join("/")
      : name;
    return { to, own, typeOnly: type !== undefined };
  });
}

/** From the roof to the ground: a file imports from its own floor or from below. */
const FLOORS = [
  ["cli.ts"],
  ["serve.ts", "extract-command.ts"],
  ["http/"],
  ["extractions/"],
  ["webhooks/", "billing/"],
  ["accounts/"],
  ["app.ts"],
  ["platform/"],
  ["errors.ts", "config.ts", "plans.ts"],
];
/** Stands beside the floors; the command line and the child process of an extraction enter it. */
const WING = "extract/";

function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) =>
    rooms.some((room) => file === room || (room.endsWith("/") && file.startsWith(room))),
  );
}

const own = (file: string) => importsOf(file).filter((each) => each.own && each.to.endsWith(".ts"));
const pairs = (keep: (file: string, to: string) => boolean) =>
  files.flatMap((file) =>
    own(file)
      .filter(({ to }) => keep(file, to))
      .map(({ to }) => `${file} → ${to}`),
  );

test("every file has its place on a floor or in the extraction wing", () => {
  expect(files.filter((file) => floorOf(file) < 0 && !file.startsWith(WING))).toEqual([]);
});

test("imports only go down", () => {
  expect(pairs((file, to) => !file.startsWith(WING) && !to.startsWith(WING) && floorOf(to) < floorOf(file))).toEqual(
    [],
  );
});

test("webhooks and billing do not know each other", () => {
  expect(
    pairs(
      (file, to) =>
        /^(webhooks|billing)\//.test(file) &&
        /^(webhooks|billing)\//.test(to) &&
        file.split("/")[0] !== to.split("/")[0],
    ),
  ).toEqual([]);
});

test("every import of ours leads to a file", () => {
  // Data of the package that stands outside of src/: its own description, the sample documents.
  const isData = (path: string) => path === "../package.json" || /^\.\.\/examples\/[\w-]+\.json$/.test(path);
  expect(
    files.flatMap((file) => importsOf(file).filter(({ own, to }) => own && !textOf.has(to) && !isData(to))),
  ).toEqual([]);
});

test("there is no circle", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    // Types leave nothing at run time, so they close no circle.
    for (const { to, typeOnly } of own(file)) if (!typeOnly && textOf.has(to)) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

/** Files that come with a package (a WebAssembly module, OCR models) or with this one: its version. */
const BUNDLED = [
  "extract/extract.ts → ../package.json",
  "extract/ocr/models.ts → node:fs/promises",
  "extract/readers/pdf-engine.ts → node:fs/promises",
];
/** Bytes in, result out: no files, no network, no processes. */
const PURE = new Set([
  "node:buffer",
  "node:crypto",
  "node:module",
  "node:path",
  "node:url",
  "node:util",
  "node:zlib",
  "node:stream",
]);

test("extract/ imports errors.ts, packages, and nothing that touches the outside", () => {
  const builtin = (name: string) => name.startsWith("node:") || builtinModules.includes(name);
  const wrong = files
    .filter((file) => file.startsWith(WING))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ to, own }) => (own ? !to.startsWith(WING) && to !== "errors.ts" : builtin(to) && !PURE.has(to)))
        .map(({ to }) => `${file} → ${to}`),
    );
  expect(wrong.filter((each) => !BUNDLED.includes(each))).toEqual([]);
});

test("extract/ knows no clock and no chance", () => {
  const found = files.filter(
    (file) =>
      file.startsWith(WING) &&
      /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\s*\)|randomUUID|randomBytes/.test(textOf.get(file)!),
  );
  expect(found).toEqual([]);
});

test("only config.ts reads the environment", () => {
  // The child process of an extraction starts without ours; reading its own few variables is not configuration.
  expect(files.filter((file) => file !== "config.ts" && /\bprocess\.env\b/.test(textOf.get(file)!))).toEqual([]);
});

/** Interface and drivers stand in one folder; the file with the folder's name is the interface. */
const DRIVERS = /^platform\/(?:mail\/(?!mail\.ts)|blobs\/(?!blobs\.ts)|payments\/(?!payments\.ts)|db\/embedded\.ts)/;

test("only app.ts picks drivers", () => {
  expect(pairs((file, to) => DRIVERS.test(to) && file !== "app.ts" && dirname(file) !== dirname(to))).toEqual([]);
});

test("names say what lives there", () => {
  const empty = /(^|[/-])(utils?|helpers?|common|types|index|misc|lib|shared|manager|service)\.ts$/;
  expect(files.filter((file) => empty.test(file))).toEqual([]);
});

test("at most two folders below src/, but for the presets: one schema a file beside the code that reads schemas", () => {
  expect(files.filter((file) => file.split("/").length > 3 && !file.startsWith("extract/fields/presets/"))).toEqual([]);
});

test("every file opens with what lives in it", () => {
  const opens = /^(#!.*\n)?(\/\/|\/\*)/;
  expect(files.filter((file) => !opens.test(textOf.get(file)!))).toEqual([]);
});

test("few files pass 300 lines", () => {
  const long = files.filter((file) => textOf.get(file)!.split("\n").length > 300);
  expect(long.length, long.join(", ")).toBeLessThan(files.length / 10);
});
