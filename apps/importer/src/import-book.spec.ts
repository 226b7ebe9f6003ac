import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@portage/client';
import { readRows } from '../test/error-rows';
import {
  FakeService,
  type ReceivedRequest,
  type Reply,
  tokenReply,
} from '../../../packages/client/test/fake-service';
import { importBook, type ImportOutcome } from './import-book';
import type { ImportOptions } from './options';
import type { Progress } from './run/progress';
import { StopRequest } from './run/stop-request';
import { UsageError } from './usage-error';

const SCHEDULE = '/v2/data-import/accounts/';
const PROCESSED: Reply = { status: 200, body: { status: 'PROCESSED', latest_error: null } };
const silent: Progress = { show: () => undefined, note: () => undefined, end: () => undefined };

let folder: string;
let service: FakeService | undefined;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'book-'))));
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await rm(folder, { recursive: true });
});

const line = (number: string): string =>
  JSON.stringify({ import_supplier: 'DEMO', external_account_number: number });

/** Imports the lines into a service that issues tokens and replies to all other requests with `answer`. */
async function importLines(
  lines: string[],
  answer: (request: ReceivedRequest) => Reply,
  options: Partial<ImportOptions> = {},
  stop = new StopRequest(() => undefined),
): Promise<ImportOutcome & { errors: string[] }> {
  service ??= await FakeService.start((request) =>
    request.path === '/v1/graphql/' ? tokenReply('token') : answer(request),
  );
  const file = join(folder, 'book.ndjson');
  const errors = join(folder, 'errors.csv');
  await writeFile(file, lines.join('\n'));
  try {
    const outcome = await importBook(
      {
        file,
        afterImport: undefined,
        baseUrl: service.url,
        apiKey: 'key',
        oneByOne: true,
        reference: undefined,
        expected: undefined,
        concurrency: 4,
        errors,
        report: undefined,
        rejected: undefined,
        rejectedAfterImport: undefined,
        checkpoint: undefined,
        validateOnly: false,
        rejectUnknown: false,
        lastWins: false,
        stallMs: 30_000,
        wait: true,
        waitMs: 5000,
        retryMs: 300,
        timeoutMs: 1000,
        ...options,
      },
      { stop, progress: silent, progressEveryMs: 1000, clock: systemClock, random: Math.random },
    );
    return { ...outcome, errors: await readRows(errors) };
  } finally {
    stop.removeListeners();
  }
}

it('sends all accounts, waits until their processes end and lists the errors', async () => {
  const answers: Record<string, Reply> = {
    imported: {
      status: 400,
      body: { non_field_errors: { code: 'account_import_process_already_imported' }, account_id: 'A-1' },
    },
    faulty: { status: 400, body: { code: 'import_process_failed_validation', detail: 'Invalid.' } },
  };
  const ends: Record<string, Reply> = {
    errs: { status: 200, body: { status: 'ERRORED', latest_error: { code: 'boom', detail: 'It broke.' } } },
    'dry-run': { status: 200, body: { status: 'DRY_RUN_SUCCEEDED', latest_error: null } },
    cancelled: { status: 200, body: { status: 'CANCELLED', latest_error: null } },
  };
  const errors = [
    { code: 'required', attr: 'customers.0.family_name', detail: 'Needed.' },
    { code: 'invalid', attr: 'customers.0.email', detail: 'Not an address.' },
  ];
  const { summary, errors: rows } = await importLines(
    [
      line('good'),
      '{"cut',
      '',
      line('faulty'),
      line('imported'),
      line('errs'),
      line('dry-run'),
      line('cancelled'),
    ],
    ({ method, path, body, nth }) => {
      if (path.endsWith('/validate/'))
        return { status: 400, body: { code: 'account_failed_validation', errors } };
      if (method === 'POST') {
        const number = (JSON.parse(body) as { external_account_number: string }).external_account_number;
        return answers[number] ?? { status: 201 };
      }
      // Still pending at the first poll.
      if (nth === 0) return { status: 200, body: { status: 'PENDING', latest_error: null } };
      return ends[path.split('/').at(-2)!] ?? PROCESSED;
    },
  );
  expect(summary).toMatchObject({
    accepted: 4,
    already_imported: 1,
    refused: { parse_error: 1, required: 1 },
    processed: 1,
    errored: { boom: 1, cancelled: 1 },
    dry_run_succeeded: 1,
    unfinished: 0,
    unreachable: 0,
  });
  expect(rows.sort()).toEqual([
    expect.stringMatching(/^2,account,,refused,parse_error,,/),
    '4,account,faulty,refused,invalid,customers.0.email,Not an address.',
    '4,account,faulty,refused,required,customers.0.family_name,Needed.',
    '6,account,errs,errored,boom,,It broke.',
    expect.stringMatching(/^8,account,cancelled,errored,cancelled,,/),
  ]);
});

it('counts an account without a response and continues with the others', async () => {
  const { summary, failure, errors } = await importLines(
    [line('1'), line('lost'), line('3')],
    ({ method, body }) => (method === 'GET' ? PROCESSED : { status: body.includes('lost') ? 500 : 201 }),
  );
  expect(failure).toBeUndefined();
  expect(summary).toMatchObject({ accepted: 2, processed: 2, unreachable: 1 });
  expect(errors).toEqual([expect.stringMatching(/^2,account,lost,unreachable,unreachable,,gave up/)]);
});

it('ends the run if the service stops responding', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => line(String(nth)));
  const { summary, failure } = await importLines(lines, () => 'reset');
  expect(failure?.message).toContain('no response to');
  expect(summary?.unreachable).toBeLessThan(10);
});

it('ends the run if the key is revoked during the run', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => line(String(nth)));
  let sent = 0;
  const { summary, failure } = await importLines(lines, ({ method }) => {
    if (method === 'GET') return { status: 200, body: { status: 'PENDING' } };
    sent += 1;
    if (sent <= 10) return { status: 201 };
    return { status: 401, body: { code: 'authentication_failed', detail: 'The key was revoked.' } };
  });
  expect(failure?.message).toBe('The key was revoked.');
  expect(summary).toMatchObject({ accepted: 10, unfinished: 10 });
});

it('finishes the requests in progress when stopped, and lists the unfinished accounts', async () => {
  const lines = Array.from({ length: 1000 }, (_, nth) => line(String(nth)));
  const stop = new StopRequest(() => undefined);
  let sent = 0;
  const { summary, errors } = await importLines(
    lines,
    ({ method }) => {
      if (method === 'GET') return { status: 200, body: { status: 'PENDING' } };
      sent += 1;
      if (sent === 50) stop.stop();
      return { status: 201 };
    },
    {},
    stop,
  );
  expect(summary).toMatchObject({ accepted: sent, unreachable: 0 });
  expect(sent).toBeLessThan(60);
  expect(errors).toHaveLength(sent);
  expect(errors[0]).toMatch(/unfinished/);
});

it('stops waiting if no process ends', async () => {
  const pending: Reply = { status: 200, body: { status: 'IN_PROGRESS' } };
  const { summary } = await importLines(
    [line('1')],
    ({ method }) => (method === 'GET' ? pending : { status: 201 }),
    {
      waitMs: 300,
    },
  );
  expect(summary).toMatchObject({ accepted: 1, unfinished: 1 });
});

it('does not poll with --no-wait', async () => {
  const { summary } = await importLines([line('1')], () => ({ status: 201 }), { wait: false });
  expect(summary).toMatchObject({ accepted: 1, processed: 0 });
  expect(service?.requests.filter(({ method }) => method === 'GET')).toEqual([]);
});

it.each([
  [{ file: '/none/book.ndjson' }, 'There is no file /none/book.ndjson'],
  [{ file: tmpdir() }, 'is not a file'],
  [{ errors: '/none/errors.csv' }, 'cannot be written'],
])('reports how to correct the options %j', async (options, message) => {
  const failure: unknown = await importLines([line('1')], () => ({ status: 201 }), options).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as UsageError).message).toContain(message);
  expect(service?.requestsTo('POST', SCHEDULE)).toEqual([]);
});

it.each([
  ['another service', { status: 404, body: { detail: 'Not here.' } }, 'Not here.'],
  ['a web page', { status: 200 }, 'status 200 and no token'],
])('reports a base URL that leads to %s, and does not blame the key', async (_what, answer, reason) => {
  service = await FakeService.start(() => answer);
  const failure = importLines([line('1')], () => ({ status: 201 }));
  await expect(failure).rejects.toThrow(/There is no token endpoint at .*Check --base-url/);
  await expect(failure).rejects.toThrow(reason);
});

it('reports a key that is not accepted', async () => {
  service = await FakeService.start(() => ({ status: 200, body: { errors: [{ message: 'No such key.' }] } }));
  await expect(importLines([line('1')], () => ({ status: 201 }))).rejects.toThrow(
    /does not accept this API key \(No such key\.\)\. Check the key/,
  );
});
