// Parts 1 to 4 and 6 to 9 of the specification where they speak of extractions, against a running service with its worker.
import { readFile, rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../caller.ts";
import { createDatabase } from "../postgres.ts";
import { settingsFor, spawnCli, spawnService, temporaryFolder } from "../service.ts";
import type { SpawnedService } from "../spawn.ts";

const page = `<!doctype html><html lang="en"><head><title>Harvest report</title></head><body><article>
<h1>Harvest report</h1><p>The harvest of this year was larger than any before it, by a third.</p>
<h2>Apples</h2><p>Apples did well in the north and in the east of the country.</p><ul><li>Boskoop</li><li>Elstar</li></ul>
<table><tr><th>Kind</th><th>Tons</th></tr><tr><td>Boskoop</td><td>12</td></tr><tr><td>Elstar</td><td>9</td></tr></table>
</article></body></html>`;
const csv = "kind,tons\nBoskoop,12\nElstar,9\n";

const settings = { RATE_LIMIT_PER_MINUTE: "100000", JOBS_AT_ONCE: "1", LOG_LEVEL: "warn" };

// A child of the sandbox may take long to start on a busy machine.
describe.each(["an embedded database", "a DATABASE_URL server"])("on %s", { timeout: 90_000 }, (where) => {
  let service: SpawnedService;
  let key: string;
  let folder: string;
  let drop = async () => {};
  beforeAll(async () => {
    folder = await temporaryFolder();
    const database = where === "an embedded database" ? null : await createDatabase();
    if (database) drop = database.drop;
    service = await spawnService({
      ...(database && settingsFor(database, folder)),
      ...settings,
      DATA_DIR: folder,
    });
    key = (await service.verified()).apiKey;
  });
  afterAll(async () => {
    await service.end("SIGTERM");
    await drop();
    await rm(folder, { recursive: true, force: true });
  });

  const post = (call: Parameters<Caller["call"]>[2], query = "") =>
    service.call("POST", `/api/v1/extract${query}`, { key, ...call });
  const asFile = () => {
    const body = new FormData();
    body.append("file", new Blob([page], { type: "text/html" }), "report.html");
    return { body };
  };

  test("The result is the body of a 200 response, as JSON, the same by all four ways of sending", async () => {
    const content = Buffer.from(page).toString("base64");
    const answers = [
      await post(asFile()),
      await post({ json: { file: { name: "report.html", content } } }),
      await post({ form: { text: page } }),
      await post({ body: page, headers: { "content-type": "text/html" } }),
    ];
    for (const { status, headers, json } of answers) {
      expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(headers.get("x-extract-request-id")).toBe(json.id);
      expect(json).toMatchObject({ object: "extraction", status: "completed" });
      expect(json.document).toEqual(answers[0]!.json.document);
    }
  });

  test("The extraction result: one schema for the 200 and GET", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const sent = await post({ json: { text: page, schema, metadata: { order: 7 } } });
    const { json } = sent;
    expect(json.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Object.keys(json).sort()).toEqual(
      ["id", "object", "status", "created_at", "started_at", "completed_at", "expires_at", "source", "document", "data",
       "evidence", "warnings", "usage", "metadata", "engine", "duration_ms"].sort(),
    ); // biome-ignore format: a list of words
    expect(json.source).toEqual({
      ...{ kind: "html", mime_type: "text/html", name: null, size: Buffer.byteLength(page), url: null },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(json.usage).toEqual({ pages: 1 });
    expect(json.metadata).toEqual({ order: 7 });
    expect(json.data).toHaveProperty("title");
    const got = await service.call("GET", `/api/v1/extractions/${json.id}`, { key });
    expect(got.text).toBe(sent.text);
  });

  test("text, markdown and elements tell one story", async () => {
    const { document } = (await post(asFile())).json;
    const headings = document.elements.filter(({ type }: { type: string }) => type === "heading" || type === "title");
    expect(document.title).toBe("Harvest report");
    expect(headings.map(({ text }: { text: string }) => text)).toContain("Apples");
    for (const { type, text } of document.elements) {
      if (type === "table") continue;
      expect(document.text).toContain(text);
      expect(document.markdown).toContain(text);
    }
    expect(document.tables).toHaveLength(1);
    const cells = document.tables[0].cells.map(({ text }: { text: string }) => text);
    expect(cells).toEqual(["Kind", "Tons", "Boskoop", "12", "Elstar", "9"]);
    for (const cell of cells) expect(document.text).toContain(cell);
    expect(document.markdown).toMatch(/\| Kind *\| Tons *\|/);
  });

  test("the same bytes and options give the same JSON, ids, times and durations aside", async () => {
    const strip = ({
      id,
      created_at,
      started_at,
      completed_at,
      expires_at,
      duration_ms,
      ...rest
    }: Record<string, unknown>) => rest;
    for (const body of [page, csv]) {
      const call = { body, headers: { "content-type": "application/octet-stream" } };
      const [first, second] = [await post(call), await post(call)];
      expect(JSON.stringify(strip(second.json))).toBe(JSON.stringify(strip(first.json)));
    }
  });

  test("options[include] returns the parts that are asked for", async () => {
    const { document } = (await post({ json: { text: page, options: { include: "text,tables" } } })).json;
    expect(Object.keys(document)).toEqual(expect.arrayContaining(["text", "tables"]));
    for (const part of ["markdown", "pages", "elements"]) expect(document).not.toHaveProperty(part);
  });

  test("a kind we do not read is 415, said by name; the kind is found from the bytes", async () => {
    const program = Buffer.concat([Buffer.from("\x7fELF\x02\x01\x01\x00", "latin1"), Buffer.alloc(200)]);
    const { status, headers, json } = await post({ body: program, headers: { "content-type": "application/pdf" } });
    expect([status, json.code]).toEqual([415, "unsupported_kind"]);
    expect(headers.get("content-type")).toContain("application/problem+json");
  });

  test("a corrupt document is 422, its row says failed", async () => {
    const { status, json } = await post({
      body: "%PDF-1.7\nnothing that follows",
      headers: { "content-type": "application/pdf" },
    });
    expect([status, json.code]).toEqual([422, "corrupt_document"]);
    const got = await service.call("GET", `/api/v1/extractions/${json.request_id}`, { key });
    expect(got.json).toMatchObject({ status: "failed", error: { code: "corrupt_document" } });
  });

  test("the command `extract FILE` prints the same JSON without server or account", async () => {
    const file = new URL("../../CHANGELOG.md", import.meta.url);
    const command = spawnCli(["extract", file.pathname], {});
    expect(await command.ended).toBe(0);
    const printed = JSON.parse(command.output());
    const body = new FormData();
    body.append("file", new Blob([await readFile(file)]), "CHANGELOG.md");
    const { json } = await post({ body });
    const { source, document, data, evidence, warnings, usage, engine } = json;
    expect(printed).toEqual({ source, document, data, evidence, warnings, usage, engine });
  });
});
