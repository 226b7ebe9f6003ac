import { appendFile, readFile } from 'node:fs/promises';
import { StopRequest } from '../src/run/stop-request';
import type { ReceivedRequest, Reply } from '../../../packages/client/test/fake-service';
import { accountLine, ImportRun, numberIn, PROCESSED } from './import-run';

let run: ImportRun;
afterEach(() => run.end());
const start = async (answer: (request: ReceivedRequest) => Reply | undefined = () => undefined) =>
  (run = await ImportRun.start(answer));
const lines = (...numbers: string[]) => numbers.map((number) => accountLine(number)).join('\n');

describe('--validate-only', () => {
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
    expect(run.service.requestsTo('POST', '/v2/data-import/accounts/')).toEqual([]);
    expect(await run.read('rejected.ndjson')).toBe(`${lines('bad', 'there')}\n`);
  });
});

describe('undocumented fields', () => {
  const headers = { 'ignored-fields': 'customer, customers.0.nick%20name, customers.1.nick%20name' };
  const answer = ({ body }: ReceivedRequest): Reply =>
    body.includes('odd') ? { status: 200, headers } : { status: 200 };

  it('are counted by path', async () => {
    await start(answer);
    const { summary } = await run.import({ file: await run.write('book', lines('odd', '2', 'odder')) });
    expect(summary).toMatchObject({
      valid: 3,
      ignored_fields: { 'customers.*.nick name': 4, customer: 2 },
    });
  });

  it('are refused with --reject-unknown', async () => {
    await start(answer);
    const file = await run.write('book', lines('odd', '2'));
    const { summary } = await run.import({ file, rejectUnknown: true });
    expect(summary).toMatchObject({ valid: 1, refused: { unknown_field: 1 } });
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

describe('--checkpoint', () => {
  const NOTES = '/v1/data-import/notes/create/';
  const requests = (...numbers: string[]) =>
    numbers
      .map((number) =>
        JSON.stringify({
          endpoint: 'notes',
          body: { import_supplier: 'DEMO', external_account_number: number, notes: [{ body: 'A' }] },
        }),
      )
      .join('\n');
  const checkpointed = (more: object = {}) => ({ checkpoint: run.path('point'), ...more });
  const sent = () => run.service.requestsTo('POST', NOTES).map(numberIn);

  it('keeps a resumed run from sending again what was done', async () => {
    const numbers = Array.from({ length: 40 }, (_, nth) => `A${nth}`);
    const stop = new StopRequest(() => undefined);
    await start((request) => {
      if (request.method === 'POST' && sent().length === 15) stop.stop();
      return undefined;
    });
    const afterImport = await run.write('more', requests(...numbers));
    await run.import(checkpointed({ afterImport }), { stop });
    const first = sent();
    expect(first.length).toBeLessThan(25);
    const second = await run.import(checkpointed({ afterImport }));
    expect(sent()).toHaveLength(numbers.length);
    expect(new Set(sent())).toEqual(new Set(numbers));
    expect(second.afterImport?.notes).toMatchObject({ accepted_before: first.length });
    const third = await run.import(checkpointed({ afterImport }));
    expect(sent()).toHaveLength(numbers.length);
    expect(third.afterImport?.notes).toMatchObject({ requests: 0, accepted_before: 40 });
  });

  it('may be cut at any byte, as by a killed process', async () => {
    await start();
    const afterImport = await run.write('more', requests('1', '2', '3'));
    await run.import(checkpointed({ afterImport, concurrency: 1 }));
    const whole = await readFile(run.path('point'));
    const header = whole.indexOf(0x0a) + 1;
    for (let size = header; size < whole.length; size += 7) {
      await run.write('point', whole.subarray(0, size));
      const before = sent().length;
      await run.import(checkpointed({ afterImport, concurrency: 1 }));
      const done =
        whole
          .subarray(0, size)
          .toString()
          .match(/"done"}\n/g)?.length ?? 0;
      expect(sent().length - before).toBe(3 - done);
      expect((await readFile(run.path('point'), 'utf8')).match(/"done"}\n/g)).toHaveLength(3);
    }
  });

  it('has a refused request sent again', async () => {
    await start((request) => (numberIn(request) === 'no' ? { status: 400, body: {} } : undefined));
    const afterImport = await run.write('more', requests('fine', 'no'));
    for (let nth = 0; nth < 2; nth += 1) await run.import(checkpointed({ afterImport }));
    expect(sent().sort()).toEqual(['fine', 'no', 'no']);
  });

  it('of another service or after-import file is refused', async () => {
    await start();
    const afterImport = await run.write('more', requests('1'));
    await run.import(checkpointed({ afterImport }));
    const other = await run.write('other', requests('2'));
    await expect(run.import(checkpointed({ afterImport: other }))).rejects.toThrow(
      /The checkpoint .* was made for another after-import file\. Give --checkpoint another path, or delete/,
    );
    const baseUrl = new URL('platform', run.service.url);
    await expect(run.import(checkpointed({ afterImport, baseUrl }))).rejects.toThrow(
      'was made for the service at',
    );
    expect(sent()).toEqual(['1']);
  });

  it('of an earlier release, which knew lines of the book as well, is read', async () => {
    await start();
    const afterImport = await run.write('more', requests('1'));
    await run.import(checkpointed({ afterImport }));
    await appendFile(run.path('point'), '{"file":"book","line":7,"state":"accepted"}\n');
    await run.import(checkpointed({ afterImport }));
    expect(sent()).toEqual(['1']);
  });

  it('is not taken for one if it is another file, which stays unchanged', async () => {
    await start();
    const afterImport = await run.write('more', requests('1'));
    for (const content of ['{"a":1}\n{"b":2}', 'text without an end of line', '{}\n']) {
      await run.write('point', content);
      await expect(run.import(checkpointed({ afterImport }))).rejects.toThrow(
        'is not a checkpoint of this tool',
      );
      expect(await run.read('point')).toBe(content);
    }
    await run.write('point', '');
    await run.import(checkpointed({ afterImport }));
    await appendFile(run.path('point'), 'not JSON\n');
    await expect(run.import(checkpointed({ afterImport }))).rejects.toThrow(
      /Line \d+ of the checkpoint .* is damaged/,
    );
  });
});

it('counts moved, skipped and differing transactions', async () => {
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
    dry_run: 2,
  });
  expect(await run.readErrors()).toMatch(
    /1,transactions,1,differing,transaction_differing,transactions\.3,.*amount, reason/,
  );
});

it('tells that the API stands still, why, and when it answers again', async () => {
  await start(({ method, nth }) => (method === 'POST' && nth < 4 ? badReply(nth) : undefined));
  const file = await run.write('book', lines('1'));
  const { summary } = await run.import({ file, concurrency: 1, stallMs: 200, timeoutMs: 700 });
  expect(summary).toMatchObject({ valid: 1 });
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
