import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { anyBackend, newDirectory, REPOSITORY, SharedPortage, until } from '@portage/testing';
import type { ImportOutcome } from '../../../apps/importer/src/import-book';
import type { ImportOptions } from '../../../apps/importer/src/options';
import { StopRequest } from '../../../apps/importer/src/run/stop-request';
import { UsageError } from '../../../apps/importer/src/usage-error';
import { readRows } from '../../../apps/importer/test/error-rows';
import { runImport } from '../../../apps/importer/test/run-import';
import { FaultyConnection } from './faulty-connection';

describe('import-book', () => {
  const portage = SharedPortage.use(anyBackend());
  let connection: FaultyConnection;
  let folder: string;
  let notes: string[];

  beforeAll(async () => {
    connection = await FaultyConnection.start(portage.baseUrl);
    folder = newDirectory();
  });
  beforeEach(() => {
    notes = [];
    connection.uploads = 0;
  });
  afterAll(async () => {
    await connection.stop();
  });

  const path = (name: string) => join(folder, name);
  const write = async (name: string, lines: readonly string[]): Promise<string> => {
    await writeFile(path(name), `${lines.join('\n')}\n`);
    return path(name);
  };

  let numbers = 0;
  const lineOf = (more: object = {}) => JSON.stringify(portage.account(`I-${(numbers += 1)}`, more));
  const linesOf = (count: number) => Array.from({ length: count }, () => lineOf());
  const numberIn = (line: string) =>
    (JSON.parse(line) as { external_account_number: string }).external_account_number;
  /** An account whose text gzip cannot shorten much, so that an upload of some has a middle. */
  const longLines = (count: number) =>
    Array.from({ length: count }, () => {
      const random = createHash('sha512').update(String(numbers)).digest('hex').repeat(1);
      const body = Array.from({ length: 20 }, (_, nth) =>
        createHash('sha512').update(`${random} ${nth}`).digest('base64'),
      ).join(' ');
      return lineOf({ notes: [{ body }] });
    });

  async function run(
    options: Partial<ImportOptions>,
    stop?: StopRequest,
    standardInput?: NodeJS.ReadableStream,
  ): Promise<ImportOutcome> {
    return runImport(
      {
        baseUrl: connection.url,
        apiKey: portage.apiKey,
        errors: path('errors.csv'),
        rejected: path('rejected.ndjson'),
        waitMs: 600_000,
        retryMs: 600_000,
        timeoutMs: 120_000,
        ...options,
      },
      {
        ...(stop && { stop }),
        progress: { show: () => undefined, note: (line) => notes.push(line), end: () => undefined },
        progressEveryMs: 500,
        random: () => 0.2,
        standardInput,
      },
    );
  }

  /** How many accounts, and versions of their processes, a submission has made. */
  async function storedOf(lines: readonly string[]): Promise<{ processes: number; versions: number }> {
    const [stored] = await portage.sql<{ processes: number; versions: number }>(
      `SELECT count(*)::int AS processes, sum(version)::int AS versions FROM import_process process
       JOIN import_supplier supplier ON supplier.id = process.supplier_id
       WHERE supplier.code = $1 AND external_account_number = ANY($2)`,
      [portage.supplier, lines.map(numberIn)],
    );
    return stored!;
  }

  it('imports the lines, lists what failed by its line, and reconciles; a second run uploads nothing', async () => {
    const [one, two, three, four] = linesOf(4) as [string, string, string, string];
    const conflicting = JSON.stringify({ ...JSON.parse(four), customers: [{ family_name: 'Other' }] });
    const bad = lineOf({ customers: [{ family_name: 'Hale', landline: '01234' }] });
    const odd = lineOf({ mood: 'good', customers: [{ family_name: 'Odd', nick: 'O' }] });
    const wrapped = `{"payload":${two}}`;
    const lines = [one, '', wrapped, bad, '{"cut', four, conflicting, three, one, odd];
    const file = await write('book.ndjson', lines);
    const first = await run({ file });
    expect(first.failure).toBeUndefined();
    expect(first.summary).toMatchObject({
      accepted: 4,
      processed: 4,
      already_imported: 0,
      repeated: 1,
      conflicting: 2,
      unfinished: 0,
      refused: { invalid_phone_number: 1, parse_error: 1 },
      errored: {},
      ignored_fields: { 'customers.*.nick': 1, mood: 1 },
    });
    expect((await readRows(path('errors.csv'))).sort()).toEqual([
      expect.stringMatching(/^4,account,I-\d+,refused,invalid_phone_number,customers\.0\.landline,/),
      expect.stringMatching(/^5,account,,refused,parse_error,,/),
      expect.stringMatching(/^6,account,I-4,conflicting,conflicting_lines,,/),
      expect.stringMatching(/^7,account,I-4,conflicting,conflicting_lines,,/),
    ]);
    expect(await readFile(path('rejected.ndjson'), 'utf8')).toBe(
      `${[bad, '{"cut', four, conflicting].join('\n')}\n`,
    );
    const { submission } = first;
    const sent = [one, '', two, bad, '', '', '', three, '', odd].join('\n');
    const digest = createHash('sha256').update(`${sent}\n`).digest('hex').slice(0, 12);
    expect(submission).toMatchObject({ reference: `book.ndjson-${digest}`, status: 'FINISHED' });
    expect(submission?.reconciliation).toMatchObject({ reconciled: false, unfinished: 0 });
    expect(submission?.reconciliation?.measures[0]).toMatchObject({
      measure: 'accounts',
      expected: 5,
      received: 5,
      imported: 4,
      refused_or_errored: 1,
      difference: -1,
    });
    expect(connection.uploads).toBe(1);

    const second = await run({ file });
    expect(connection.uploads).toBe(1);
    expect(notes.join('\n')).toContain('is complete already (FINISHED), so nothing is uploaded');
    expect(second.summary).toMatchObject({
      accepted: 0,
      processed: 0,
      already_imported: 4,
      refused: { invalid_phone_number: 1 },
    });
    const reconciliation = { ...submission?.reconciliation, counted_at: expect.any(String) };
    expect(second.submission).toEqual({ ...submission, reconciliation });
    expect(await readFile(path('rejected.ndjson'), 'utf8')).toContain(bad);
  });

  it('takes paths relative to the directory of the caller of npm, and writes files for their owner only', async () => {
    await write('relative.ndjson', linesOf(1));
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^(npm_|INIT_CWD$)/i.test(key)),
    );
    const given = ['--file', 'relative.ndjson', '--base-url', portage.baseUrl, '--api-key', portage.apiKey];
    const files = { '--errors': 'own.csv', '--report': 'own.json', '--rejected': 'own.ndjson' };
    await promisify(execFile)(
      'npm',
      ['--prefix', REPOSITORY, 'run', 'import-book', '--', ...given, ...Object.entries(files).flat()],
      { cwd: folder, env, timeout: 120_000 },
    );
    for (const name of Object.values(files))
      expect([name, (await stat(path(name))).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('goes on after a connection that is cut in the middle of the upload, and imports no account twice', async () => {
    const lines = longLines(600);
    const file = await write('cut.ndjson', lines);
    const someAreStored = async () =>
      until(async () => (await storedOf(lines)).processes > 0, 'no line was stored before the cut');
    connection.cutUpload(200_000, someAreStored);
    connection.cutUpload(400_000, someAreStored);
    const { summary, submission, failure } = await run({ file });
    expect(failure).toBeUndefined();
    expect(connection.uploads).toBe(3);
    const interrupted = notes.filter((note) => note.includes('The upload was interrupted'));
    expect(interrupted).toHaveLength(2);
    expect(interrupted[0]).toMatch(/The whole file is sent again in \d+ s, which is safe/);
    expect(summary).toMatchObject({ accepted: 600, processed: 600, refused: {}, errored: {} });
    expect(submission?.reconciliation?.reconciled).toBe(true);
    expect(submission?.counts.repeated).toBeGreaterThan(0);
    expect(await storedOf(lines)).toEqual({ processes: 600, versions: 600 });
  });

  it('stops the upload with Ctrl-C, and goes on with the same command', async () => {
    const lines = longLines(400);
    const file = await write('stopped.ndjson', lines);
    const stop = new StopRequest(() => undefined);
    connection.onBytes = {
      count: 150_000,
      act: () => {
        stop.stop();
      },
    };
    const first = await run({ file }, stop);
    expect(first.failure).toBeUndefined();
    expect(first.submission).toMatchObject({ status: 'OPEN', reconciliation: null });
    expect((await storedOf(lines)).processes).toBeLessThan(400);
    const second = await run({ file });
    expect(second.submission?.id).toBe(first.submission?.id);
    expect(second.submission?.reconciliation?.reconciled).toBe(true);
    expect(await storedOf(lines)).toEqual({ processes: 400, versions: 400 });
  });

  it('sends all lines with their task_params, and refuses a book whose lines have different ones', async () => {
    const [plain, one, other] = linesOf(3) as [string, string, string];
    const dry = (line: string) => `{"payload":${line},"task_params":{"is_dry_run":true}}`;
    const mixed = await write('mixed.ndjson', [`{"payload":${plain},"task_params":{}}`, dry(one)]);
    await expect(run({ file: mixed })).rejects.toThrow('Lines 1 and 2 have different task_params');
    const file = await write('dry.ndjson', [dry(one), dry(other)]);
    const { summary, submission } = await run({ file });
    expect(summary).toMatchObject({ processed: 0, dry_run_succeeded: 2 });
    expect(submission?.counts.received).toBe(2);
  });

  it('sends no line of a book whose first line is of a supplier that it has not', async () => {
    const unknown = lineOf({ import_supplier: 'NO-SUCH-ONE' });
    await expect(run({ file: await write('unknown.ndjson', [unknown, lineOf()]) })).rejects.toThrow(
      /could not be opened, so nothing was sent: .*import_supplier/,
    );
    expect(connection.uploads).toBe(0);
  });

  it('tells in a rehearsal which accounts are imported with other content, and which with the same', async () => {
    const lines = linesOf(2) as [string, string];
    await run({ file: await write('there.ndjson', lines) });
    const changed = JSON.stringify({ ...JSON.parse(lines[1]), billing_name: 'Reed' });
    const file = await write('compared.ndjson', [lines[0], changed]);
    const { summary } = await run({ file, rehearse: true });
    expect(summary).toMatchObject({ unchanged: 1, refused: { account_import_process_already_imported: 1 } });
    expect(await readRows(path('errors.csv'))).toEqual([
      expect.stringMatching(
        /^2,account,I-\d+,refused,account_import_process_already_imported,.*with other content and has been imported/,
      ),
    ]);
    expect(await readFile(path('rejected.ndjson'), 'utf8')).toBe(`${changed}\n`);
  });

  it('reads standard input, and ends after the upload with --no-wait', async () => {
    const text = linesOf(3).join('\n');
    const stop = new StopRequest(() => undefined);
    const { submission } = await run({ file: '-', wait: false }, stop, Readable.from([Buffer.from(text)]));
    expect(submission).toMatchObject({
      status: expect.stringMatching(/RECEIVED|FINISHED/),
      reconciliation: null,
    });
    expect(submission?.reference).toMatch(/^standard input-[0-9a-f]{12}$/);
    expect(submission?.counts.received).toBe(3);
  });

  it('refuses a submission that was aborted, and a reference with other totals, before it sends a line', async () => {
    const file = await write('aborted.ndjson', linesOf(2));
    const opened = await run({ file, reference: 'aborted', wait: false });
    await portage.send('POST', `/v2/data-import/submissions/${opened.submission!.id}/abort/`);
    await expect(run({ file, reference: 'aborted', expected: { accounts: 7 } })).rejects.toThrow(
      /Give the same --mode and --expected as then to go on with it, or --reference another name/,
    );
    const other = await portage.post('/v2/data-import/submissions/', {
      import_supplier: portage.supplier,
      reference: 'given up',
      expected: { accounts: 2 },
    });
    await portage.send('POST', `/v2/data-import/submissions/${other.body.id as string}/abort/`);
    connection.uploads = 0;
    const again = run({ file, reference: 'given up' });
    await expect(again).rejects.toThrow(UsageError);
    await expect(again).rejects.toThrow(/was aborted.*Give --reference another name/);
    expect(connection.uploads).toBe(0);
  });
});
