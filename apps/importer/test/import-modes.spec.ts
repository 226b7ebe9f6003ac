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
