// Rounds of kill -9 while accounts are made and keys rotated: what was acknowledged must be there after the next start.
import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type SpawnedService, spawnService, temporaryFolder } from "./spawn.ts";
import { until } from "./until.ts";

export interface KillReport {
  rounds: number;
  registered: number;
  rotated: number;
  /** Acknowledged and gone, or dead and still let in: each one in words. */
  wrong: string[];
  restartMs: number[];
}

interface Known {
  email: string;
  key: string;
  verified: boolean;
  deadKeys: string[];
  /** A rotation nobody answered may or may not have happened. */
  unsure: boolean;
}

/** Each round is killed after a number of answers and a moment of its own, so that the kill falls anywhere in the work. */
const answersBefore = (round: number) => 4 + (round % 5);
const momentMs = (round: number) => (round * 37) % 120;
const REGISTERING = 2;
const ROTATING = 2;

export async function killRounds(rounds: number): Promise<KillReport> {
  const dataDir = await temporaryFolder();
  const env = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: "100000", SIGNUPS_PER_HOUR: "100000", LOG_LEVEL: "error" };
  const accounts: Known[] = [];
  const report: KillReport = { rounds, registered: 0, rotated: 0, wrong: [], restartMs: [] };
  let service = await spawnService(env);
  for (let round = 0; round < rounds; round++) {
    await verifySome(service, accounts);
    const touched = await workUntilKilled(service, accounts, round, report);
    const killedAt = performance.now();
    service = await spawnService(env);
    report.restartMs.push(performance.now() - killedAt);
    for (const account of touched) await check(service, account, report);
  }
  for (const account of accounts) await check(service, account, report);
  const how = await service.end("SIGTERM");
  if (how !== 0) report.wrong.push(`the last service ended with ${how}: ${service.output()}`);
  await rm(dataDir, { recursive: true, force: true });
  return report;
}

async function workUntilKilled(service: SpawnedService, accounts: Known[], round: number, report: KillReport) {
  const touched = new Set<Known>();
  let killed = false;
  const whileAlive = async (act: (turn: number) => Promise<void>) => {
    for (let turn = 0; !killed; turn++) await act(turn).catch(() => {});
  };
  const register = async (worker: number, turn: number) => {
    const email = `r${round}w${worker}t${turn}@example.com`;
    const { apiKey } = await service.signUp({ email });
    const account = { email, key: apiKey, verified: false, deadKeys: [], unsure: false };
    accounts.push(account);
    touched.add(account);
    report.registered++;
  };
  const rotate = async (worker: number, turn: number) => {
    const mine = accounts.filter(({ verified, unsure }, i) => verified && !unsure && i % ROTATING === worker);
    const account = mine[turn % mine.length];
    if (!account) return delay(20);
    account.unsure = true;
    const { status, json } = await service.call("POST", "/api/v1/account/rotate-key", { key: account.key });
    account.unsure = false;
    if (status !== 200) return;
    account.deadKeys.push(account.key);
    account.key = json.api_key;
    touched.add(account);
    report.rotated++;
  };
  const work = Promise.all([
    ...Array.from({ length: REGISTERING }, (_, worker) => whileAlive((turn) => register(worker, turn))),
    ...Array.from({ length: ROTATING }, (_, worker) => whileAlive((turn) => rotate(worker, turn))),
  ]);
  const before = report.registered + report.rotated;
  await until("enough was answered", () => report.registered + report.rotated - before >= answersBefore(round));
  await delay(momentMs(round));
  const ended = service.end("SIGKILL");
  killed = true;
  await Promise.all([ended, work]);
  return touched;
}

/** Also shows that the mail of an acknowledged sign-up comes, though its service was killed. */
async function verifySome(service: SpawnedService, accounts: Known[]): Promise<void> {
  for (const account of accounts.filter(({ verified }) => !verified).slice(0, 3)) {
    const { token } = await service.mail(account.email);
    account.verified = (await service.call("POST", "/verify", { json: { token } })).status === 200;
  }
}

async function check(service: SpawnedService, account: Known, report: KillReport): Promise<void> {
  if (account.unsure) return;
  const ask = async (key: string) => (await service.call("GET", "/api/v1/account", { key })).status;
  const status = await ask(account.key);
  if (status !== (account.verified ? 200 : 403)) report.wrong.push(`${account.email}: its key is answered ${status}`);
  const dead = account.deadKeys.at(-1);
  if (dead && (await ask(dead)) !== 401) report.wrong.push(`${account.email}: a replaced key is still let in`);
}
