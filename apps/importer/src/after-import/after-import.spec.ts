import { until } from '@portage/testing/until';
import { ImportRun } from '../../test/import-run';
import type { ReceivedRequest, Reply } from '../../../../packages/client/test/fake-service';
import type { ImportOutcome } from '../import-book';
import type { ImportOptions } from '../options';

const INSTRUCTIONS = '/v1/data-import/payment-instruction/create/';
const NOTES = '/v1/data-import/notes/create/';

let run: ImportRun | undefined;
afterEach(async () => {
  await run?.end();
  run = undefined;
});

const line = (endpoint: string, number: string, more: object): string =>
  JSON.stringify({
    endpoint,
    body: { import_supplier: 'DEMO', external_account_number: number, ...more },
  });
const notes = (number: string, ...bodies: string[]): string =>
  line('notes', number, { notes: bodies.map((body) => ({ body })) });
const instruction = (number: string, reference = 'pm_1'): string =>
  line('payment-instruction', number, { vendor: 'STRIPE', type: 'CARD', reference });

const noteResults = ({ body }: ReceivedRequest): Reply => ({
  status: 201,
  body: (JSON.parse(body) as { notes: object[] }).notes.map((note) => ({
    ...note,
    status: 'NOTE_CREATION_SUCCESS',
  })),
});

/** Sends the lines to a service that replies to all requests except those for tokens with `answer`. */
async function send(
  lines: string[],
  answer: (request: ReceivedRequest) => Reply,
  options: Partial<ImportOptions> = {},
): Promise<ImportOutcome & { errors: string[] }> {
  run ??= await ImportRun.start(answer);
  const afterImport = await run.write('after-import.ndjson', lines.join('\n'));
  const outcome = await run.import({ afterImport, retryMs: 300, ...options });
  return { ...outcome, errors: await run.readRows() };
}

it('sends each line to its endpoint with its query, its unchanged body and its idempotency key', async () => {
  const body = '{"import_supplier":"DEMO","external_account_number":"1","transactions":[{"amount":1.10}]}';
  await send(
    [
      notes('1', 'A'),
      `{"endpoint":"transactions","query":{"force_add_to_current_statement":false},"body":${body}}`,
      line('historical-statements', '1', { statements: [] }),
      instruction('1'),
    ],
    () => ({ status: 201 }),
  );
  const sent = run!.service.requests.filter(({ path }) => path.startsWith('/v1/data-import/'));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST ${NOTES}`,
    'POST /v1/data-import/transactions/create/?force_add_to_current_statement=false',
    'POST /v1/data-import/historical-statements/create/',
    `POST ${INSTRUCTIONS}`,
  ]);
  expect(sent[1]!.body).toBe(body);
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
  for (const { authorization, idempotencyKey } of sent) {
    expect(authorization).toBe('Token token');
    expect(idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
  }
});

it('counts added and existing items, and refusals by code', async () => {
  const there = { code: 'historical_statement_already_exists', detail: 'There.' };
  const answers: Record<string, (request: ReceivedRequest) => Reply> = {
    half: () => ({
      status: 201,
      body: [{ status: 'NOTE_CREATION_SUCCESS' }, { status: 'NOTE_ALREADY_EXISTS' }],
    }),
    moved: () => ({
      status: 201,
      body: {
        results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }, { status: 'TRANSACTION_ALREADY_EXISTS' }],
      },
    }),
    closed: () => ({ status: 400, body: { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'Closed.' } }),
    stated: () => ({ status: 201, body: {} }),
    again: () => ({ status: 200, body: {} }),
    changed: () => ({
      status: 400,
      body: { code: 'validation_error', errors: [{ ...there, attr: 'statements.0.statement_id' }] },
    }),
    unknown: () => ({ status: 404, body: { code: 'account_not_found', detail: 'No.' } }),
  };
  const two = [{}, {}];
  const { afterImport, summary, errors } = await send(
    [
      notes('half', 'A', 'B'),
      line('transactions', 'moved', { transactions: two }),
      line('transactions', 'closed', { transactions: two }),
      line('historical-statements', 'stated', { statements: two }),
      line('historical-statements', 'again', { statements: two }),
      line('historical-statements', 'changed', { statements: two }),
      '{"endpoint":"letters","body":{}}',
      notes('unknown', 'A'),
    ],
    (request) =>
      answers[(JSON.parse(request.body) as { external_account_number: string }).external_account_number]!(
        request,
      ),
  );
  expect(summary).toBeUndefined();
  expect(afterImport).toEqual({
    notes: { requests: 2, added: 1, already_there: 1, refused: { account_not_found: 1 }, failed: 0 },
    transactions: {
      requests: 2,
      added: 1,
      already_there: 1,
      moved: 0,
      differing: 0,
      dry_run: 0,
      refused: { TRANSACTION_IMPORT_ERROR: 1 },
      failed: 0,
    },
    'historical-statements': {
      requests: 3,
      added: 2,
      already_there: 2,
      refused: { historical_statement_already_exists: 1 },
      failed: 0,
    },
    unreadable: { requests: 1, added: 0, already_there: 0, refused: { parse_error: 1 }, failed: 0 },
  });
  expect(errors).toEqual([
    '3,transactions,closed,refused,TRANSACTION_IMPORT_ERROR,,Closed.',
    '6,historical-statements,changed,refused,historical_statement_already_exists,statements.0.statement_id,There.',
    expect.stringMatching(/^7,unreadable,,refused,parse_error,,/),
    '8,notes,unknown,refused,account_not_found,,No.',
  ]);
});

describe('sending requests again', () => {
  /** A service that performs the request of each idempotency key once and replays its response. `losing` drops a response. */
  const idempotentService = (losing: (nth: number) => boolean) => {
    const answers = new Map<string, Reply & object>();
    let done = 0;
    let nth = 0;
    const answer = (request: ReceivedRequest): Reply => {
      const known = answers.get(request.idempotencyKey!);
      const reply = known ?? (noteResults(request) as Reply & object);
      if (known === undefined) done += 1;
      answers.set(request.idempotencyKey!, reply);
      nth += 1;
      if (losing(nth - 1)) return 'reset';
      return known === undefined
        ? reply
        : { ...reply, status: 201, headers: { 'idempotent-replayed': 'true' } };
    };
    return { answer, done: () => done };
  };
  const lines = Array.from({ length: 20 }, (_, nth) => notes(`${nth % 5}`, `note ${nth}`));

  it('adds nothing twice after lost responses and counts it as added', async () => {
    const { answer, done } = idempotentService((nth) => nth % 2 === 0);
    const { afterImport } = await send(lines, answer, { concurrency: 16 });
    expect(done()).toBe(20);
    expect(run!.service.requestsTo('POST', NOTES).length).toBeGreaterThan(20);
    expect(afterImport?.notes).toMatchObject({ requests: 20, added: 20, already_there: 0, failed: 0 });
  });

  it('finds that all items exist in another run', async () => {
    const { answer, done } = idempotentService(() => false);
    await send(lines, answer);
    const { afterImport } = await send(lines, answer);
    expect(done()).toBe(20);
    expect(afterImport?.notes).toMatchObject({ requests: 20, added: 0, already_there: 20 });
  });
});

describe('a payment instruction', () => {
  it('is retried after 500 and added', async () => {
    const { afterImport } = await send([instruction('1')], ({ nth }) => ({ status: nth < 2 ? 500 : 201 }));
    expect(run!.service.requestsTo('POST', INSTRUCTIONS)).toHaveLength(3);
    const [first, ...others] = run!.service
      .requestsTo('POST', INSTRUCTIONS)
      .map(({ body, idempotencyKey }) => [body, idempotencyKey]);
    expect(first?.[1]).toBeDefined();
    expect(others).toEqual([first, first]);
    expect(afterImport?.['payment-instruction']).toMatchObject({ added: 1, failed: 0 });
  });

  it('fails with the reason after five responses with status 500', async () => {
    const { afterImport, errors, failure } = await send([instruction('1')], () => ({
      status: 500,
      body: { code: 'vendor_error', detail: 'The vendor has a problem.' },
    }));
    expect(run!.service.requestsTo('POST', INSTRUCTIONS)).toHaveLength(5);
    expect(afterImport?.['payment-instruction']).toMatchObject({ added: 0, refused: {}, failed: 1 });
    expect(errors).toEqual(['1,payment-instruction,1,failed,vendor_error,,The vendor has a problem.']);
    expect(failure).toBeUndefined();
  });

  it('is not retried if it is refused', async () => {
    const { afterImport } = await send([instruction('1')], () => ({
      status: 400,
      body: { code: 'instruction_expired', detail: 'Expired.' },
    }));
    expect(run!.service.requestsTo('POST', INSTRUCTIONS)).toHaveLength(1);
    expect(afterImport?.['payment-instruction']).toMatchObject({ refused: { instruction_expired: 1 } });
  });

  it('is retried while the service is unavailable, without a limit of five', async () => {
    const replies: Reply[] = [
      'reset',
      { status: 503 },
      { status: 502 },
      { status: 429 },
      'reset',
      { status: 504 },
    ];
    const { afterImport } = await send([instruction('1')], ({ nth }) => replies[nth] ?? { status: 201 }, {
      retryMs: 10_000,
    });
    expect(afterImport?.['payment-instruction']).toMatchObject({ added: 1 });
  });
});

describe('order', () => {
  const numbers = ['1', '2', '3', '4', '5', '6'];
  const bodyOf = ({ body }: ReceivedRequest) => {
    const parsed = JSON.parse(body) as { external_account_number: string; notes: [{ body: string }] };
    return { account: parsed.external_account_number, note: parsed.notes[0].body };
  };

  it.each([
    [
      'sorted by account',
      numbers.flatMap((number) => ['a', 'b', 'c', 'd'].map((note) => notes(number, note))),
    ],
    [
      'with alternating accounts',
      ['a', 'b', 'c', 'd'].flatMap((note) => numbers.map((number) => notes(number, note))),
    ],
  ])('is kept for each account while accounts are sent concurrently, in a file %s', async (_, lines) => {
    const busy = new Set<string>();
    let maxBusy = 0;
    let overlaps = 0;
    const seen: Record<string, string[]> = {};
    run = await ImportRun.start(async (request) => {
      const { account, note } = bodyOf(request);
      if (busy.has(account)) overlaps += 1;
      busy.add(account);
      maxBusy = Math.max(maxBusy, busy.size);
      // The first answer waits until requests of several accounts are in flight.
      await until(
        () => maxBusy >= 3,
        () => `${maxBusy} accounts at the same time`,
      );
      busy.delete(account);
      // The first response of each account is lost; the second request must not overtake the first.
      if (note === 'a' && seen[account] === undefined) {
        seen[account] = [];
        return 'reset';
      }
      (seen[account] ??= []).push(note);
      return noteResults(request);
    });
    const { afterImport } = await send(lines, () => ({ status: 201 }), { retryMs: 5000 });
    expect(seen).toEqual(Object.fromEntries(numbers.map((number) => [number, ['a', 'b', 'c', 'd']])));
    expect(overlaps).toBe(0);
    expect(afterImport?.notes).toMatchObject({ added: 24 });
  });

  it('does not send later requests of an account after one without a response', async () => {
    const { afterImport, errors } = await send(
      [notes('1', 'lost'), notes('2', 'fine'), notes('1', 'next'), notes('3', 'refused'), notes('3', 'next')],
      (request) => {
        const { note } = bodyOf(request);
        if (note === 'lost') return 'reset';
        return note === 'refused' ? { status: 400, body: { code: 'invalid' } } : noteResults(request);
      },
    );
    expect(afterImport?.notes).toMatchObject({ requests: 5, added: 2, refused: { invalid: 1 }, failed: 2 });
    expect(errors).toEqual([
      expect.stringMatching(/^1,notes,1,failed,unreachable,,gave up/),
      expect.stringMatching(/^3,notes,1,failed,not_sent,,/),
      '4,notes,3,refused,invalid,,',
    ]);
  });
});

it('ends the run if the service stops responding', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => notes(String(nth), 'A'));
  const { afterImport, failure } = await send(lines, () => 'reset');
  expect(failure?.message).toContain('no response to');
  expect(afterImport?.notes?.failed).toBeLessThan(10);
});
