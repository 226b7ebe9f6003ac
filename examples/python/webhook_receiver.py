"""Receives webhooks of Portage with nothing but Python's standard library (3.8 or later).

    export WEBHOOK_SECRET=whsec_...
    python3 examples/python/webhook_receiver.py 8080

Verifies the signature of each event as the Standard Webhooks specification says, returns the challenge with which an
endpoint is verified, and prints each event once. Put a proxy with TLS in front of it: webhooks are sent to https URLs
only.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Events have a few kilobytes.
MAX_BODY_BYTES = 65536
# Older requests are refused, so that a recorded one cannot be sent again later.
TOLERANCE_SECONDS = 300


def is_signed(secret, headers, body):
    """True if one of the signatures was made with the secret. During a rotation there are two."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret[len("whsec_"):])
    signed = ("%s.%s." % (webhook_id, timestamp)).encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(signature, expected) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    # Keeps the connection for the next event.
    protocol_version = "HTTP/1.1"
    secret = ""
    # An event can be delivered more than once: keep the ids in your database, in the transaction that processes it.
    taken = set()

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if length > MAX_BODY_BYTES:
            self.close_connection = True
            return self.answer(413)
        # The signature is over the bytes that were sent: verify before anything parses the body.
        body = self.rfile.read(length)
        if not is_signed(self.secret, self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        # Only after the signature was verified: endpoints of other senders must not be answered for.
        if event["type"] == "data_import.webhook_verification-v1":
            return self.answer(200, json.dumps({"challenge": event["data"]["challenge"]}).encode())
        self.take(self.headers["webhook-id"], event)
        # Answer within 10 seconds: put long work into a queue of your own.
        self.answer(204)

    def take(self, webhook_id, event):
        if webhook_id not in self.taken:
            self.taken.add(webhook_id)
            print(json.dumps(event), flush=True)

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    Receiver.secret = os.environ.get("WEBHOOK_SECRET", "")
    if len(sys.argv) != 2 or not Receiver.secret.startswith("whsec_"):
        raise SystemExit("Usage: WEBHOOK_SECRET=whsec_... webhook_receiver.py PORT")
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print("Listening on port %d" % server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
