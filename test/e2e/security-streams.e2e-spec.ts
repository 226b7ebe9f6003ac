import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Installation, type OperatorClient, signIn, until } from '@portage/testing';
import { Client } from 'pg';

/**
 * An answer says something after one second, and what runs for a client that has gone ends at once. A busy machine takes
 * longer, but not as long as a statement that waits for its lock.
 */
const MAX_SILENCE_MS = 5_000;
const MAX_END_MS = 5_000;

/** Requests of a client that sends them and goes away at once: more than the API has connections to the database. */
const ABANDONED = 30;

/** Lines of the submission that is searched. `npm run test:security` takes the size at which the fault was found. */
const SEARCHED_LINES = process.env['SECURITY_IN_FULL'] ? 1_800_000 : 60_000;

const SUBMISSIONS = '/v2/data-import/submissions/';
const RESULTS_STATEMENT = '%SELECT * FROM result WHERE is_last%';

let portage: Installation;
let viewer: OperatorClient;
let submission: string;

beforeAll(async () => {
  portage = await Installation.start({ backend: 'postgres', workers: 0 });
  viewer = await signIn(portage, 'viewer');
  submission = await portage.openSubmission('streams');
  expect((await portage.schedule(portage.account('A-1'))).status).toBe(201);
  await portage.upload(submission, 'not JSON\n');
});
afterAll(async () => {
  const failed = portage.failedRequests();
  await portage.stop();
  expect(failed).toEqual([]);
});

/** Every streamed answer, and the table that its first statement reads. */
const ANSWERS: { name: string; table: string; path: () => string; isOperators?: boolean }[] = [
  {
    name: 'the list of processes',
    table: 'import_process',
    path: () => `/v1/data-import/all-account-import-processes/${portage.supplier}/`,
  },
  {
    name: 'the list of pending processes of a status',
    table: 'import_process',
    path: () => `/v1/data-import/pending-account-import-processes/${portage.supplier}/?status=PENDING`,
  },
  {
    name: 'the results of a submission',
    table: 'submission_line',
    path: () => `${SUBMISSIONS}${submission}/results/?outcome=cancelled`,
  },
  {
    name: 'the list of documents',
    table: 'account',
    path: () => `/v2/data-import/documents/${portage.supplier}/`,
  },
  {
    name: 'the feed of events',
    table: 'import_process_event',
    path: () => `/v2/data-import/events/?supplier=${portage.supplier}`,
  },
  {
    name: "the operators' download of results",
    table: 'submission_line',
    path: () => `/operator/v1/submissions/${submission}/results?format=csv`,
    isOperators: true,
  },
  {
    name: "the operators' download of failed accounts",
    table: 'import_process',
    path: () => `/operator/v1/suppliers/${portage.supplier}/failed-accounts`,
    isOperators: true,
  },
];

const headersOf = (isOperators: boolean, token = portage.token, session = viewer) =>
  isOperators ? { cookie: session.headers.cookie } : { authorization: `Token ${token}` };

function open(path: string, isOperators = false, headers = headersOf(isOperators)): ClientRequest {
  const request = httpRequest(portage.baseUrl + path, { headers, agent: false });
  request.on('error', () => undefined);
  request.end();
  return request;
}

async function read(request: ClientRequest): Promise<{ status: number; text: string }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

/** Runs `work` while no statement can read the table: the first statement of an answer waits. */
async function whileLocked<Result>(
  table: string,
  work: (unlock: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: portage.databaseUrl });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work(async () => {
      await client.query('COMMIT');
    });
  } finally {
    await client.end();
  }
}

/** Statements of the API that wait for a lock. */
const countWaiting = async () =>
  portage.countRows(
    `pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`,
  );

/** @returns the milliseconds until the API has no waiting statement any more */
async function timeUntilNoneWaits(): Promise<number> {
  const start = performance.now();
  await until(
    async () => (await countWaiting()) === 0,
    'A statement still waits for a client that has gone.',
  );
  return performance.now() - start;
}

const untilWaiting = async (count: number) =>
  until(async () => (await countWaiting()) >= count, 'The API has sent no statement.');

describe.each(ANSWERS)('$name, while its statement has found nothing', ({ table, path, isOperators }) => {
  it('begins before its statement ends, which is cancelled with its client', async () => {
    await whileLocked(table, async () => {
      const start = performance.now();
      const request = open(path(), isOperators);
      const [response] = (await Promise.race([
        once(request, 'response'),
        sleep(2 * MAX_SILENCE_MS, [undefined], { ref: false }),
      ])) as [IncomingMessage | undefined];
      const begunMs = performance.now() - start;
      expect([response?.statusCode, begunMs < MAX_SILENCE_MS]).toEqual([200, true]);
      await untilWaiting(1);
      request.destroy();
      expect(await timeUntilNoneWaits()).toBeLessThan(MAX_END_MS);
    });
  });

  it('is cancelled for a client that goes before it begins', async () => {
    await whileLocked(table, async () => {
      const request = open(path(), isOperators);
      await untilWaiting(1);
      request.destroy();
      expect(await timeUntilNoneWaits()).toBeLessThan(MAX_END_MS);
    });
  });

  it('is whole for a client that waits', async () => {
    const expected = await read(open(path(), isOperators));
    const late = await whileLocked(table, async (unlock) => {
      const request = open(path(), isOperators);
      const answer = read(request);
      await once(request, 'response');
      await unlock();
      return answer;
    });
    // Each answer of the feed has a cursor of its own.
    const withoutCursor = (text: string) => text.replace(/"next":"[^"]*"/, '');
    expect([late.status, withoutCursor(late.text)]).toEqual([200, withoutCursor(expected.text)]);
  });
});

describe('a client that loses its access', () => {
  /** A token of a new key, and what revokes the key. */
  async function issueToken() {
    const key: string = (await portage.operator('api-key', 'issue', '--organisation', portage.organisation))
      .api_key;
    const revoke = async () => portage.operator('api-key', 'revoke', key.split('_')[1]!);
    return { token: await portage.obtainToken(key), revoke };
  }

  it('has its upload ended, and the reason', async () => {
    const { token, revoke } = await issueToken();
    const id = await portage.openSubmission('revoked');
    const request = httpRequest(`${portage.baseUrl}${SUBMISSIONS}${id}/accounts/`, {
      method: 'POST',
      headers: { ...headersOf(false, token), 'content-type': 'application/x-ndjson' },
      agent: false,
    });
    request.on('error', () => undefined);
    let status: number | undefined;
    const answer = read(request).then((whole) => {
      ({ status } = whole);
      return whole;
    });
    const send = (number: number) => request.write(`${JSON.stringify(portage.account(`R-${number}`))}\n`);
    const countStored = async () => {
      const { body: read } = await portage.get(`${SUBMISSIONS}${id}/`);
      return Number(read.counts.received);
    };
    send(0);
    await until(async () => (await countStored()) === 1, 'The first line is not stored.');
    await revoke();
    let sent = 0;
    await until(() => {
      if (status === undefined) send((sent += 1));
      return status !== undefined;
    }, 'The upload goes on.');
    expect([status, JSON.parse((await answer).text)]).toEqual([
      401,
      expect.objectContaining({ code: 'authentication_failed' }),
    ]);
  });

  it('does not get the rest of any answer', async () => {
    const { token, revoke } = await issueToken();
    const session = await signIn(portage, 'viewer');
    const tables = [...new Set(ANSWERS.map(({ table }) => table))].join(', ');
    await whileLocked(tables, async () => {
      const ends = ANSWERS.map(async ({ name, path, isOperators = false }) => {
        const request = open(path(), isOperators, headersOf(isOperators, token, session));
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        response.on('error', () => undefined).resume();
        await new Promise((resolve) => response.once('close', resolve));
        return [name, response.complete];
      });
      await untilWaiting(ANSWERS.length);
      await revoke();
      await portage.sql(
        'DELETE FROM operator_session WHERE operator_id = (SELECT id FROM operator WHERE name = $1)',
        [session.name],
      );
      expect(await Promise.all(ends)).toEqual(ANSWERS.map(({ name }) => [name, false]));
      expect(await timeUntilNoneWaits()).toBeLessThan(MAX_END_MS);
    });
  });
});

it('clients that go at once leave the database connections of the API to others', async () => {
  const [, , results] = ANSWERS;
  await whileLocked(results!.table, async () => {
    for (let count = 0; count < ABANDONED; count += 1) {
      const request = open(results!.path());
      await untilWaiting(1);
      request.destroy();
    }
    const start = performance.now();
    expect((await portage.get(`/v2/data-import/accounts/${portage.supplier}/A-1/`)).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(MAX_END_MS);
  });
});

it(`a search of ${SEARCHED_LINES} lines that match nothing ends with its clients`, async () => {
  const id = await portage.openSubmission('searched');
  await portage.sql('INSERT INTO submission_upload (submission_id, number, actor) VALUES ($1, 1, $2)', [
    id,
    'x',
  ]);
  await portage.sql(
    `INSERT INTO submission_line (submission_id, upload_number, line, refused_key, outcome, customers, supply_points,
         statements, transactions, opening_balance, payment_instructions, debts, readings, statement_total,
        opening_debits, opening_credits, documents)
       SELECT $1, 1, n, sha256(n::text::bytea), 'refused', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM generate_series(1, $2::int) n`,
    [id, SEARCHED_LINES],
  );
  const path = `${SUBMISSIONS}${id}/results/?outcome=cancelled`;
  const start = performance.now();
  expect(await read(open(path))).toEqual({ status: 200, text: '' });
  const wholeMs = performance.now() - start;

  const requests = Array.from({ length: 6 }, () => open(path));
  await sleep(100);
  for (const request of requests) request.destroy();
  const [{ gone } = { gone: '' }] = await portage.sql<{ gone: string }>(
    'SELECT clock_timestamp()::text AS gone',
  );
  await sleep(Math.min(wholeMs, 3_000) + 1_000);
  const [{ lastMs } = { lastMs: 0 }] = await portage.sql<{ lastMs: number }>(
    `SELECT coalesce(max(extract(epoch FROM query_start - $2::timestamptz)) * 1000, 0)::float8 AS "lastMs"
       FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [RESULTS_STATEMENT, gone],
  );
  process.stderr.write(
    `Results without a match: ${SEARCHED_LINES} lines in ${wholeMs.toFixed(0)} ms; six abandoned requests: last statement ${lastMs.toFixed(0)} ms after their clients.\n`,
  );
  expect(lastMs).toBeLessThan(MAX_END_MS);
});

it('readers of results that read nothing hold neither connections of the database nor memory', async () => {
  const [searched] = await portage.sql<{ id: string }>(
    `SELECT id FROM submission WHERE reference = 'searched'`,
  );
  const memory = async () => portage.metric('process_resident_memory_bytes');
  const before = await memory();
  // As many as an organisation may have in progress.
  const requests = Array.from({ length: 60 }, () => open(`${SUBMISSIONS}${searched!.id}/results/`));
  const responses = await Promise.all(
    requests.map(async (request) => ((await once(request, 'response')) as [IncomingMessage])[0]),
  );
  for (const response of responses) response.pause();
  const busy =
    "pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()";
  await until(
    async () => (await portage.countRows(busy)) === 0,
    'Readers that read nothing keep sessions of the database busy.',
  );
  const start = performance.now();
  expect((await portage.get(`/v2/data-import/accounts/${portage.supplier}/A-1/`)).status).toBe(200);
  const otherMs = performance.now() - start;
  const grownMb = ((await memory()) - before) / 1_000_000;
  process.stderr.write(
    `Slow readers: 60 results; no busy session, ${grownMb.toFixed(0)} MB more memory, another request ${otherMs.toFixed(0)} ms.\n`,
  );
  for (const request of requests) request.destroy();
  expect(otherMs).toBeLessThan(MAX_END_MS);
  expect(grownMb).toBeLessThan(150);
});
