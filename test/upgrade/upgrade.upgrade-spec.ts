import { findRedisProgram, type TestedBackend } from '@portage/testing';
import { type Releases, runUpgrade, type UpgradeResult } from './run-upgrade';

// test/upgrade/run.mjs builds the releases and names them.
const releases = JSON.parse(process.env['PORTAGE_UPGRADE_RELEASES'] ?? '') as Releases;
const TIMEOUT_MS = 1_200_000;

const available: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];
const chosen = process.env['PORTAGE_UPGRADE_BACKEND'];
const backends = available.filter((backend) => !chosen || backend === chosen);
if (available.length < 2)
  process.stderr.write(
    'SKIPPED: the queue in Redis, because no redis-server or valkey-server is on the PATH.\n',
  );

const rows: string[] = [];

/** A row of the table in docs/reliability.md. */
function rowOf({ backend, callsByInstance, stops, ...result }: UpgradeResult): string {
  const unclean = stops.filter(({ status }) => status !== 0).length;
  const cells = [
    releases.previous.name,
    backend,
    result.accounts,
    result.calls,
    Object.values(callsByInstance).join(', '),
    result.failures.length,
    result.lost,
    result.doubled,
    result.violations.length,
    unclean,
  ];
  return `| ${cells.join(' | ')} |`;
}

describe(`an upgrade from ${releases.previous.name} to ${releases.current.name}, back, and again`, () => {
  afterAll(() => {
    const head = [
      'from',
      'queue in',
      'accounts',
      'calls',
      'by old API, new, old again, new again',
      'failed',
      'lost',
      'doubled',
      'violations',
      'unclean stops',
    ];
    const line = head.map(() => '---').join(' | ');
    process.stderr.write(`\n| ${head.join(' | ')} |\n| ${line} |\n${rows.join('\n')}\n`);
  });

  it.each(backends)(
    'with the queue in %s: no request fails, and clients see one history',
    async (backend) => {
      const start = performance.now();
      const result = await runUpgrade(releases, backend, (text) => {
        const seconds = ((performance.now() - start) / 1_000).toFixed(0);
        process.stderr.write(`${seconds.padStart(4)} s  ${text}\n`);
      });
      rows.push(rowOf(result));
      const { failures, violations, lost, doubled, isFinished, processed, processedInFigures } = result;
      expect({ failures, violations, lost, doubled, isFinished }).toEqual({
        failures: [],
        violations: [],
        lost: 0,
        doubled: 0,
        isFinished: true,
      });
      // This release counts the accounts that the previous one has imported, before the upgrade and beside it.
      expect(processedInFigures).toBe(processed);
      expect(result.stops.filter(({ status }) => status !== 0)).toEqual([]);
      expect(Object.keys(result.callsByInstance)).toHaveLength(4);
    },
    TIMEOUT_MS,
  );
});
