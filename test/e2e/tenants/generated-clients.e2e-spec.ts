import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newDirectory, REPOSITORY, SharedPortage } from '@portage/testing';
import createFetchClient from 'openapi-fetch';
import type { paths } from '../../../packages/client/src/generated/api';

const run = promisify(execFile);
const portage = SharedPortage.use('postgres');

const headers = () => ({ Authorization: `Token ${portage.token}` });
const linesOf = (...numbers: string[]) =>
  numbers.map((number) => `${JSON.stringify(portage.account(number))}\n`).join('');
const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as object);
const SERIALISED_TWICE = {
  code: 'parse_error',
  detail: expect.stringContaining('serialised twice') as string,
};

/** The options are those that docs/suppliers-guide.md names. */
it('a client of openapi-typescript with openapi-fetch uploads lines and reads results', async () => {
  const client = createFetchClient<paths>({ baseUrl: portage.baseUrl });
  const opened = await client.POST('/v2/data-import/submissions/', {
    headers: headers(),
    body: { import_supplier: portage.supplier, reference: 'openapi-fetch' },
  });
  const params = { path: { id: opened.data!.id } };
  const upload = async (bodySerializer?: (text: string) => string) =>
    client.POST('/v2/data-import/submissions/{id}/accounts/', {
      headers: { ...headers(), 'Content-Type': 'application/x-ndjson' },
      params,
      body: linesOf('F-1', 'F-2'),
      ...(bodySerializer && { bodySerializer }),
    });
  expect((await upload()).error).toMatchObject(SERIALISED_TWICE);
  expect((await upload((text) => text)).data).toMatchObject({ lines: 2, accepted: 2 });
  await portage.waitForAccount('F-1', 'PROCESSED');
  await portage.waitForAccount('F-2', 'PROCESSED');
  const results = await client.GET('/v2/data-import/submissions/{id}/results/', {
    headers: headers(),
    params,
    parseAs: 'text',
  });
  expect(rowsOf(results.data as string)).toMatchObject([
    { external_account_number: 'F-1', outcome: 'processed' },
    { external_account_number: 'F-2', outcome: 'processed' },
  ]);
});

type Operation = (options: object) => Promise<{ data?: unknown; error?: unknown }>;
/** What this suite calls of the generated module, whose types exist only while it runs. */
type Generated = Record<'openSubmission' | 'uploadAccounts' | 'listSubmissionResults', Operation>;

describe('a client of @hey-api/openapi-ts', () => {
  let folder: string;
  let api: Generated;

  beforeAll(async () => {
    folder = newDirectory();
    const generator = join(REPOSITORY, 'node_modules', '@hey-api', 'openapi-ts', 'bin', 'run.js');
    const settings = {
      input: `${portage.baseUrl}/openapi.json`,
      // Jest resolves imports without an extension.
      output: { path: 'client', importFileExtension: null },
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    };
    await writeFile(join(folder, 'openapi-ts.config.json'), JSON.stringify(settings));
    await run(process.execPath, [generator], { cwd: folder });
    api = (await import(join(folder, 'client', 'index.ts'))) as Generated;
  });

  it('uploads lines and reads results', async () => {
    const options = { baseUrl: portage.baseUrl, headers: headers() };
    const opened = await api.openSubmission({
      ...options,
      body: { import_supplier: portage.supplier, reference: 'hey-api' },
    });
    const path = { id: (opened.data as { id: string }).id };
    const upload = async (more: object = {}) =>
      api.uploadAccounts({ ...options, path, body: linesOf('H-1', 'H-2'), ...more });
    expect((await upload()).error).toMatchObject(SERIALISED_TWICE);
    expect((await upload({ bodySerializer: null })).data).toMatchObject({ lines: 2, accepted: 2 });
    await portage.waitForAccount('H-1', 'PROCESSED');
    await portage.waitForAccount('H-2', 'PROCESSED');
    const results = await api.listSubmissionResults({ ...options, path, parseAs: 'text' });
    expect(rowsOf(results.data as string)).toMatchObject([
      { external_account_number: 'H-1', outcome: 'processed' },
      { external_account_number: 'H-2', outcome: 'processed' },
    ]);
  });
});
