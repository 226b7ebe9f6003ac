// The attack of a supplier, in a process of its own, so that it does not slow the client that measures. Reads
// { baseUrl, token, connections, maxRequests, requests: [{ method, path, body, lines }] } from standard input and sends the
// requests in turn over all connections until SIGTERM, for two minutes or `maxRequests` requests at most. `{n}` in a path
// or body becomes a number that is different each time; `lines` are sent as they are, piece by piece if they are slow.
// Prints a line once it has started, and at the end the number of answers by status.
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_MS = 120_000;
const SLOW_PIECE_BYTES = 64;
const SLOW_PAUSE_MS = 50;
const {
  baseUrl,
  token,
  connections,
  maxRequests = Infinity,
  requests,
} = JSON.parse(await text(process.stdin));
if (new URL(baseUrl).hostname !== '127.0.0.1') throw new Error('Attacks go to 127.0.0.1 only.');

const agent = new Agent({ keepAlive: true, maxSockets: connections });
const answers = {};
let count = 0;
let isStopped = false;

for (const { lines } of requests) if (lines) lines.bytes = Buffer.from(lines.bytes, 'base64');

async function sendSlowly(request, bytes) {
  for (let at = 0; at < bytes.length && !request.destroyed; at += SLOW_PIECE_BYTES) {
    request.write(bytes.subarray(at, at + SLOW_PIECE_BYTES));
    await sleep(SLOW_PAUSE_MS);
  }
  request.end();
}

const send = ({ method, path, body, lines }) => {
  const number = String(count++);
  const sent = lines?.bytes ?? body?.replaceAll('{n}', number);
  return new Promise((resolve) => {
    const request = httpRequest(
      baseUrl + path.replaceAll('{n}', number),
      {
        method,
        agent,
        headers: {
          authorization: `Token ${token}`,
          ...(sent && {
            'content-type': lines ? 'application/x-ndjson' : 'application/json',
            'content-length': Buffer.byteLength(sent),
          }),
          ...(lines?.isCompressed && { 'content-encoding': 'gzip' }),
        },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode));
      },
    );
    request.on('error', () => resolve('broken'));
    if (lines?.isSlow) void sendSlowly(request, sent);
    else request.end(sent);
  });
};

const stop = () => {
  if (isStopped) return;
  isStopped = true;
  agent.destroy();
};
process.once('SIGTERM', stop);
setTimeout(stop, MAX_MS).unref();
process.stdout.write('started\n');
await Promise.all(
  Array.from({ length: connections }, async (_, connection) => {
    for (let turn = connection; !isStopped && count < maxRequests; turn += connections) {
      const status = await send(requests[turn % requests.length]);
      if (!isStopped) answers[status] = (answers[status] ?? 0) + 1;
      if (status === 'broken') await sleep(20);
    }
  }),
);
process.stdout.write(`${JSON.stringify(answers)}\n`);
