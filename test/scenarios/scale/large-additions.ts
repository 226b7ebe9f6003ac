import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Installation } from '@portage/testing/installation';
import { peakOf, startImporter } from '../importer';
import { type Scenario, seconds } from '../scenario';
import { storeAccounts, storedNumber } from '../stored-accounts';

const LINES = Number(process.env['SCALE_ADDITIONS'] ?? 1_000_000);
const LINES_OF_ACCOUNT = 10;
const ACCOUNTS = LINES / LINES_OF_ACCOUNT;

/** The memory that each program may take more for all lines than for a tenth of them. */
const MAX_GROWTH_MEBIBYTES = 100;

export default {
  title: `a book of ${LINES} additions is performed by one worker, in memory that does not grow with it`,
  minutes: 15,
  backends: ['postgres'],
  table: 'large-additions',
  run: async ({ install, say }) => {
    const installation = await install({ postgres: {}, waits: 'default' });
    const opened = await installation.post('/v2/data-import/submissions/', {
      import_supplier: installation.supplier,
      reference: 'accounts',
    });
    const id = String(opened.body.id);
    await installation.send('POST', `/v2/data-import/submissions/${id}/complete/`);
    await storeAccounts(installation, id, ACCOUNTS);
    await installation.sql('VACUUM ANALYZE');

    const tenth = await send(installation, 'tenth', LINES / 10);
    say(`a tenth: ${seconds(tenth.elapsed)}, peaks in MiB: ${JSON.stringify(tenth.peaks)}`);
    const whole = await send(installation, 'whole', LINES);
    say(`all: ${seconds(whole.elapsed)}, peaks in MiB: ${JSON.stringify(whole.peaks)}`);

    const [added] = await installation.sql<{ notes: number; transactions: number; wrong: number }>(
      `SELECT (SELECT count(*)::integer FROM note WHERE actor IS NOT NULL) AS notes,
         (SELECT count(*)::integer FROM transaction WHERE actor IS NOT NULL) AS transactions,
         (SELECT count(*)::integer FROM ledger WHERE balance <> (
           SELECT count(*) FROM transaction WHERE account_id = ledger.account_id AND actor IS NOT NULL)) AS wrong`,
    );
    const sent = LINES + LINES / 10;
    expect(added).toEqual({ notes: sent / 2, transactions: sent / 2, wrong: 0 });
    for (const program of ['importer', 'api', 'worker'] as const)
      expect(whole.peaks[program] - tenth.peaks[program]).toBeLessThan(MAX_GROWTH_MEBIBYTES);
    const peak = (program: keyof Peaks) =>
      `${tenth.peaks[program].toFixed(0)} → ${whole.peaks[program].toFixed(0)}`;
    return {
      lines: LINES,
      accounts: ACCOUNTS,
      'lines a second': (LINES / (whole.elapsed / 1_000)).toFixed(0),
      'MiB of the importer, a tenth → all': peak('importer'),
      'of the API': peak('api'),
      'of the worker': peak('worker'),
    };
  },
} satisfies Scenario;

/** Peak memory in MiB. */
type Peaks = Record<'importer' | 'api' | 'worker', number>;

/** Sends a book with the importer, which ends with a reconciled submission. */
async function send(
  installation: Installation,
  name: string,
  lines: number,
): Promise<{ elapsed: number; peaks: Peaks }> {
  const file = join(installation.directory, `${name}.ndjson`);
  await pipeline(Readable.from(bookOf(name, lines)), createWriteStream(file));
  const args = ['--file', file, '--kind', 'additions', '--reference', name];
  const { elapsed, peak } = await startImporter(installation, args).ended;
  const [api, worker] = await Promise.all(
    [installation.api!, installation.workers[0]!].map(async ({ pid }) => (await peakOf(pid!)) ?? NaN),
  );
  return {
    elapsed,
    peaks: { importer: peak, api: api!, worker: worker! },
  };
}

/** Notes and payments of one unit in turn, account by account, so that the lines of an account are far apart. */
function* bookOf(name: string, lines: number): Generator<string> {
  for (let line = 0; line < lines; line += 1) {
    const account = {
      import_supplier: 'LEGACY',
      external_account_number: storedNumber((line % ACCOUNTS) + 1),
    };
    const id = `${name}-${line}`;
    const round = Math.floor(line / ACCOUNTS);
    const isNote = round === 0 && lines < LINES ? line % 2 === 0 : round % 2 === 0;
    yield `${JSON.stringify(
      isNote
        ? { notes: { ...account, notes: [{ body: id, external_id: id }] } }
        : {
            transactions: {
              ...account,
              transactions: [
                { transaction_id: id, type: 'PAYMENT', amount: '1.00', transaction_date: '2024-01-15' },
              ],
            },
          },
    )}\n`;
  }
}
