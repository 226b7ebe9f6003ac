import { fstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ReceivedRequest, Reply } from '../../../packages/client/test/fake-service';
import { accountLine, ImportRun } from '../test/import-run';
import type { ImportOutcome } from './import-book';
import type { ImportOptions } from './options';
import { StopRequest } from './run/stop-request';
import { UsageError } from './usage-error';

const VALID: Reply = { status: 200 };

let run: ImportRun | undefined;
afterEach(async () => {
  await run?.end();
  run = undefined;
});

/** Checks the lines with a service that replies to all requests except those for tokens with `answer`. */
async function checkLines(
  lines: string[],
  answer: (request: ReceivedRequest) => Reply,
  options: Partial<ImportOptions> = {},
  stop?: StopRequest,
): Promise<ImportOutcome & { errors: string[] }> {
  run ??= await ImportRun.start(answer);
  const file = await run.write('book.ndjson', lines.join('\n'));
  const context = { ...(stop && { stop }), random: Math.random };
  const outcome = await run.import({ file, retryMs: 300, ...options }, context);
  return { ...outcome, errors: await run.readRows() };
}

it('checks all accounts, and lists all errors of those that are not valid', async () => {
  const errors = [
    { code: 'required', attr: 'customers.0.family_name', detail: 'Needed.' },
    { code: 'invalid', attr: 'customers.0.email', detail: 'Not an address.' },
  ];
  const { summary, errors: rows } = await checkLines(
    [accountLine('good'), '{"cut', '', accountLine('faulty')],
    ({ body }) =>
      body.includes('faulty') ? { status: 400, body: { code: 'account_failed_validation', errors } } : VALID,
  );
  expect(summary).toMatchObject({ valid: 1, refused: { parse_error: 1, required: 1 }, unreachable: 0 });
  expect(rows).toEqual([
    expect.stringMatching(/^2,account,,refused,parse_error,,/),
    '4,account,faulty,refused,invalid,customers.0.email,Not an address.',
    '4,account,faulty,refused,required,customers.0.family_name,Needed.',
  ]);
});

it('counts an account without a response and continues with the others', async () => {
  const { summary, failure, errors } = await checkLines(
    [accountLine('1'), accountLine('lost'), accountLine('3')],
    ({ body }) => (body.includes('lost') ? { status: 500 } : VALID),
  );
  expect(failure).toBeUndefined();
  expect(summary).toMatchObject({ valid: 2, unreachable: 1 });
  expect(errors).toEqual([expect.stringMatching(/^2,account,lost,unreachable,unreachable,,gave up/)]);
});

it('ends the run if the service stops responding', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => accountLine(String(nth)));
  const { summary, failure } = await checkLines(lines, () => 'reset');
  expect(failure?.message).toContain('no response to');
  expect(summary?.unreachable).toBeLessThan(10);
});

it('ends the run if the key is revoked during the run', async () => {
  const lines = Array.from({ length: 100 }, (_, nth) => accountLine(String(nth)));
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
  const lines = Array.from({ length: 1000 }, (_, nth) => accountLine(String(nth)));
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
  const failure: unknown = await checkLines([accountLine('1')], () => VALID, options).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as UsageError).message).toContain(message);
  expect(run?.checked).toEqual([]);
});

it('closes its files if one of them cannot be written', async () => {
  const open = () =>
    readdirSync('/dev/fd').filter((fd) => {
      try {
        return fstatSync(Number(fd)).isFile();
      } catch {
        return false;
      }
    });
  const before = open();
  await expect(checkLines([accountLine('1')], () => VALID, { errors: '/none/errors.csv' })).rejects.toThrow(
    'cannot be written',
  );
  expect(open()).toEqual(before);
});

it.each([
  ['another service', { status: 404, body: { detail: 'Not here.' } }, 'Not here.'],
  ['a web page', { status: 200 }, 'status 200 and no token'],
])('reports a base URL that leads to %s, and does not blame the key', async (_what, answer, reason) => {
  run = await ImportRun.start(() => answer, answer);
  const failure = checkLines([accountLine('1')], () => VALID);
  await expect(failure).rejects.toThrow(/There is no token endpoint at .*Check --base-url/);
  await expect(failure).rejects.toThrow(reason);
});

it('reports a key that is not accepted', async () => {
  run = await ImportRun.start(() => VALID, { status: 200, body: { errors: [{ message: 'No such key.' }] } });
  await expect(checkLines([accountLine('1')], () => VALID)).rejects.toThrow(
    /does not accept this API key \(No such key\.\)\. Check the key/,
  );
});
