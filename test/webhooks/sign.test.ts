import { createHmac, randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { decodeSecret, deliveryHeaders, signBody, signStandard } from "../../src/webhooks/sign.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

describe("signBody", () => {
  it("agrees with RFC 4231, test case 2", () => {
    expect(signBody("Jefe", "what do ya want for nothing?")).toBe(
      "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  });

  it("is keyed with the whole secret string, over the raw bytes", () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x7d]);
    const hex = createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex");
    expect(signBody(secret, body)).toBe(`sha256=${hex}`);
    expect(signBody(secret, "é")).toBe(signBody(secret, Buffer.from([0xc3, 0xa9])));
  });
});

describe("signStandard", () => {
  it("agrees with the vector of the specification", () => {
    const parts = { secret, id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampSeconds: 1614265330 };
    expect(signStandard({ ...parts, body: '{"test": 2432232314}' })).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  it("agrees with the standardwebhooks library on any bytes", () => {
    for (const body of ["", "{}", '{"ü":"日本"}', Buffer.from(randomBytes(5000).toString("base64"))]) {
      const other = newSecret();
      const time = new Date(1_700_000_000_000);
      expect(signStandard({ secret: other, id: "evt_1", timestampSeconds: 1_700_000_000, body })).toBe(
        new Webhook(other).sign("evt_1", time, body),
      );
    }
  });

  it("reads the key with and without prefix", () => {
    expect(decodeSecret("whsec_AAEC")).toEqual(Buffer.from([0, 1, 2]));
    expect(decodeSecret("AAEC")).toEqual(Buffer.from([0, 1, 2]));
  });
});

describe("deliveryHeaders", () => {
  const delivery = {
    body: Buffer.from('{"id":"0199a3c2","title":"Überblick"}'),
    event: "extraction.completed",
    requestId: "0199a3c2-7a52-7000-8000-000000000001",
    eventId: "evt_0199a3c2",
    timestamp: new Date("2026-11-15T02:00:00.987Z"),
    secret,
  };

  it("gives exactly the given four and the trio of Standard Webhooks", () => {
    expect(deliveryHeaders(delivery)).toEqual({
      "Content-Type": "application/json",
      "X-Extract-Signature": signBody(secret, delivery.body),
      "X-Extract-Event": "extraction.completed",
      "X-Extract-Request-Id": "0199a3c2-7a52-7000-8000-000000000001",
      "webhook-id": "evt_0199a3c2",
      "webhook-timestamp": "1794708000",
      "webhook-signature": signStandard({
        secret,
        id: "evt_0199a3c2",
        timestampSeconds: 1794708000,
        body: delivery.body,
      }),
    });
    expect(deliveryHeaders({ ...delivery, previousSecret: null })).toEqual(deliveryHeaders(delivery));
  });

  it("adds the old secret's signatures after a rotation, the new one first", () => {
    const previousSecret = newSecret();
    const headers = deliveryHeaders({ ...delivery, previousSecret });
    expect(headers["X-Extract-Signature"]).toBe(signBody(secret, delivery.body));
    expect(headers["X-Extract-Signature-Previous"]).toBe(signBody(previousSecret, delivery.body));
    const [first, second, ...more] = headers["webhook-signature"]!.split(" ");
    const parts = { id: delivery.eventId, timestampSeconds: 1794708000, body: delivery.body };
    expect([first, second]).toEqual([
      signStandard({ secret, ...parts }),
      signStandard({ secret: previousSecret, ...parts }),
    ]);
    expect(more).toEqual([]);
    expect(Object.keys(headers)).toHaveLength(8);
  });

  it("is verified by the standardwebhooks library, with the new and with the old secret", () => {
    const previousSecret = newSecret();
    const headers = deliveryHeaders({ ...delivery, timestamp: new Date(), previousSecret });
    const value = JSON.parse(delivery.body.toString());
    expect(new Webhook(secret).verify(delivery.body, headers)).toEqual(value);
    expect(new Webhook(previousSecret).verify(delivery.body, headers)).toEqual(value);
    expect(() => new Webhook(newSecret()).verify(delivery.body, headers)).toThrow("No matching signature found");
    expect(() => new Webhook(secret).verify(`${delivery.body} `, headers)).toThrow("No matching signature found");
  });
});
