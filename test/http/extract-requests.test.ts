// What POST /api/v1/extract takes and refuses, by all four ways of sending.
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "../caller.ts";
import { type Stage, setStage } from "../extractions/stage.ts";
import { until } from "../until.ts";

const MAX_FILE_BYTES = 1_000_000;
let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { MAX_FILE_BYTES: String(MAX_FILE_BYTES) } });
});
afterAll(() => stage.stop());

const base64 = (text: string) => Buffer.from(text).toString("base64");
const blobs = async () => {
  const names = await readdir(join(stage.dataDir, "blobs"), { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes("-")).length;
};

interface Part {
  name: string;
  value: string;
  filename?: string;
  type?: string;
}

/** Written by hand: the order of the parts and the bytes of a name are what some tests are about. */
function multipart(...parts: Part[]): Call {
  const boundary = "----a-boundary-of-ours";
  const chunks = parts.map(
    ({ name, value, filename, type }) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n${
        type ? `content-type: ${type}\r\n` : ""
      }\r\n${value}\r\n`,
  );
  return {
    body: Buffer.from(`${chunks.join("")}--${boundary}--\r\n`),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}
const file = (value: string, filename = "a.txt") => ({ name: "file", value, filename, type: "text/plain" });

const ways: Record<string, (text: string, more?: Record<string, string>) => Call & { query?: string }> = {
  multipart: (text, more = {}) =>
    multipart(file(text), ...Object.entries(more).map(([name, value]) => ({ name, value }))),
  json: (text, more = {}) => ({ json: { file: { content: base64(text) }, ...unfold(more) } }),
  form: (text, more = {}) => ({ form: { text, ...more } }),
  "the document itself": (text, more = {}) => ({
    body: text,
    headers: { "content-type": "text/plain" },
    query: `?${new URLSearchParams(more)}`,
  }),
};

/** {"options[async]": "true"} as JSON has it. */
function unfold(more: Record<string, string>) {
  const options = Object.entries(more).flatMap(([name, value]) => {
    const option = /^options\[(.*)\]$/.exec(name)?.[1];
    return option ? [[option, value] as const] : [];
  });
  const others = Object.entries(more).filter(([name]) => !name.startsWith("options["));
  return { ...Object.fromEntries(others), ...(options.length && { options: Object.fromEntries(options) }) };
}

describe.each(Object.entries(ways))("sent as %s", (_name, send) => {
  test("the bytes arrive as they are", async () => {
    const text = "Grüße, 世界 🎉\u0000 and \r\n more";
    const { status, json } = await stage.extract(send(text));
    expect([status, json.document.text]).toEqual([200, text]);
    expect(json.source.size).toBe(Buffer.byteLength(text));
  });

  test("an unknown parameter or option is 422 and names it", async () => {
    const before = await blobs();
    const option = await stage.extract(send("x", { "options[colour]": "red" }));
    expect([option.status, option.json.code]).toEqual([422, "invalid_request"]);
    expect(option.json.errors).toEqual([{ pointer: "/options/colour", message: "is not a parameter" }]);
    const parameter = await stage.extract(send("x", { shape: "round" }));
    expect([parameter.status, parameter.json.errors]).toEqual([
      422,
      [{ pointer: "/shape", message: "is not a parameter" }],
    ]);
    expect(await blobs()).toBe(before);
  });

  test.each([
    ["options[async]", "maybe", "/options/async"],
    ["options[pages]", "3-1", "/options/pages"],
    ["options[pages]", "0", "/options/pages"],
    ["options[ocr]", "sometimes", "/options/ocr"],
    ["options[preset]", "nonsense", "/options/preset"],
    ["options[include]", "text,soul", "/options/include/1"],
    ["metadata", "no json", "/metadata"],
    ["metadata", "[1]", "/metadata"],
    ["url", "https://example.com/", "/url"],
  ])("%s=%s is refused by name", async (name, value, pointer) => {
    const { status, json } = await stage.extract(send("x", { [name]: value }));
    expect([status, json.code, json.errors[0].pointer]).toEqual([422, "invalid_request", pointer]);
  });

  test("languages without a model are refused at the door, for asynchronous extractions too", async () => {
    const { status, json } = await stage.extract({
      ...send("x", { "options[languages]": "eng,tlh", "options[async]": "true" }),
    });
    expect([status, json.code]).toEqual([422, "unsupported_language"]);
    expect(json.detail).toContain("deu");
  });

  test("options[async]=true without webhook_url is 422 webhook_url_required", async () => {
    const { status, json } = await stage.extract(send("x", { "options[async]": "true" }));
    expect([status, json.code]).toEqual([422, "webhook_url_required"]);
  });

  test("webhook_url without async is accepted, with warning webhook_url_unused", async () => {
    const { status, json } = await stage.extract(send("x", { webhook_url: "https://example.com/hook" }));
    expect([status, json.warnings.map(({ code }: { code: string }) => code)]).toEqual([200, ["webhook_url_unused"]]);
  });

  test("webhook_url must be a public https address", async () => {
    for (const url of ["http://example.com/", "https://127.0.0.1/", "https://user:pw@example.com/", "nonsense"]) {
      const { status, json } = await stage.extract(send("x", { webhook_url: url, "options[async]": "true" }));
      expect([status, json.code]).toEqual([422, "invalid_webhook_url"]);
    }
  });

  test("an empty document is 422 empty_document", async () => {
    const { status, json } = await stage.extract(send(""));
    expect([status, json.code]).toEqual([422, "empty_document"]);
  });

  test("50 MB a file: a larger one is 413, and nothing of it stays", async () => {
    const before = await blobs();
    const { status, json } = await stage.extract(send("x".repeat(MAX_FILE_BYTES + 1)));
    expect([status, json.code]).toEqual([413, "file_too_large"]);
    expect(await blobs()).toBe(before);
    const fits = await stage.extract(send("y".repeat(MAX_FILE_BYTES)));
    expect(fits.status).toBe(200);
  });

  test("metadata comes back as it was", async () => {
    const metadata = { order: 17, tags: ["ä", "\u0000"], nested: { a: null } };
    const { json } = await stage.extract(send("x", { metadata: JSON.stringify(metadata) }));
    expect(json.metadata).toEqual(metadata);
    expect((await stage.get(`/extractions/${json.id}`)).json.metadata).toEqual(metadata);
  });
});

describe("multipart", () => {
  test("fields may stand before and after the file", async () => {
    for (const parts of [
      [{ name: "metadata", value: '{"a":1}' }, file("x")],
      [file("x"), { name: "metadata", value: '{"a":1}' }],
    ])
      expect((await stage.extract(multipart(...parts))).json.metadata).toEqual({ a: 1 });
  });

  test("two files, a file under another name, and a field given twice are refused by name", async () => {
    const two = await stage.extract(multipart(file("x"), file("y")));
    expect([two.status, two.json.errors]).toEqual([422, [{ pointer: "/file", message: "only one file is taken" }]]);
    const other = await stage.extract(multipart({ ...file("x"), name: "document" }));
    expect([other.status, other.json.errors[0].pointer]).toEqual([422, "/document"]);
    const twice = await stage.extract(
      multipart(file("x"), { name: "options[ocr]", value: "auto" }, { name: "options[ocr]", value: "never" }),
    );
    expect([twice.status, twice.json.errors]).toEqual([422, [{ pointer: "/options[ocr]", message: "is given twice" }]]);
  });

  test("the file's name keeps its letters", async () => {
    const { json } = await stage.extract(multipart(file("x", "Übersicht – 日本 🎉.txt")));
    expect(json.source.name).toBe("Übersicht – 日本 🎉.txt");
  });

  test("text goes as well, and not beside a file", async () => {
    const text = await stage.extract(multipart({ name: "text", value: "plain" }));
    expect([text.status, text.json.document.text]).toEqual([200, "plain"]);
    const both = await stage.extract(multipart(file("x"), { name: "text", value: "plain" }));
    expect([both.status, both.json.errors]).toEqual([422, [{ pointer: "/text", message: "goes without file" }]]);
  });

  test("more than 50 fields are refused", async () => {
    const fields = Array.from({ length: 60 }, (_, n) => ({ name: `field${n}`, value: "x" }));
    const { status, json } = await stage.extract(multipart(...fields));
    expect([status, json.code]).toEqual([422, "invalid_request"]);
  });

  test("one that ends in the middle is 400", async () => {
    const { body, headers } = multipart(file("a longer text"));
    const { status, json } = await stage.extract({ body: (body as Buffer).subarray(0, 120), headers });
    expect([status, json.code]).toEqual([400, "malformed_request"]);
  });
});

describe("json", () => {
  const raw = (body: string) => stage.extract({ body, headers: { "content-type": "application/json" } });

  test("base64 in escapes, without padding, in lines, in its URL form", async () => {
    const bytes = Buffer.from([0xfb, 0xef, 0xff, 0xfe, 0x3e, 0x3f, 0x41]);
    const plain = bytes.toString("base64");
    expect(plain).toMatch(/\+.*\//);
    const spellings = [
      plain,
      plain.replaceAll("/", "\\/").replaceAll("+", "\\u002B"),
      plain.replace(/=+$/, ""),
      `${plain.slice(0, 4)}\\r\\n${plain.slice(4)}\\n`,
      bytes.toString("base64url"),
    ];
    for (const content of spellings) {
      const { status, json } = await raw(`{"file":{"name":"a.txt","content":"${content}"}}`);
      expect([status, json.source?.size, json.source?.name]).toEqual([200, bytes.length, "a.txt"]);
    }
  });

  test("keys in escapes mean the same", async () => {
    const { status, json } = await raw(`{"\\u0066ile":{"c\\u006fntent":"${base64("hello")}"}}`);
    expect([status, json.document?.text]).toEqual([200, "hello"]);
  });

  test.each([
    ["no base64", '{"file":{"content":"!!!!"}}', 422],
    ["one character too many", '{"file":{"content":"QUJDR"}}', 422],
    ["text after the padding", '{"file":{"content":"QQ==QUJD"}}', 422],
    ["content twice", '{"file":{"content":"QUJD","content":"QUJD"}}', 400],
    ["file twice", '{"file":{"content":"QUJD"},"file":{"content":"QUJD"}}', 400],
    ["content that is no text", '{"file":{"content":17}}', 422],
    ["an unknown member of file", '{"file":{"content":"QUJD","size":3}}', 422],
    ["text that is none", '{"text":17}', 422],
    ["no object", '["text"]', 422],
    ["nothing", "", 400],
    ["half of it", '{"file":{"content":"QUJD', 400],
    ["bad UTF-8 is not repaired", '{"text":"\ud800"', 400],
  ])("%s is refused", async (_what, body, status) => {
    const before = await blobs();
    const answer = await raw(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(await blobs()).toBe(before);
  });

  test("null is the same as nothing said", async () => {
    const json = { text: "x", file: null, url: null, schema: null, options: { pages: null, ocr: "never" } };
    expect((await stage.extract({ json })).status).toBe(200);
  });

  test("options[…] and options together are refused; parameters in the query string too", async () => {
    const both = await stage.extract({ json: { text: "x", options: {}, "options[ocr]": "auto" } });
    expect([both.status, both.json.errors[0].pointer]).toEqual([422, "/options"]);
    const query = await stage.extract({ json: { text: "x" }, query: "?options[ocr]=auto" });
    expect([query.status, query.json.errors[0].message]).toEqual([
      422,
      "must stand in the body, not in the query string",
    ]);
  });
});

test("file, url and text: one of them is needed", async () => {
  for (const call of [{ json: {} }, multipart({ name: "metadata", value: "{}" }), { form: {} }, {}]) {
    const { status, json } = await stage.extract(call);
    expect([status, json.errors]).toEqual([422, [{ pointer: "/file", message: "is required; or send url or text" }]]);
  }
});

test("256 KB of schema and metadata", async () => {
  for (const name of ["schema", "metadata"]) {
    const { status, json } = await stage.extract({ json: { text: "x", [name]: { a: "x".repeat(256 * 1024) } } });
    expect([status, json.errors]).toEqual([422, [{ pointer: `/${name}`, message: "must be at most 256 KB" }]]);
  }
});

test("a client that hangs up in the middle of its upload leaves nothing behind", async () => {
  const before = await blobs();
  const logged = stage.logs.length;
  const { hostname, port } = new URL(stage.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/extract HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${stage.account.apiKey}\r\ncontent-type: text/plain\r\ncontent-length: 900000\r\n\r\nthe first bytes`,
  );
  await until("it is being written", async () => (await blobs()) > before);
  socket.destroy();
  await until("it is gone", async () => (await blobs()) === before);
  expect(stage.logs.slice(logged).filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

describe("Prefer", () => {
  test("respond-async gives 202 without a webhook", async () => {
    const answer = await stage.extract({ json: { text: "polled" }, headers: { prefer: "respond-async, wait=5" } });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("preference-applied")).toBe("respond-async");
    expect(answer.json.status).toBe("queued");
    const { json } = await stage.get(`/extractions/${answer.json.id}?wait=20`);
    expect([json.status, json.document.text]).toEqual(["completed", "polled"]);
  });
});

describe("Idempotency-Key", () => {
  const keyed = (key: string, call: Call = { json: { text: "once" } }) =>
    stage.extract({ ...call, headers: { ...call.headers, "idempotency-key": key } });

  test("the same request again gives the first answer again, byte for byte, and runs nothing", async () => {
    const first = await keyed("again");
    const second = await keyed("again");
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.text).toBe(first.text);
    expect(second.headers.get("x-extract-request-id")).toBe(first.json.id);
  });

  test("a failed one gives its problem again", async () => {
    const first = await keyed("failed", { json: { text: "corrupt" } });
    const second = await keyed("failed", { json: { text: "corrupt" } });
    expect([first.status, second.status, second.text]).toEqual([422, 422, first.text]);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.headers.get("content-type")).toContain("application/problem+json");
  });

  test("an asynchronous one gives its 202 again, before and after it ended", async () => {
    const call = { json: { text: "hang" }, headers: { prefer: "respond-async" } };
    const first = await keyed("async", call);
    const second = await keyed("async", call);
    await stage.cancel(first.json.id);
    const third = await keyed("async", call);
    expect([first.status, second.status, third.status]).toEqual([202, 202, 202]);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
  });

  test("two at the same instant: one runs, the other is answered 409 or by the first's answer", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => keyed("instant")));
    const ran = answers.filter(({ headers, status }) => status === 200 && !headers.get("idempotency-replayed"));
    expect(ran).toHaveLength(1);
    for (const { status, json } of answers)
      expect(status === 409 ? json.code : json.id).toBe(status === 409 ? "idempotency_conflict" : ran[0]!.json.id);
  });

  test("still running is 409 with Retry-After", async () => {
    const running = keyed("running", { json: { text: "hang" } });
    const id = await until("it runs", async () => {
      const { json } = await stage.get("/extractions?status=processing");
      return json.data[0]?.id;
    });
    const answer = await keyed("running", { json: { text: "hang" } });
    expect([answer.status, answer.json.code]).toEqual([409, "idempotency_conflict"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    await stage.cancel(id);
    expect((await running).status).toBe(409);
  });

  test.each([
    ["another text", { json: { text: "twice" } }],
    ["another option", { json: { text: "once", options: { ocr: "never" } } }],
    ["another password", { json: { text: "once", options: { password: "b" } } }],
    ["other metadata", { json: { text: "once", metadata: { a: 1 } } }],
  ])("another request is 422: %s", async (name, other) => {
    await keyed(name, { json: { text: "once" } });
    const answer = await keyed(name, other);
    expect([answer.status, answer.json.code]).toEqual([422, "idempotency_key_reused"]);
  });

  test("another account's key is another key", async () => {
    const mine = await keyed("shared");
    const other = await stage.another();
    const theirs = await other.extract({ json: { text: "once" }, headers: { "idempotency-key": "shared" } });
    expect(theirs.json.id).not.toBe(mine.json.id);
  });

  test("at most 255 characters", async () => {
    expect((await keyed("k".repeat(255))).status).toBe(200);
    const answer = await keyed("k".repeat(256));
    expect([answer.status, answer.json.code]).toEqual([422, "invalid_request"]);
  });

  test("kept 24 hours", async () => {
    const first = await keyed("a day");
    stage.clock.advance(24 * 3_600_000 - 1000);
    expect((await keyed("a day")).json.id).toBe(first.json.id);
    stage.clock.advance(2000);
    expect((await keyed("a day")).json.id).not.toBe(first.json.id);
  });

  test("a deleted one is 410", async () => {
    const { json } = await keyed("deleted");
    await stage.erase(json.id);
    expect((await keyed("deleted")).status).toBe(410);
  });
});

test("a password is nowhere but sealed in the row, and there only until the end", async () => {
  const password = "correct horse battery staple";
  const answer = await stage.extract({ json: { text: "hang", options: { password } }, headers: { prefer: "wait=0" } });
  const dump = async () => {
    const rows = await stage.database.query<{ line: string }>(
      "SELECT e::text AS line FROM extractions e WHERE id = $1",
      [answer.json.id],
    );
    return rows.map(({ line }) => line).join();
  };
  const sealed = async () => {
    const [row] = await stage.database.query("SELECT length(password) AS n FROM extractions WHERE id = $1", [
      answer.json.id,
    ]);
    return row!.n;
  };
  expect(await sealed()).toBe(password.length + 28);
  expect(await dump()).not.toContain(Buffer.from(password).toString("hex"));
  expect(await dump()).not.toContain(password);
  await stage.cancel(answer.json.id);
  expect(await sealed()).toBeNull();
  await stage.extract({
    body: "x",
    headers: { "content-type": "text/plain" },
    query: `?options[password]=${password}`,
  });
  expect(stage.logs.join("\n")).not.toMatch(/correct.horse/);
});

test("the OpenAPI document names all four ways with every field and option that is taken", async () => {
  const { json } = await stage.call("GET", "/openapi.json");
  const { requestBody, parameters } = json.paths["/api/v1/extract"].post;
  expect(Object.keys(requestBody.content)).toEqual([
    "multipart/form-data",
    "application/json",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
  ]);
  const options = ["async", "pages", "ocr", "languages", "main_content", "preset", "password", "include"];
  const flat = ["url", "text", "webhook_url", "schema", "metadata", ...options.map((name) => `options[${name}]`)];
  const properties = (type: string) => Object.keys(requestBody.content[type].schema.properties).sort();
  expect(properties("multipart/form-data")).toEqual(["file", ...flat].sort());
  expect(properties("application/x-www-form-urlencoded")).toEqual([...flat].sort());
  expect(properties("application/json")).toEqual([
    "file",
    "metadata",
    "options",
    "schema",
    "text",
    "url",
    "webhook_url",
  ]);
  expect(Object.keys(requestBody.content["application/json"].schema.properties.options.properties)).toEqual(options);
  const named = parameters.map((parameter: { in: string; name: string }) => `${parameter.in} ${parameter.name}`);
  for (const name of options) expect(named).toContain(`query options[${name}]`);
  expect(json.openapi).toBe("3.1.0");
  expect(Object.keys(json.webhooks)).toEqual(["extraction.completed", "extraction.failed"]);
});
