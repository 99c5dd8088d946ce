// A sample event, to try a receiver with: signed, sent and retried like any other, and of the same shape as a real one.
import { createHash, randomUUIDv7 } from "node:crypto";
import type { App } from "../app.ts";
import { announce } from "../platform/db/database.ts";

const TEXT = "This is a test event.";

/** Returns the event's id. */
export async function sendTestEvent(app: App, accountId: string, url: string): Promise<string> {
  const id = randomUUIDv7();
  const now = app.clock.now();
  const body = sampleBody(app, now);
  await app.db
    .insertInto("deliveries")
    .values({
      id,
      account_id: accountId,
      extraction_id: null,
      event: "extraction.completed",
      url,
      host: new URL(url).host,
      body,
      bytes: body.length,
      status: "pending",
      created_at: now,
      run_at: now,
    })
    .execute();
  await announce(app.db, "deliveries");
  return id;
}

function sampleBody(app: App, now: Date): Buffer {
  const at = now.toISOString();
  const sha256 = createHash("sha256").update(TEXT).digest("hex");
  return Buffer.from(
    JSON.stringify({
      id: randomUUIDv7(),
      object: "extraction",
      status: "completed",
      created_at: at,
      started_at: at,
      completed_at: at,
      expires_at: at,
      source: { kind: "txt", mime_type: "text/plain", name: "test.txt", size: TEXT.length, sha256, url: null },
      document: {
        title: null,
        authors: [],
        language: "en",
        published_at: null,
        metadata: {},
        page_count: 1,
        text: TEXT,
        markdown: TEXT,
        pages: [{ number: 1, width: null, height: null, unit: null, rotation: 0, ocr: false }],
        elements: [{ id: "e1", type: "paragraph", text: TEXT, page: 1, bbox: null }],
        tables: [],
      },
      data: null,
      evidence: null,
      warnings: [],
      usage: { pages: 1 },
      engine: { version: app.config.version },
      metadata: { test: true },
      duration_ms: 0,
    }),
  );
}
