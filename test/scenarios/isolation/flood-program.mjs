// The attack of a supplier, in a process of its own, so that it does not slow the client that measures. Reads
// { baseUrl, token, connections, maxRequests, requests: [{ method, path, body }] } from standard input and sends the
// requests in turn over all connections until SIGTERM, for two minutes or `maxRequests` requests at most. `{n}` in a path or body becomes a number that is
// different each time. Prints a line once it has started, and at the end the number of answers by status.
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_MS = 120_000;
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

const send = ({ method, path, body }) => {
  const number = String(count++);
  const sent = body?.replaceAll('{n}', number);
  return new Promise((resolve) => {
    const request = httpRequest(
      baseUrl + path.replaceAll('{n}', number),
      {
        method,
        agent,
        headers: {
          authorization: `Token ${token}`,
          ...(sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
        },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode));
      },
    );
    request.on('error', () => resolve('broken'));
    request.end(sent);
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
    for (let turn = connection; !isStopped && count < maxRequests; turn += 1) {
      const status = await send(requests[turn % requests.length]);
      if (!isStopped) answers[status] = (answers[status] ?? 0) + 1;
      if (status === 'broken') await sleep(20);
    }
  }),
);
process.stdout.write(`${JSON.stringify(answers)}\n`);
