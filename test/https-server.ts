// A real HTTPS server on loopback that remembers what arrived: the receiver and the file host of the tests.

import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Certificate, makeCertificate } from "./certificate.ts";

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The name the client asked for in the TLS handshake; "" where it sent none. */
  servername: string;
}

export interface HttpsServer {
  port: number;
  /** https://localhost:PORT */
  origin: string;
  /** PEM to trust: for `openOutbound({ ca })`, or in a file for NODE_EXTRA_CA_CERTS. */
  ca: string;
  requests: ReceivedRequest[];
  /** TCP connections so far, whether or not a request came of them. */
  readonly connections: number;
  close(): Promise<void>;
}

export interface HttpsServerOptions {
  certificate?: Certificate;
  /** Names and addresses in the certificate; localhost, 127.0.0.1 and ::1 unless said. */
  hosts?: string[];
  /** Where it listens; 127.0.0.1 unless said. */
  listen?: string;
}

/** `handler` runs when the whole body is there and must answer (or break the connection). */
export async function startHttpsServer(
  handler: (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>,
  options: HttpsServerOptions = {},
): Promise<HttpsServer> {
  const certificate = options.certificate ?? makeCertificate({ hosts: options.hosts });
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer({ cert: certificate.cert, key: certificate.key }, async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "", url = "", headers } = incoming;
    const { servername } = incoming.socket as TLSSocket & { servername: string | false };
    const request = { method, url, headers, body: Buffer.concat(chunks), servername: servername || "" };
    requests.push(request);
    await handler(request, response);
  });
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  // Failed handshakes and clients that hang up are what some tests are about.
  server.on("tlsClientError", () => {});
  server.on("clientError", (_error, socket) => socket.destroy());

  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(0, options.listen ?? "127.0.0.1", done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `https://localhost:${port}`,
    ca: certificate.cert,
    requests,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
