// The HTTP server: what every request and every answer has in common. The only place where an error becomes a reply.
import { randomUUIDv7 } from "node:crypto";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { App } from "../app.ts";
import { Fault } from "../errors.ts";
import { openLooking } from "../extractions/look.ts";
import type { Runner } from "../extractions/runner.ts";
import { accountRoutes } from "./api/account.ts";
import { deliveryRoutes } from "./api/deliveries.ts";
import { extractRoutes } from "./api/extract.ts";
import { extractionRoutes } from "./api/extractions.ts";
import { healthRoutes } from "./api/health.ts";
import { paymentRoutes } from "./api/payments.ts";
import { admitKey } from "./gate.ts";
import { documentApi } from "./openapi.ts";
import { billingPages } from "./pages/billing.ts";
import { dashboardPages } from "./pages/dashboard.ts";
import { docsPages } from "./pages/docs.ts";
import { extractionPages } from "./pages/extraction.ts";
import { extractionListPages } from "./pages/extractions.ts";
import { guidePages } from "./pages/guides.ts";
import { homePages } from "./pages/home.ts";
import { errorPage } from "./pages/page.ts";
import { passwordPages } from "./pages/password.ts";
import { playgroundPages } from "./pages/playground.ts";
import { registerPages } from "./pages/register.ts";
import { signInPages } from "./pages/sign-in.ts";
import { toFault, toProblem } from "./problem.ts";
import { securityHeaders } from "./security.ts";

/** JSON and form bodies; documents have their own limit. */
const MAX_BODY_BYTES = 1_000_000;
/** Time to send a request's head. */
const HEADERS_TIMEOUT_MS = 20_000;
/** Time to send all of it: the largest document over a slow line (50 MB at 1.4 Mbit/s). */
const REQUEST_TIMEOUT_MS = 300_000;

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface ServerState {
  draining: boolean;
}

export async function buildServer(app: App, runner: Runner, state: ServerState): Promise<Server> {
  const server: Server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trusted(app.config.trustProxy),
    genReqId: () => randomUUIDv7(),
    requestIdHeader: false,
    // Closing must not wait for idle keep-alive connections.
    forceCloseConnections: "idle",
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node's own answer to a request without a Host has no body; ours has.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    frameworkErrors: (error, request, reply) => answerFault(app, request, reply, toFault(error)),
    clientErrorHandler: (error, socket) => {
      if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
      socket.end(rawProblem(app, toFault(Object.assign(error, { statusCode: 400 }))));
    },
  }).withTypeProvider<ZodTypeProvider>();

  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  server.decorateRequest("account", null as never);
  takeBodies(server);

  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-extract-request-id", request.id).headers(securityHeaders(app));
    if (state.draining) reply.header("connection", "close");
    if (!request.headers.host && request.raw.httpVersion === "1.1")
      throw new Fault("malformed_request", { detail: "The request has no Host." });
  });
  server.addHook("onResponse", async (request, reply) => report(app, request, reply));
  server.setErrorHandler((error: FastifyError, request, reply) => answerFault(app, request, reply, toFault(error)));
  const methodsOf = collectMethods(server);
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?")[0]!;
    // A key that asks for what is not there is counted and answered like any other request with it.
    if (path.startsWith("/api/v1/") && request.headers.authorization) await admitKey(app, request, reply);
    const allow = methodsOf(path);
    if (allow.length && !allow.includes(request.method))
      throw new Fault("method_not_allowed", { headers: { allow: allow.join(", ") } });
    throw new Fault("not_found");
  });

  await documentApi(server, app);
  healthRoutes(server, app, state);
  await server.register(
    async (api) => {
      api.addHook("onRequest", (request, reply) => admitKey(app, request, reply));
      // In the order of the reference.
      await api.register(async (documents) => extractRoutes(documents as Server, app, runner));
      extractionRoutes(api as Server, app, runner);
      deliveryRoutes(api as Server, app);
      accountRoutes(api as Server, app);
    },
    { prefix: "/api/v1" },
  );
  await server.register(async (payments) => paymentRoutes(payments as Server, app), { prefix: "/api/v1" });
  for (const pages of [
    homePages,
    registerPages,
    signInPages,
    passwordPages,
    dashboardPages,
    billingPages,
    guidePages,
    docsPages,
  ])
    pages(server, app);
  const looking = openLooking(app);
  server.addHook("onClose", looking.close);
  extractionListPages(server, app);
  extractionPages(server, app, looking);
  await playgroundPages(server, app, runner);
  return server;
}

const trusted = (proxies: boolean | number | string) =>
  typeof proxies === "number" ? (_address: string, hop: number) => hop < proxies : proxies;

/** Bodies are bytes first: text that is not UTF-8 is refused rather than repaired. */
function takeBodies(server: Server): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const parse =
    <T>(read: (text: string) => T) =>
    async (_request: FastifyRequest, body: Buffer) => {
      try {
        return read(utf8.decode(body));
      } catch (cause) {
        throw new Fault("malformed_request", { detail: "The body is not well-formed.", cause });
      }
    };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    parse((text) => (text ? JSON.parse(text) : undefined)),
  );
  server.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    parse((text) => Object.fromEntries(new URLSearchParams(text))),
  );
}

/** Which methods a path takes; Fastify itself only knows whether the method at hand is one of them. */
function collectMethods(server: Server): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  server.addHook("onRoute", ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replace(/[.]/g, "\\.")
        .replace(/\/:\w+/g, "/[^/]+")
        .replace(/\*/g, ".*")}$`,
    );
    routes.push({ pattern, methods: [method].flat() });
  });
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}

function answerFault(app: App, request: FastifyRequest, reply: FastifyReply, fault: Fault): void {
  if (fault.status >= 500) app.log.error({ err: fault.cause ?? fault, request: request.id }, fault.message);
  const problem = toProblem(fault, { baseUrl: app.baseUrl, id: request.id });
  // What fails before the hooks run has none of these yet.
  if (!reply.hasHeader("x-extract-request-id"))
    reply.header("x-extract-request-id", request.id).headers(securityHeaders(app));
  reply.code(fault.status).headers(fault.headers);
  if (wantsPage(request)) reply.type("text/html; charset=utf-8").send(errorPage(problem));
  // As bytes, because Fastify adds a charset to text, which this type has none of.
  else reply.type("application/problem+json").send(Buffer.from(JSON.stringify(problem)));
}

/** A browser that was sent to a page, not a program that calls the API. */
const wantsPage = (request: FastifyRequest) =>
  !request.url.startsWith("/api/") && (request.headers.accept ?? "").startsWith("text/html");

/** For what Node's parser refuses before there is a request. */
function rawProblem(app: App, fault: Fault): string {
  const id = randomUUIDv7();
  const body = JSON.stringify(toProblem(fault, { baseUrl: app.baseUrl, id }));
  return [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    "content-type: application/problem+json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-extract-request-id: ${id}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}

/** The route's pattern, never the URL: query strings hold passwords and tokens. */
function report(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url ?? "unknown";
  const labels = { method: request.method, route, status: String(reply.statusCode) };
  app.metrics.requests.observe(labels, reply.elapsedTime / 1000);
  if (route === "/health" || route === "/ready") return;
  app.log.info(
    {
      request: request.id,
      ...labels,
      ms: Math.round(reply.elapsedTime),
      account: request.account?.id,
      address: request.ip,
    },
    "request",
  );
}
