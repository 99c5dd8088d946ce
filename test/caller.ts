// A user of the service as tests play one: calls over HTTP, mails read from the folder they are written to.
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "./until.ts";

export interface Call {
  key?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** Sent as it is. */
  body?: RequestInit["body"];
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; a test that reads it from an answer that is none fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on every field they read.
  readonly json: any;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The first link in it. */
  link: string | null;
  /** The link's token. */
  token: string | null;
}

export interface TestAccount {
  email: string;
  password: string;
  id: string;
  apiKey: string;
  webhookSecret: string;
}

export type Caller = ReturnType<typeof callerOf>;

export function callerOf(where: { baseUrl: string; dataDir: string }) {
  const { baseUrl, dataDir } = where;

  async function call(method: string, path: string, { key, json, form, body, headers = {} }: Call = {}) {
    const response = await fetch(new URL(path, baseUrl), {
      method,
      redirect: "manual",
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams(form) }),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    } satisfies Answer as Answer;
  }

  /** Mails to the address so far, oldest first. */
  async function mails(to: string): Promise<Mail[]> {
    const folder = join(dataDir, "mail");
    const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(".eml")).sort();
    const all = await Promise.all(files.map(async (file) => readMail(await readFile(join(folder, file), "utf8"))));
    return all.filter((mail) => mail.to === to);
  }

  /** The newest mail to the address, once there are `count` of them. */
  async function mail(to: string, count = 1): Promise<Mail> {
    const found = await until(`${to} has ${count} mails`, async () => {
      const list = await mails(to);
      return list.length >= count && list;
    });
    return found.at(-1)!;
  }

  async function signUp(choice: { email?: string; password?: string } = {}): Promise<TestAccount> {
    const email = choice.email ?? `${randomBytes(6).toString("hex")}@example.com`;
    const password = choice.password ?? "a password of ours";
    const { status, text, json } = await call("POST", "/register", { json: { email, password } });
    if (status !== 201) throw new Error(`sign-up answered ${status}: ${text}`);
    return { email, password, id: json.account.id, apiKey: json.api_key, webhookSecret: json.webhook_secret };
  }

  /** An account whose key is let in. */
  async function verified(choice: { email?: string; password?: string } = {}): Promise<TestAccount> {
    const account = await signUp(choice);
    const { token } = await mail(account.email);
    const { status, text } = await call("POST", "/verify", { json: { token } });
    if (status !== 200) throw new Error(`verification answered ${status}: ${text}`);
    return account;
  }

  /** Logs in and returns the cookie header of the session. */
  async function session({ email, password }: { email: string; password: string }): Promise<string> {
    const { status, headers, text } = await call("POST", "/login", { form: { email, password } });
    if (status !== 303) throw new Error(`log-in answered ${status}: ${text}`);
    return headers.getSetCookie()[0]!.split(";")[0]!;
  }

  return { baseUrl, dataDir, call, mails, mail, signUp, verified, session };
}

function readMail(file: string): Mail {
  const [head = "", ...rest] = file.split("\n\n");
  const text = rest.join("\n\n");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(head)?.[1] ?? "";
  return {
    to: header("To"),
    subject: header("Subject"),
    text,
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? null,
    token: /[?&]token=([\w-]+)/.exec(text)?.[1] ?? null,
  };
}
