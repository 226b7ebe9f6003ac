/**
 * Receives webhooks of Portage: verifies their signatures with the package `standardwebhooks`, returns the challenge with
 * which an endpoint is verified, and prints each event once.
 *
 *     npm install standardwebhooks
 *     WEBHOOK_SECRET=whsec_... PORT=8080 node webhook-receiver.js
 *
 * Put a proxy with TLS in front of it: webhooks are sent to https URLs only.
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;
if (!WEBHOOK_SECRET)
  throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint, which begins with whsec_.');

/** Events have a few kilobytes. */
const MAX_BODY_BYTES = 65_536;

const webhook = new Webhook(WEBHOOK_SECRET);

/**
 * The ids of events that were taken. An event can be delivered more than once: keep the ids in your database, in the
 * transaction that processes the event.
 */
const taken = new Set<string>();

function take(id: string, event: unknown): void {
  if (taken.has(id)) return;
  taken.add(id);
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** The challenge of a message, which proves that this server wants the events of the endpoint. */
function challengeIn(event: unknown): string | undefined {
  const { type, data } = event as { type?: string; data?: { challenge?: string } };
  return type === 'data_import.webhook_verification-v1' ? data?.challenge : undefined;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) response.writeHead(413).end();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    if (response.writableEnded) return;
    // The signature is over the bytes that were sent: verify before anything parses the body.
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = request.headers as Record<string, string>;
    try {
      const event = webhook.verify(body, headers);
      // Only after the signature was verified: other endpoints of other senders must not be answered for.
      const challenge = challengeIn(event);
      if (challenge !== undefined) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challenge }));
        return;
      }
      take(headers['webhook-id'] as string, event);
      // Answer within 10 seconds: put long work into a queue of your own.
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stdout.write(`Listening on port ${port}\n`);
});
