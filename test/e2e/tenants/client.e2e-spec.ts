import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type BookSource, createPortageClient, PortageError } from '@portage/client';
import {
  announceSkipped,
  type AnswerDocument,
  MISSING,
  newDirectory,
  REPOSITORY,
  SharedPortage,
  storeErrored,
} from '@portage/testing';
import { exchange } from '@portage/testing/exchange';
import { hangUp, json, type ReceivedRequest, type Responder, TestServer } from '@portage/testing/test-server';
import { transform } from '@swc/core';

const portage = SharedPortage.use('postgres');
/** Stands between the Python example and Portage, and fails as a network and a load balancer do. */
let intermediary: TestServer;
/** What becomes of the next requests, instead of being passed on. */
const faults: Responder[] = [];

/** Passes a request on. */
async function passOn({ method, path, headers, body }: ReceivedRequest) {
  const { host: _, connection: __, 'content-length': ___, ...given } = headers;
  return exchange(method, portage.baseUrl + path, {
    headers: given as Record<string, string>,
    body: body === '' ? undefined : body,
  });
}

const pass: Responder = (request, response) => {
  void passOn(request).then(({ status, headers, bytes }) => response.writeHead(status, headers).end(bytes));
};
const loseAnswer: Responder = (request, response) => {
  void passOn(request).then(() => {
    hangUp(request, response);
  });
};

beforeAll(async () => {
  intermediary = await TestServer.start((request, response) => {
    (faults.shift() ?? pass)(request, response);
  });
});
afterEach(() => {
  faults.length = 0;
});
afterAll(async () => {
  await intermediary.stop();
});

const newClient = () => createPortageClient({ baseUrl: portage.baseUrl, apiKey: portage.apiKey });

const account = (number: string, more: object = {}) => ({
  ...portage.about(number),
  customers: [{ given_name: 'Maeve', family_name: 'Aldous' }],
  ...more,
});
it('the document from which the client is generated is the one that the API serves', async () => {
  const served = (await portage.get('/openapi.json', { authorization: undefined })).body as AnswerDocument;
  const written = JSON.parse(await readFile(join(REPOSITORY, 'dist', 'openapi.json'), 'utf8')) as unknown;
  expect(written).toEqual(served);
});

it('@portage/client validates an account, imports it, reads its status and adds to it', async () => {
  const client = newClient();
  const refused = await client
    .validateAccount({
      body: account('CLIENT 1', { customers: [{ family_name: 'Hale', landline: '01234' }] }),
    })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PortageError);
  expect(refused).toMatchObject({
    status: 400,
    code: 'account_failed_validation',
    detail: expect.any(String),
    errors: expect.arrayContaining([
      { code: 'invalid_phone_number', attr: 'customers.0.landline', detail: expect.any(String) },
    ]),
    requestId: expect.any(String),
  });

  const valid = await client.validateAccount({ body: account('CLIENT 1') });
  expect([valid.response.status, valid.data]).toEqual([200, {}]);
  await client.scheduleAccount({ body: account('CLIENT 1') });
  await portage.waitForAccount('CLIENT 1', 'PROCESSED');
  const path = { supplier: portage.supplier, identifier: 'CLIENT 1' };
  expect((await client.readAccountImport({ path })).data.platform_identifier).toMatch(/\S/);
  const again = await client.scheduleAccount({ body: account('CLIENT 1'), throwOnError: false });
  expect(again.error).toMatchObject({ code: 'account_import_process_already_imported' });
  expect(again.response.payloadDigest).toMatch(/^sha-256=:.+:$/);

  const notes = [{ body: 'Moved from the old system.' }];
  const added = await client.createNotes({ body: { ...portage.about('CLIENT 1'), notes } });
  expect(added.data).toHaveLength(1);
  const listed = await client.listImportedImportProcesses({ path: { supplier: portage.supplier } });
  expect(listed.data.map((one) => one.external_account_number)).toContain('CLIENT 1');
});

describe('a book that is sent with the client', () => {
  let folder: string;
  beforeAll(async () => {
    folder = newDirectory();
  });

  it('is rehearsed, and then imported from a file, with the results of each line', async () => {
    const numbers = Array.from({ length: 300 }, (_, i) => `BOOK ${i}`);
    const broken = account('BROKEN', { customers: [{ landline: '01234' }] });
    const book = [...numbers.map((number) => account(number)), broken];
    const file = join(folder, 'book.ndjson');
    await writeFile(file, book.map((one) => `${JSON.stringify(one)}\n`).join(''));

    const send = async (rehearse: boolean, source: BookSource) => {
      const client = newClient();
      const { data } = await client.openSubmission({
        body: {
          import_supplier: portage.supplier,
          reference: rehearse ? 'rehearsal' : 'book',
          task_params: { is_dry_run: rehearse },
        },
      });
      expect(await client.upload(data.id, source)).toMatchObject({ lines: 301, accepted: 300, refused: 1 });
      await client.completeSubmission({ path: { id: data.id } });
      await portage.waitForSubmission(data.id);
      expect((await client.readSubmission({ path: { id: data.id } })).data.status).toBe('FINISHED');
      const outcomes = new Map<string, number>();
      for await (const { outcome } of client.results(data.id))
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      return Object.fromEntries(outcomes);
    };

    expect(await send(true, () => Readable.from(book))).toEqual({ dry_run_succeeded: 300, refused: 1 });
    expect(
      await portage.sql(
        `SELECT account.id FROM account JOIN import_supplier supplier ON supplier.id = account.supplier_id
         WHERE supplier.code = $1 AND external_account_number LIKE 'BOOK %'`,
        [portage.supplier],
      ),
    ).toEqual([]);
    expect(await send(false, { file })).toEqual({ processed: 300, refused: 1 });
  });
});

it("the TypeScript program of the supplier's guide imports an account", async () => {
  const guide = await readFile(join(REPOSITORY, 'docs', 'suppliers-guide.md'), 'utf8');
  const program = /^```ts\n([\s\S]*?)^```/m.exec(guide)![1]!;
  const client = pathToFileURL(join(REPOSITORY, 'dist', 'packages', 'client', 'src', 'index.js')).href;
  const { code } = await transform(
    program.replaceAll("'@portage/client'", `'${client}'`).replaceAll("'DEMO'", `'${portage.supplier}'`),
    { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } },
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    env: { BASE_URL: portage.baseUrl, PORTAGE_API_KEY: portage.apiKey },
  });
  expect(stdout).toMatch(
    /^(PENDING|IN_PROGRESS|PROCESSED) no error\n\d failed\n1 refused\n2 refused invalid_phone_number\n$/,
  );
  await portage.waitForAccount('GUIDE-4', 'PROCESSED');
});

const PYTHON = 'python3';
const hasPython = spawnSync(PYTHON, ['--version']).status === 0;
if (!hasPython) announceSkipped('the Python example', MISSING.python);

(hasPython ? describe : describe.skip)('the Python example', () => {
  let folder: string;

  beforeAll(async () => {
    folder = newDirectory();
  });

  async function run(content: object): Promise<{ status: number; lines: string[]; errors: string }> {
    const file = join(folder, 'account.json');
    await writeFile(file, JSON.stringify(content));
    const script = join(REPOSITORY, 'examples', 'python', 'import_account.py');
    const env = { PATH: process.env['PATH'], PORTAGE_API_KEY: portage.apiKey };
    return new Promise((resolve) => {
      execFile(
        PYTHON,
        [script, intermediary.url, file],
        { env, timeout: 60_000 },
        (error, stdout, stderr) => {
          resolve({
            status: error ? Number(error.code) : 0,
            lines: stdout.trim().split('\n'),
            errors: stderr,
          });
        },
      );
    });
  }

  it('validates an account, imports it, waits for its status and lists failed imports', async () => {
    await storeErrored(portage, ['FAILED'], { code: 'a_code', detail: 'A detail.' });
    const { status, lines, errors } = await run(account('PYTHON 1'));
    expect([errors, lines, status]).toEqual([
      '',
      [
        expect.stringMatching(/^PYTHON 1: PROCESSED \S+$/),
        `Failed imports of ${portage.supplier}: 1`,
        'FAILED: a_code: A detail.',
      ],
      0,
    ]);
  });

  it('prints all errors of a refused account', async () => {
    const { status, lines } = await run(
      account('PYTHON 2', { account_type: 'HOUSE', customers: [{ family_name: 'Hale', landline: '01234' }] }),
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^account_type: invalid_choice: /),
        expect.stringMatching(/^customers\.0\.landline: invalid_phone_number: /),
      ]),
    );
    expect(status).toBe(1);
  });

  it('sends a request again after 503 and a lost answer', async () => {
    faults.push(json(503, { code: 'unavailable', detail: 'Later.' }, { 'retry-after': '0' }), loseAnswer);
    const { status, lines } = await run(account('PYTHON 3'));
    expect([lines[0], status]).toEqual([expect.stringMatching(/^PYTHON 3: PROCESSED \S+$/), 0]);
  });
});
