import { appendFile, readFile } from 'node:fs/promises';
import { StopRequest } from '../src/run/stop-request';
import type { ReceivedRequest, Reply } from '../../../packages/client/test/fake-service';
import { accountLine, ImportRun, numberIn, PROCESSED } from './import-run';

const VALIDATE = '/v2/data-import/accounts/validate/';

let run: ImportRun;
afterEach(() => run.end());
const start = async (answer: (request: ReceivedRequest) => Reply | undefined = () => undefined) =>
  (run = await ImportRun.start(answer));
const lines = (...numbers: string[]) => numbers.map((number) => accountLine(number)).join('\n');

describe('--validate-only (17)', () => {
  it('checks all accounts and schedules none', async () => {
    const errors = [{ code: 'required', attr: 'customers', detail: 'Needed.' }];
    await start((request) => {
      if (request.method === 'GET') return { ...PROCESSED, headers: { 'payload-digest': 'sha-256=:AQID:' } };
      if (numberIn(request) === 'bad')
        return { status: 400, body: { code: 'account_failed_validation', errors } };
      if (numberIn(request) === 'there')
        return {
          status: 400,
          body: { errors: [{ code: 'account_import_process_already_imported', attr: '', detail: '' }] },
        };
      return { status: 200 };
    });
    const file = await run.write('book', lines('1', 'bad', '3', 'there'));
    const { summary } = await run.import({ file, validateOnly: true });
    expect(summary).toMatchObject({
      accepted: 0,
      valid: 2,
      refused: { required: 1 },
      already_imported_differing: 1,
      unfinished: 0,
    });
    expect(run.posted).toEqual([]);
    expect(await run.read('rejected.ndjson')).toBe(`${lines('bad', 'there')}\n`);
  });
});

describe('undocumented fields (5)', () => {
  const headers = { 'ignored-fields': 'customer, customers.0.nick%20name, customers.1.nick%20name' };
  const answer = (request: ReceivedRequest): Reply | undefined =>
    request.method === 'POST' && request.body.includes('odd')
      ? { status: request.path === VALIDATE ? 200 : 201, headers }
      : request.path === VALIDATE
        ? { status: 200 }
        : undefined;

  it('are counted by path', async () => {
    await start(answer);
    const { summary } = await run.import({ file: await run.write('book', lines('odd', '2', 'odder')) });
    expect(summary).toMatchObject({
      accepted: 3,
      ignored_fields: { 'customers.*.nick name': 4, customer: 2 },
    });
  });

  it('are refused with --reject-unknown, before the account is scheduled', async () => {
    await start(answer);
    const file = await run.write('book', lines('odd', '2'));
    const { summary } = await run.import({ file, rejectUnknown: true });
    expect(run.posted).toEqual(['2']);
    expect(summary).toMatchObject({ accepted: 1, refused: { unknown_field: 1 } });
    expect(await run.readErrors()).toMatch(/1,account,odd,refused,unknown_field,customers\.1\.nick name,/);
    expect(await run.read('rejected.ndjson')).toBe(`${lines('odd')}\n`);
  });

  it('of after-import requests are counted as well', async () => {
    await start(() => ({ status: 201, headers }));
    const afterImport = await run.write('more', '{"endpoint":"notes","body":{"notes":[{"body":"A"}]}}');
    const { afterImportIgnoredFields } = await run.import({ afterImport });
    expect(afterImportIgnoredFields).toEqual({ 'customers.*.nick name': 2, customer: 1 });
  });
});

describe('--checkpoint (17)', () => {
  const numbers = Array.from({ length: 40 }, (_, nth) => `A${nth}`);
  const checkpointed = (more: object = {}) => ({ checkpoint: run.path('point'), wait: false, ...more });

  it('keeps a resumed run from sending again what was accepted, and follows it to its end', async () => {
    const stop = new StopRequest(() => undefined);
    await start((request) => {
      if (request.method === 'POST' && run.posted.length === 15) stop.stop();
      return undefined;
    });
    const file = await run.write('book', lines(...numbers));
    await run.import(checkpointed({ file }), { stop });
    const first = run.posted;
    expect(first.length).toBeLessThan(25);
    const { summary } = await run.import(checkpointed({ file, wait: true }));
    expect(run.posted).toHaveLength(numbers.length);
    expect(new Set(run.posted)).toEqual(new Set(numbers));
    expect(summary).toMatchObject({ accepted_before: first.length, processed: 40, unfinished: 0 });
    const third = await run.import(checkpointed({ file, wait: true }));
    expect(run.posted).toHaveLength(numbers.length);
    expect(third.summary).toMatchObject({ accepted_before: 40, processed: 0, unfinished: 0 });
  });

  it('may be cut at any byte, as by a killed process', async () => {
    await start();
    const file = await run.write('book', lines('1', '2', '3'));
    await run.import(checkpointed({ file, concurrency: 1 }));
    const whole = await readFile(run.path('point'));
    const header = whole.indexOf(0x0a) + 1;
    for (let size = header; size < whole.length; size += 7) {
      await run.write('point', whole.subarray(0, size));
      const before = run.posted.length;
      await run.import(checkpointed({ file, concurrency: 1 }));
      const accepted =
        whole
          .subarray(0, size)
          .toString()
          .match(/"accepted"}\n/g)?.length ?? 0;
      expect(run.posted.length - before).toBe(3 - accepted);
      expect((await readFile(run.path('point'), 'utf8')).match(/"accepted"}\n/g)).toHaveLength(3);
    }
  });

  it('sends an account again whose process ended in an error, and a refused line', async () => {
    await start((request) => {
      if (request.method === 'POST')
        return numberIn(request) === 'no' ? { status: 400, body: {} } : undefined;
      return { status: 200, body: { status: 'ERRORED', latest_error: { code: 'boom' } } };
    });
    const file = await run.write('book', lines('errs', 'no'));
    for (let nth = 0; nth < 2; nth += 1) await run.import(checkpointed({ file, wait: true }));
    expect(run.posted.sort()).toEqual(['errs', 'errs', 'no', 'no']);
  });

  it('of another book, service or after-import file is refused', async () => {
    await start();
    const file = await run.write('book', lines('1'));
    await run.import(checkpointed({ file }));
    const other = await run.write('other', lines('2'));
    await expect(run.import(checkpointed({ file: other }))).rejects.toThrow(
      /The checkpoint .* was made for another book\. Give --checkpoint another path, or delete/,
    );
    const baseUrl = new URL('platform', run.service.url);
    await expect(run.import(checkpointed({ file, baseUrl }))).rejects.toThrow('was made for the service at');
    const afterImport = await run.write('more', '{"endpoint":"notes","body":{"notes":[]}}');
    await run.import(checkpointed({ afterImport }));
    const changed = await run.write('changed', '{"endpoint":"notes","body":{"notes":[{}]}}');
    await expect(run.import(checkpointed({ afterImport: changed }))).rejects.toThrow(
      'another after-import file',
    );
    expect(run.posted).toEqual(['1']);
  });

  it('is not taken for one if it is another file, which stays unchanged', async () => {
    await start();
    const file = await run.write('book', lines('1'));
    for (const content of ['{"a":1}\n{"b":2}', 'text without an end of line', '{}\n']) {
      await run.write('point', content);
      await expect(run.import(checkpointed({ file }))).rejects.toThrow('is not a checkpoint of this tool');
      expect(await run.read('point')).toBe(content);
    }
    await run.write('point', '');
    await run.import(checkpointed({ file }));
    await appendFile(run.path('point'), 'not JSON\n');
    await expect(run.import(checkpointed({ file }))).rejects.toThrow(
      /Line \d+ of the checkpoint .* is damaged/,
    );
  });

  it('keeps after-import requests that were done from being sent again', async () => {
    await start();
    const request = (body: string) => `{"endpoint":"notes","body":{"notes":[{"body":"${body}"}]}}`;
    const afterImport = await run.write('more', `${request('A')}\n${request('B')}`);
    await run.import(checkpointed({ afterImport }));
    const { afterImport: second } = await run.import(checkpointed({ afterImport }));
    expect(run.service.requestsTo('POST', '/v1/data-import/notes/create/')).toHaveLength(2);
    expect(second?.notes).toMatchObject({ requests: 0, accepted_before: 2 });
  });
});

it('counts moved, skipped and differing transactions (17)', async () => {
  const results = [
    { status: 'TRANSACTION_ADDED_TO_ACCOUNT', moved_from: '2026-01-01', moved_to: '2026-02-01' },
    { status: 'TRANSACTION_ADDED_TO_ACCOUNT' },
    { status: 'TRANSACTION_ALREADY_EXISTS' },
    { status: 'TRANSACTION_ALREADY_EXISTS', differences: ['amount', 'reason'] },
  ];
  await start(({ body }) => ({
    status: 201,
    body: body.includes('dry') ? { dry_run: true, results: results.slice(0, 2) } : { results },
  }));
  const request = (transactions: object[], more: object = {}) =>
    JSON.stringify({
      endpoint: 'transactions',
      body: { external_account_number: '1', transactions, ...more },
    });
  const afterImport = await run.write(
    'more',
    [request([{}, {}, {}, {}]), request([{}, {}], { dry_run: true })].join('\n'),
  );
  const { afterImport: counts } = await run.import({ afterImport });
  expect(counts?.transactions).toMatchObject({
    requests: 2,
    added: 2,
    moved: 1,
    already_there: 1,
    differing: 1,
    rehearsed: 2,
  });
  expect(await run.readErrors()).toMatch(
    /1,transactions,1,differing,transaction_differing,transactions\.3,.*amount, reason/,
  );
});

it('tells that the API stands still, why, and when it answers again (17)', async () => {
  await start(({ method, nth }) => (method === 'POST' && nth < 4 ? badReply(nth) : undefined));
  const file = await run.write('book', lines('1'));
  const { summary } = await run.import({ file, concurrency: 1, stallMs: 200, timeoutMs: 700 });
  expect(summary).toMatchObject({ accepted: 1, processed: 1 });
  expect(run.notes[0]).toMatch(/^The service has not answered for \d+ s.*Waiting requests: 1/);
  expect(run.notes.some((note) => note.includes('(latest attempt: status 429)'))).toBe(true);
  expect(run.notes.at(-1)).toBe('The service answers again.');
});

function badReply(nth: number): Reply {
  const replies: Reply[] = [
    'silence',
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 503 },
    'reset',
  ];
  return replies[nth] ?? 'reset';
}

describe('the feed of events', () => {
  const EVENTS = '/v2/data-import/events/';
  const event = (number: string) => ({
    id: number,
    type: `data_import.import_process.${number.startsWith('bad') ? 'error' : 'complete'}-v1`,
    timestamp: '2026-11-21T09:41:10.000512+00:00',
    data: {
      import_supplier: 'DEMO',
      external_account_number: number,
      error: number.startsWith('bad') ? { code: 'odd', detail: 'Odd.', domain: 'import_process' } : null,
    },
  });

  it('shows the ends of accounts, so that they are not asked for one by one', async () => {
    let shown = 0;
    await start(({ method, path }) => {
      if (method !== 'GET' || !path.startsWith(EVENTS)) return undefined;
      const after = new URL(path, 'http://service').searchParams.get('after');
      // What was accepted a while ago has ended, but for the last account, whose event is late.
      const ended = after === 'now' ? [] : run.posted.slice(shown, -1);
      if (after !== 'now') shown += ended.length;
      return { status: 200, body: { events: ended.map(event), next: String(shown) } };
    });
    const numbers = [...Array.from({ length: 60 }, (_, nth) => `A${nth}`), 'bad', 'last', 'later'];
    const file = await run.write('book', lines(...numbers));
    const importing = run.import({ file, waitMs: 1_000 });
    const { summary } = await importing;
    expect(summary).toMatchObject({ accepted: 63, processed: 61, errored: { odd: 1 }, unfinished: 1 });
    const asked = run.service.requests.filter(
      ({ method, path }) => method === 'GET' && !path.startsWith(EVENTS),
    );
    // Only ends that were shown before the service had answered that the account is accepted.
    expect(asked.length).toBeLessThan(20);
  });
});
