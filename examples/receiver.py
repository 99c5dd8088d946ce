#!/usr/bin/env python3
"""A webhook receiver: checks the signature over the raw body in constant time, answers 401 on a mismatch, and prints
one JSON line per event. Python 3.8 or newer, standard library only.

    WEBHOOK_SECRET=whsec_... python3 receiver.py --port 8443 --cert cert.pem --key key.pem

Without --cert and --key it speaks plain HTTP, for use behind a proxy that ends TLS: deliveries go to https only.
"""

import argparse
import hashlib
import hmac
import json
import os
import ssl
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY_BYTES = 100 * 1024 * 1024


def is_signed(secret: str, body: bytes, header: str) -> bool:
    """True when `header` is the signature of exactly these bytes under our secret."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), header.encode("utf-8", "surrogateescape"))


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > MAX_BODY_BYTES:
            return self.answer(413)
        # The bytes as they arrived. Parsing first and writing the JSON again would give another signature.
        body = self.rfile.read(int(length))

        # For a day after a rotation, the old secret's signature comes along: a receiver may change over in its own time.
        names = ("X-Extract-Signature", "X-Extract-Signature-Previous")
        signed = [is_signed(self.server.secret, body, self.headers.get(name, "")) for name in names]
        if True not in signed:
            return self.answer(401)

        # Answer first, work later: the delivery is tried again if this takes longer than 30 s.
        self.answer(204)
        content = parse(body)
        line = {
            "event": self.headers.get("X-Extract-Event"),
            "request_id": self.headers.get("X-Extract-Request-Id"),
            # The same event may come twice; this tells.
            "webhook_id": self.headers.get("webhook-id"),
            "id": content.get("id"),
            "status": content.get("status"),
        }
        print(json.dumps(line), flush=True)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        pass


def parse(body: bytes) -> dict:
    try:
        content = json.loads(body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def main():
    env = os.environ
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default=env.get("HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(env.get("PORT", "8443")))
    parser.add_argument("--cert", default=env.get("TLS_CERT"))
    parser.add_argument("--key", default=env.get("TLS_KEY"))
    options = parser.parse_args()
    if not env.get("WEBHOOK_SECRET"):
        print("Set WEBHOOK_SECRET to the webhook secret of your account (whsec_...).", file=sys.stderr)
        sys.exit(2)

    server = ThreadingHTTPServer((options.host, options.port), Receiver)
    server.secret = env["WEBHOOK_SECRET"]
    secure = bool(options.cert and options.key)
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
        # The handshake must not hold up the thread that accepts connections.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    scheme = "https" if secure else "http"
    print(f"Listening on {scheme}://{options.host}:{server.server_port}", file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
