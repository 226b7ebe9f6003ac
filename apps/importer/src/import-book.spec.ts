import { fstatSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, TestServer } from '@portage/testing/test-server';
import { newDirectory } from '@portage/testing/test-directory';
import { tokenReply } from '../../../packages/client/test/token-reply';
import { runImport } from '../test/run-import';
import type { ImportOutcome } from './import-book';
import type { ImportOptions } from './options';
import { UsageError } from './usage-error';

// Runs that cannot start. Submissions need a real service (test/e2e/tenants/import-book.e2e-spec.ts).
const LINE = JSON.stringify({ import_supplier: 'DEMO', external_account_number: '1' });

let folder: string;
let service: TestServer;
beforeEach(async () => {
  folder = newDirectory();
  await writeFile(join(folder, 'book.ndjson'), LINE);
  service = await TestServer.start(tokenReply('token'));
});
afterEach(async () => {
  await service.stop();
});

/** Sends the book to a service that has one answer to every request. */
const run = async (options: Partial<ImportOptions> = {}): Promise<ImportOutcome> =>
  runImport({ baseUrl: new URL(service.url), file: join(folder, 'book.ndjson'), ...options });

it.each([
  [{ file: '/none/book.ndjson' }, 'There is no file /none/book.ndjson'],
  [{ file: tmpdir() }, 'is not a file'],
  [{ errors: '/none/errors.csv' }, 'cannot be written'],
  [{ report: '/none/report.json' }, '/none/report.json cannot be written'],
  [{ mapping: 'none.yaml', results: '/none/results.csv' }, '/none/results.csv cannot be written'],
  [{ mapping: 'none.yaml', rejected: '/none/rejected.csv' }, '/none/rejected.csv cannot be written'],
])('reports how to correct the options %j', async (options, message) => {
  const failure: unknown = await run(options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as UsageError).message).toContain(message);
});

it('does not overwrite the book by an output', async () => {
  const file = join(folder, 'book.ndjson');
  for (const option of ['rejected', 'errors', 'report'] as const)
    await expect(run({ [option]: file })).rejects.toThrow('is the file to be sent');
  expect(await readFile(file, 'utf8')).toBe(LINE);
  const paths = { errors: join(folder, 'x'), rejected: `${folder}/./x` };
  await expect(run(paths)).rejects.toThrow('are the same file');
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
  await expect(run({ errors: '/none/errors.csv' })).rejects.toThrow('cannot be written');
  expect(open()).toEqual(before);
});

it.each([
  ['another service', json(404, { detail: 'Not here.' }), 'Not here.'],
  ['a web page', json(200, {}), 'status 200 and no token'],
])('reports a base URL that leads to %s, and does not blame the key', async (_what, reply, reason) => {
  service.respond = reply;
  const failure = run();
  await expect(failure).rejects.toThrow(/There is no token endpoint at .*Check --base-url/);
  await expect(failure).rejects.toThrow(reason);
});

it('reports a key that is not accepted', async () => {
  service.respond = json(200, { errors: [{ message: 'No such key.' }] });
  await expect(run()).rejects.toThrow(/does not accept this API key \(No such key\.\)\. Check the key/);
});
