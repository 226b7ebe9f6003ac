import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRows } from '../test/error-rows';
import { runImport } from '../test/run-import';
import {
  FakeService,
  type ReceivedRequest,
  type Reply,
  tokenReply,
} from '../../../packages/client/test/fake-service';
import type { ImportOutcome } from './import-book';
import type { ImportOptions } from './options';
import { StopRequest } from './run/stop-request';
import { UsageError } from './usage-error';

const VALIDATE = '/v2/data-import/accounts/validate/';
const VALID: Reply = { status: 200 };

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

/** Checks the lines with a service that issues tokens and replies to all other requests with `answer`. */
async function checkLines(
  lines: string[],
  answer: (request: ReceivedRequest) => Reply,
  options: Partial<ImportOptions> = {},
  stop?: StopRequest,
): Promise<ImportOutcome & { errors: string[] }> {
  service ??= await FakeService.start((request) =>
    request.path === '/v1/graphql/' ? tokenReply('token') : answer(request),
  );
  const file = join(folder, 'book.ndjson');
  const errors = join(folder, 'errors.csv');
  await writeFile(file, lines.join('\n'));
  const run = { file, errors, baseUrl: service.url, validateOnly: true, retryMs: 300, ...options };
  const outcome = await runImport(run, { ...(stop && { stop }), random: Math.random });
  return { ...outcome, errors: await readRows(errors) };
}

it('checks all accounts, and lists all errors of those that are not valid', async () => {
  const errors = [
    { code: 'required', attr: 'customers.0.family_name', detail: 'Needed.' },
    { code: 'invalid', attr: 'customers.0.email', detail: 'Not an address.' },
  ];
  const { summary, errors: rows } = await checkLines(
    [line('good'), '{"cut', '', line('faulty')],
    ({ body }) =>
      body.includes('faulty') ? { status: 400, body: { code: 'account_failed_validation', errors } } : VALID,
  );
  expect(summary).toMatchObject({ valid: 1, refused: { parse_error: 1, required: 1 }, unreachable: 0 });
  expect(rows.sort()).toEqual([
    expect.stringMatching(/^2,account,,refused,parse_error,,/),
    '4,account,faulty,refused,invalid,customers.0.email,Not an address.',
    '4,account,faulty,refused,required,customers.0.family_name,Needed.',
  ]);
});

it('counts an account without a response and continues with the others', async () => {
  const { summary, failure, errors } = await checkLines([line('1'), line('lost'), line('3')], ({ body }) =>
    body.includes('lost') ? { status: 500 } : VALID,
  );
  expect(failure).toBeUndefined();
  expect(summary).toMatchObject({ valid: 2, unreachable: 1 });
  expect(errors).toEqual([expect.stringMatching(/^2,account,lost,unreachable,unreachable,,gave up/)]);
});

it('ends the run if the service stops responding', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => line(String(nth)));
  const { summary, failure } = await checkLines(lines, () => 'reset');
  expect(failure?.message).toContain('no response to');
  expect(summary?.unreachable).toBeLessThan(10);
});

it('ends the run if the key is revoked during the run', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => line(String(nth)));
  let sent = 0;
  const { summary, failure } = await checkLines(lines, () => {
    sent += 1;
    if (sent <= 10) return VALID;
    return { status: 401, body: { code: 'authentication_failed', detail: 'The key was revoked.' } };
  });
  expect(failure?.message).toBe('The key was revoked.');
  expect(summary).toMatchObject({ valid: 10 });
});

it('finishes the requests in progress when stopped', async () => {
  const lines = Array.from({ length: 1000 }, (_, nth) => line(String(nth)));
  const stop = new StopRequest(() => undefined);
  let sent = 0;
  const { summary } = await checkLines(
    lines,
    () => {
      sent += 1;
      if (sent === 50) stop.stop();
      return VALID;
    },
    {},
    stop,
  );
  expect(summary).toMatchObject({ valid: sent, unreachable: 0 });
  expect(sent).toBeLessThan(60);
});

it.each([
  [{ file: '/none/book.ndjson' }, 'There is no file /none/book.ndjson'],
  [{ file: tmpdir() }, 'is not a file'],
  [{ errors: '/none/errors.csv' }, 'cannot be written'],
])('reports how to correct the options %j', async (options, message) => {
  const failure: unknown = await checkLines([line('1')], () => VALID, options).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as UsageError).message).toContain(message);
  expect(service?.requestsTo('POST', VALIDATE)).toEqual([]);
});

it.each([
  ['another service', { status: 404, body: { detail: 'Not here.' } }, 'Not here.'],
  ['a web page', { status: 200 }, 'status 200 and no token'],
])('reports a base URL that leads to %s, and does not blame the key', async (_what, answer, reason) => {
  service = await FakeService.start(() => answer);
  const failure = checkLines([line('1')], () => VALID);
  await expect(failure).rejects.toThrow(/There is no token endpoint at .*Check --base-url/);
  await expect(failure).rejects.toThrow(reason);
});

it('reports a key that is not accepted', async () => {
  service = await FakeService.start(() => ({ status: 200, body: { errors: [{ message: 'No such key.' }] } }));
  await expect(checkLines([line('1')], () => VALID)).rejects.toThrow(
    /does not accept this API key \(No such key\.\)\. Check the key/,
  );
});
