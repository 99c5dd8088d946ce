// A service with an account, and the ways its documents are sent: what the tests of extractions share.
import type { Answer, Call, TestAccount } from "../caller.ts";
import { startTestService, type TestService } from "../service.ts";

export interface Stage extends TestService {
  account: TestAccount;
  /** POST /api/v1/extract with the account's key. */
  extract(call: Call & { query?: string }): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

export async function setStage(...settings: Parameters<typeof startTestService>): Promise<Stage> {
  const [{ env, ...rest } = {}] = settings;
  const service = await startTestService({ env: { RATE_LIMIT_PER_MINUTE: "100000", ...env }, ...rest });
  return stageOf(service, await service.verified());
}

export function stageOf(service: TestService, account: TestAccount): Stage {
  return {
    ...service,
    account,
    extract: ({ query = "", ...call }) =>
      service.call("POST", `/api/v1/extract${query}`, { key: account.apiKey, ...call }),
    get: (path) => service.call("GET", `/api/v1${path}`, { key: account.apiKey }),
  };
}

export interface Sent {
  content: string;
  name?: string;
  type?: string;
  fields?: Record<string, string>;
}

export function multipart({ content, name = "note.txt", type = "text/plain", fields = {} }: Sent): Call {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append("file", new Blob([content], { type }), name);
  return { body };
}
