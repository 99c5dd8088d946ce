// A service with an account, and a world in which the test decides how long an extraction takes.
import { join } from "node:path";
import type { Answer, Call, TestAccount } from "../caller.ts";
import { startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const childModule = join(import.meta.dirname, "child-fixture.ts");

export interface Stage extends TestService {
  account: TestAccount;
  /** POST /api/v1/extract with the account's key. */
  extract(call: Call & { query?: string }): Promise<Answer>;
  get(path: string): Promise<Answer>;
  cancel(id: string): Promise<Answer>;
  erase(id: string): Promise<Answer>;
  /** Sends a text and does not wait for its end; returns its id. See child-fixture.ts for texts that do something. */
  send(text: string): Promise<string>;
  /** The extraction, once it has this status. */
  reaches(id: string, status: string): Promise<Answer>;
  /** Another account of the same service. */
  another(): Promise<Stage>;
}

type Settings = Parameters<typeof startTestService>[0] & { realEngine?: boolean };

export async function setStage({ env, world, realEngine, ...rest }: Settings = {}): Promise<Stage> {
  const service = await startTestService({
    env: { RATE_LIMIT_PER_MINUTE: "1000000", JOBS_AT_ONCE: "2", ...env },
    world: { ...(!realEngine && { childModule }), ...world },
    ...rest,
  });
  return stageOf(service, await service.verified());
}

export function stageOf(service: TestService, account: TestAccount): Stage {
  const key = account.apiKey;
  const get = (path: string) => service.call("GET", `/api/v1${path}`, { key });
  const extract: Stage["extract"] = ({ query = "", ...call }) =>
    service.call("POST", `/api/v1/extract${query}`, { key, ...call });
  return {
    ...service,
    account,
    extract,
    get,
    cancel: (id) => service.call("POST", `/api/v1/extractions/${id}/cancel`, { key }),
    erase: (id) => service.call("DELETE", `/api/v1/extractions/${id}`, { key }),
    async send(text) {
      const { status, text: body, json } = await extract({ json: { text }, headers: { prefer: "respond-async" } });
      if (status !== 202) throw new Error(`extract answered ${status}: ${body}`);
      return json.id;
    },
    reaches: (id, status) =>
      until(`${id} is ${status}`, async () => {
        const answer = await get(`/extractions/${id}`);
        return answer.json.status === status && answer;
      }),
    another: async () => stageOf(service, await service.verified()),
  };
}
