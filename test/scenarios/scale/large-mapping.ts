import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@portage/testing';
import { writeExport } from '../../../bench/csv-export';
import { startImporter } from '../importer';
import { type Scenario, seconds } from '../scenario';

const ACCOUNTS = Number(process.env['SCALE_MAPPING_ACCOUNTS'] ?? 1_000_000);
const READINGS = 5;

/** The memory that the importer may take, whatever the number of rows. */
const MAX_MEBIBYTES = 400;

/** The share of the accounts that are received when the importer is killed. */
const KILL_SHARE = 0.3;
const TIMEOUT_MS = 3_600_000;

export default {
  title: `a mapping of ${ACCOUNTS} rows with ${ACCOUNTS * READINGS} readings is imported, and killed meanwhile, within ${MAX_MEBIBYTES} MiB`,
  minutes: 25,
  backends: ['postgres'],
  table: 'large-mapping',
  run: async ({ install, say }) => {
    const installation = await install({ postgres: {}, waits: 'default' });
    const folder = join(installation.directory, 'export');
    await mkdir(folder);
    const mapping = await writeExport(folder, { accounts: ACCOUNTS, readings: READINGS });
    await writeFile(
      mapping,
      (await readFile(mapping, 'utf8')).replace('value: DEMO', `value: ${installation.supplier}`),
    );
    const args = ['--mapping', mapping, '--results', join(folder, 'results.csv')];
    const countReceived = async () => installation.countRows('import_process');
    const first = startImporter(installation, args);
    await Promise.race([
      first.ended,
      until(
        async () => (await countReceived()) >= ACCOUNTS * KILL_SHARE,
        'the importer has not sent enough accounts',
        TIMEOUT_MS,
      ),
    ]);
    first.kill();
    const killed = await first.ended;
    expect(killed.wasKilled).toBe(true);
    const received = await countReceived();
    say(`killed after ${seconds(killed.elapsed)} with ${received} accounts, ${killed.peak.toFixed(0)} MiB`);
    const whole = await startImporter(installation, args).ended;
    say(`then ${seconds(whole.elapsed)}, ${whole.peak.toFixed(0)} MiB`);

    const [imported] = await installation.sql<{ accounts: number; unfinished: number }>(
      `SELECT (SELECT count(*)::integer FROM account) AS accounts,
         (SELECT count(*)::integer FROM import_process WHERE status <> 'PROCESSED') AS unfinished`,
    );
    expect(imported).toEqual({ accounts: ACCOUNTS, unfinished: 0 });
    expect(whole.printed).toMatch(/reconciled/i);
    const peak = Math.max(killed.peak, whole.peak);
    expect(peak).toBeLessThan(MAX_MEBIBYTES);
    return {
      accounts: ACCOUNTS,
      readings: ACCOUNTS * READINGS,
      'received when it was killed': received,
      'in all': seconds(killed.elapsed + whole.elapsed),
      'peak MiB of the importer': peak.toFixed(0),
    };
  },
} satisfies Scenario;
