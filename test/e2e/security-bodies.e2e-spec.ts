import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Installation, until } from '@portage/testing';

const isInFull = Boolean(process.env['SECURITY_IN_FULL']);

const SUBMISSIONS = '/v2/data-import/submissions/';
const VALIDATE = '/v2/data-import/accounts/validate/';
const LINES = { 'content-type': 'application/x-ndjson' };

/** How often each body is sent that is too large. */
const REPETITIONS = isInFull ? 20 : 3;
const TOO_LARGE_BYTES = 40_000_000;
/** Lines of an upload that take many seconds, of 800 kB. */
const SHORT_LINES = 400_000;
/** An upload ends at once with its client, beside the batches that are stored already; a busy machine takes longer. */
const MAX_END_MS = 5_000;

let portage: Installation;

beforeAll(async () => {
  portage = await Installation.start({ backend: 'postgres', workers: 0 });
});
afterAll(async () => {
  const failed = portage.failedRequests();
  await portage.stop();
  expect(failed).toEqual([]);
});

async function connected(): Promise<Socket> {
  const { hostname, port } = new URL(portage.baseUrl);
  const socket = connect(Number(port), hostname);
  // A refused request may end in a reset, which the test sees as a missing answer.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const headOf = (path: string, headers: Record<string, string>, token = portage.token) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${token}\r\n` +
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

it('an upload ends with its client, also once its body has arrived', async () => {
  const id = await portage.openSubmission('hostile');
  const body = Buffer.from('1\n'.repeat(SHORT_LINES));
  const socket = await connected();
  socket.write(headOf(`${SUBMISSIONS}${id}/accounts/`, { ...LINES, 'Content-Length': String(body.length) }));
  socket.write(body);
  const uploads = async () =>
    portage.sql<{ lines: number; hasEnded: boolean }>(
      `SELECT lines, ended_at IS NOT NULL AS "hasEnded" FROM submission_upload WHERE submission_id = $1`,
      [id],
    );
  await until(async () => ((await uploads())[0]?.lines ?? 0) > 0, 'Nothing was stored.');
  socket.destroy();
  const start = performance.now();
  await until(async () => (await uploads())[0]!.hasEnded, 'The upload has not ended.');
  const endMs = performance.now() - start;
  const [{ lines } = { lines: 0 }] = await uploads();
  process.stderr.write(`Upload without a client: ended after ${endMs.toFixed(0)} ms and ${lines} lines.\n`);
  expect(endMs).toBeLessThan(MAX_END_MS);
  expect(lines).toBeLessThan(SHORT_LINES);
});

/** Text that gzip cannot make smaller than two thirds. */
const random = (bytes: number) => Buffer.from(randomBytes((bytes * 3) / 4).toString('base64'));

/** Waits until the socket takes more, or is closed. */
async function drained(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = () => {
      socket.off('drain', settle).off('close', settle);
      resolve();
    };
    socket.on('drain', settle).on('close', settle);
  });
}

/** Sends all of a request before it reads anything, as simple clients do. @returns all that the service has sent */
async function sendThenRead(parts: readonly (string | Buffer)[], timeoutMs = 60_000): Promise<string> {
  const socket = await connected();
  socket.pause();
  const received: Buffer[] = [];
  try {
    for (const part of parts) {
      if (!socket.writable) break;
      // A reset while it sends ends the client. Whatever had arrived before is lost.
      if (!socket.write(part)) await drained(socket);
    }
    if (socket.destroyed) return '';
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.resume();
    const isWhole = () => /\r\n\r\n[^]*\}$/.test(Buffer.concat(received).toString());
    const closed = once(socket, 'close').then(() => true);
    const start = performance.now();
    while (!isWhole() && performance.now() - start < timeoutMs)
      if (await Promise.race([closed, sleep(20).then(() => false)])) break;
    return Buffer.concat(received).toString();
  } finally {
    socket.destroy();
  }
}

const CHUNK = 1 << 16;
function piecesOf(body: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += CHUNK) pieces.push(body.subarray(at, at + CHUNK));
  return pieces;
}
const asChunked = (body: Buffer) => [
  ...piecesOf(body).flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']),
  '0\r\n\r\n',
];

describe('a body that is larger than it may be', () => {
  const json = { 'Content-Type': 'application/json' };
  const gzip = { ...json, 'Content-Encoding': 'gzip' };
  const text = () => Buffer.from(`{"text":"${'x'.repeat(TOO_LARGE_BYTES)}"}`);
  const packed = () =>
    gzipSync(Buffer.concat([Buffer.from('{"text":"'), random(TOO_LARGE_BYTES), Buffer.from('"}')]), {
      level: 1,
    });
  const sized = (headers: Record<string, string>, body: Buffer) => [
    headOf(VALIDATE, { ...headers, 'Content-Length': String(body.length) }),
    ...piecesOf(body),
  ];
  const chunked = (headers: Record<string, string>, body: Buffer) => [
    headOf(VALIDATE, { ...headers, 'Transfer-Encoding': 'chunked' }),
    ...asChunked(body),
  ];

  it.each([
    ['with its length', () => sized(json, text())],
    ['in chunks', () => chunked(json, text())],
    ['with gzip and its length', () => sized(gzip, packed())],
    ['with gzip in chunks', () => chunked(gzip, packed())],
    ['with gzip that unpacks to it', () => sized(gzip, gzipSync(text(), { level: 1 }))],
  ] as const)(
    `a body of ${TOO_LARGE_BYTES} bytes, sent %s, is answered 413 each of ${REPETITIONS} times`,
    async (name, build) => {
      const parts = build();
      const statuses: number[][] = [];
      for (let round = 0; round < REPETITIONS; round += 1)
        statuses.push(statusesIn(await sendThenRead(parts)));
      process.stderr.write(
        `40 MB ${name}: ${statuses.filter(([status]) => status === 413).length} of ${REPETITIONS} answered.\n`,
      );
      expect(statuses).toEqual(Array.from({ length: REPETITIONS }, () => [413]));
    },
  );

  it.each([
    ['without a valid token', VALIDATE, { ...json }, 'x', 401],
    ['at an unknown address', '/v2/data-import/nowhere/', { ...json }, undefined, 404],
    ['of an unknown type', VALIDATE, { 'Content-Type': 'text/plain' }, undefined, 415],
    ['in an unknown encoding', VALIDATE, { ...json, 'Content-Encoding': 'br' }, undefined, 415],
    ['for an unknown submission', `${SUBMISSIONS}999999999/accounts/`, { ...LINES }, undefined, 404],
  ] as const)(
    'a body that is refused for another reason is answered too: %s',
    async (_name, path, headers, token, status) => {
      const body = Buffer.alloc(9_000_000, 'x');
      const head = headOf(path, { ...headers, 'Transfer-Encoding': 'chunked' }, token);
      for (let round = 0; round < REPETITIONS; round += 1)
        expect(statusesIn(await sendThenRead([head, ...asChunked(body)]))).toEqual([status]);
    },
  );

  it('leaves its connection to the next request', async () => {
    const next = `GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const received = await sendThenRead([...chunked(json, text()), next]);
    // The client stops reading at the end of either answer.
    expect(statusesIn(received)[0]).toBe(413);
    expect([1, 2]).toContain(statusesIn(received).length);
  });

  it('is read up to 64 MiB after its answer, then its connection is closed', async () => {
    const socket = await connected();
    socket.resume();
    socket.write(headOf(VALIDATE, { ...json, 'Transfer-Encoding': 'chunked' }));
    const piece = Buffer.concat([
      Buffer.from(`${CHUNK.toString(16)}\r\n`),
      Buffer.alloc(CHUNK, 'x'),
      Buffer.from('\r\n'),
    ]);
    while (!socket.destroyed && socket.bytesWritten < 1_000_000_000)
      if (!socket.write(piece)) await drained(socket);
    const sent = socket.bytesWritten;
    process.stderr.write(`Endless body: closed after ${sent} bytes.\n`);
    // The buffers of the system have some megabytes more.
    expect(sent).toBeGreaterThan(64 << 20);
    expect(sent).toBeLessThan(110 << 20);
  });
});

describe('a request has one answer', () => {
  /** Sends the parts with pauses. @returns all that the service sends until it closes the connection */
  const exchange = async (parts: readonly string[], timeoutMs = 20_000): Promise<string> => {
    const socket = await connected();
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    const closed = once(socket, 'close');
    for (const part of parts) {
      socket.write(part);
      await sleep(300);
    }
    await Promise.race([closed, sleep(timeoutMs, undefined, { ref: false })]);
    socket.destroy();
    return received;
  };

  it('a body whose rest is not HTTP gets one answer', async () => {
    const head = headOf(VALIDATE, { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' });
    expect(statusesIn(await exchange([`${head}1\r\nx\r\n`, 'not a chunk\r\n\r\n']))).toEqual([415]);
  });

  it('bytes after a request do not change an answer that is being sent', async () => {
    const number = 'A-RAW';
    await portage.schedule(portage.account(number));
    const { default: pg } = await import('pg');
    const lock = new pg.Client({ connectionString: portage.databaseUrl });
    await lock.connect();
    try {
      await lock.query('BEGIN; LOCK TABLE import_process IN ACCESS EXCLUSIVE MODE');
      const request =
        `GET /v1/data-import/all-account-import-processes/${portage.supplier}/ HTTP/1.1\r\n` +
        `Host: localhost\r\nAuthorization: Token ${portage.token}\r\n\r\n`;
      const received = exchange([request, 'not a request\r\n\r\n'], 5_000);
      await sleep(1_500);
      await lock.query('COMMIT');
      expect((await received).match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(await received).not.toContain('400 Bad Request');
    } finally {
      await lock.end();
    }
  });
});

describe('costly GraphQL queries', () => {
  /** Queries of the largest size that repeat, alias, spread and nest fields. */
  const COSTLY: [string, string][] = [
    ['repeated fields', `{ ${'service '.repeat(490)} }`],
    ['repeated fields with directives', `{ ${'service @a @b '.repeat(240)} }`],
    [
      'many fragments',
      `{ ...F0 } ${Array.from({ length: 60 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} service }`).join(' ')} fragment F60 on Query { service }`,
    ],
    ['spread fragments', `{ ${'...F '.repeat(300)} } fragment F on Query { ${'service '.repeat(200)} }`],
    ['many operations', Array.from({ length: 100 }, (_, n) => `query Q${n} { service }`).join(' ')],
    ['unknown fields', `{ ${Array.from({ length: 400 }, (_, n) => `f${n}`).join(' ')} }`],
    [
      'many variables',
      `query (${Array.from({ length: 150 }, (_, n) => `$v${n}: String`).join(' ')}) { service }`,
    ],
    ['deep inline fragments', `{ ${'... on Query { service '.repeat(15)} ${'}'.repeat(15)} }`],
    ['long text', `mutation { obtainPlatformToken(input: { APIKey: "${'x'.repeat(3_900)}" }) { token } }`],
    ['a syntax error', '{'.repeat(900)],
  ];

  const ask = async (query: string) => portage.post('/v1/graphql/', { query }, { authorization: undefined });
  const cpuSeconds = async () => portage.metric('process_cpu_seconds_total');

  it('are refused within a few milliseconds of processor time each', async () => {
    for (const [, query] of COSTLY) await ask(query);
    for (const [name, query] of COSTLY) {
      // The least of several series: other programs on the machine make a series slower, and none makes it faster.
      const series: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        const before = await cpuSeconds();
        for (let round = 0; round < 10; round += 1) expect((await ask(query)).status).not.toBe(500);
        series.push(((await cpuSeconds()) - before) * 100);
      }
      const milliseconds = Math.min(...series);
      process.stdout.write(`GraphQL, ${name}: ${milliseconds.toFixed(1)} ms.\n`);
      expect([name, milliseconds < 20]).toEqual([name, true]);
    }
  });
});
