import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyBackend, newDirectory, SharedPortage } from '@portage/testing';
import { readRows } from '../../../apps/importer/test/error-rows';
import { runImport } from '../../../apps/importer/test/run-import';

const SUBMISSIONS = '/v2/data-import/submissions/';
const LINES = { 'content-type': 'application/x-ndjson' };

/** What two parts of the service say about the same thing. */
describe('the same thing is said everywhere', () => {
  const portage = SharedPortage.use(anyBackend());

  const open = async (reference: string, more: object = {}): Promise<string> =>
    (await portage.post(SUBMISSIONS, { import_supplier: portage.supplier, reference, ...more })).body
      .id as string;
  const upload = async (id: string, lines: string) =>
    portage.post(`${SUBMISSIONS}${id}/accounts/`, lines, LINES);

  it('the limit of a line, by the importer as by an upload', async () => {
    const folder = newDirectory();
    const number = 'too-long';
    const line = JSON.stringify(
      portage.account(number, { notes: [{ body: randomBytes(8_500_000).toString('hex') }] }),
    );
    const book = join(folder, 'book.ndjson');
    const errors = join(folder, 'errors.csv');
    await writeFile(book, `${line}\n${JSON.stringify(portage.account('short'))}\n`);
    await runImport(
      {
        baseUrl: new URL(portage.baseUrl),
        timeoutMs: 120_000,
        apiKey: portage.apiKey,
        file: book,
        errors,
        reference: 'long line',
      },
      { progress: { show: () => undefined, note: () => undefined, end: () => undefined } },
    );
    const [row] = await readRows(errors);
    const id = await open('long line, uploaded');
    await upload(id, `${line}\n`);
    const { text } = await portage.get(`${SUBMISSIONS}${id}/results/`);
    const [error] = (JSON.parse(text) as { errors: { code: string; detail: string }[] }).errors;
    expect(error!.code).toBe('line_too_long');
    expect(row).toContain(`refused,${error!.code},,${error!.detail}`);
  });

  it('the reference of a submission: the list finds it', async () => {
    const id = await open('one of many');
    await open('another of many');
    const listed = async (reference: string) => {
      const { status, headers, body } = await portage.get(
        `${SUBMISSIONS}?supplier=${portage.supplier}&reference=${encodeURIComponent(reference)}`,
      );
      expect([status, headers['ignored-parameters']]).toEqual([200, undefined]);
      return (body as { id: string }[]).map((one) => one.id);
    };
    expect(await listed('one of many')).toEqual([id]);
    expect(await listed('one of')).toEqual([]);
    const long = await portage.get(
      `${SUBMISSIONS}?supplier=${portage.supplier}&reference=${'x'.repeat(129)}`,
    );
    expect([long.status, long.body.code]).toEqual([400, 'validation_error']);
  });

  it('the time of a reconciliation', async () => {
    const id = await open('reconciled');
    const before = Date.now();
    const { body } = await portage.get(`${SUBMISSIONS}${id}/reconciliation/`);
    expect(body.counted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);
    expect(Math.abs(new Date(body.counted_at as string).getTime() - before)).toBeLessThan(60_000);
  });
});
