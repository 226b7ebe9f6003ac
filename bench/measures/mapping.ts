import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { builtProgram } from '@portage/testing/built-programs';
import { writeExport } from '../csv-export';
import { processorTime } from '../processor-time';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import type { Bench, Findings, Measure } from './measure';

const READINGS = 5;

const SIZES = { small: 10_000, large: 50_000, whenQuick: [200, 1_000] } as const;

/** How often memory and CPU time are read. */
const SAMPLE_MS = 20;

interface Run {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

/** Maps exports of two sizes to books, with the importer as a process of its own. */
export const mapping: Measure = {
  name: 'mapping',
  title: 'CSV files to a book, validation included',
  minutes: 5,
  async run(bench: Bench): Promise<Findings> {
    const sizes = bench.isQuick ? SIZES.whenQuick : [SIZES.small, SIZES.large];
    const runs = new Map<number, Run[]>();
    const folder = await mkdtemp(join(tmpdir(), 'portage-mapping-'));
    try {
      for (const accounts of sizes) {
        const path = await writeExport(folder, { accounts, readings: READINGS });
        const own: Run[] = [];
        for (let round = 0; round < bench.rounds; round += 1) own.push(await mapBook(path, accounts));
        runs.set(accounts, own);
        bench.log(
          `${accounts} accounts: ${formatFigure(accounts / median(own.map((run) => run.cpuSeconds)))} a CPU second`,
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    const largest = [...runs].at(-1) as [number, Run[]];
    return {
      load: `The columns of examples/mapping, with ${READINGS} readings for each account in a second file, in another order. \`map book\`, in one process: its start, grouping, mapping, validation and the book.`,
      tables: [
        {
          columns: ['accounts', 'accounts/s', 'accounts a CPU second', 'peak MiB'],
          rows: [...runs].map(([accounts, own]) => [
            accounts.toLocaleString('en'),
            formatFigures(own.map(({ seconds }) => accounts / seconds)),
            formatFigures(own.map(({ cpuSeconds }) => accounts / cpuSeconds)),
            formatFigures(own.map(({ peakMiB }) => peakMiB)),
          ]),
        },
      ],
      goals: [
        {
          name: 'accounts a CPU second',
          measured: largest[0] / median(largest[1].map(({ cpuSeconds }) => cpuSeconds)),
          atLeast: 1_500,
          unit: 'accounts/s',
        },
      ],
    };
  },
};

async function mapBook(path: string, accounts: number): Promise<Run> {
  const start = process.hrtime.bigint();
  const out = join(path, '../book.ndjson');
  const importer = spawn(
    process.execPath,
    [builtProgram('importer'), 'map', 'book', '--mapping', path, '--out', out],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  importer.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const ended = new AbortController();
  const sampling = sample(importer.pid as number, ended.signal);
  const [status] = (await once(importer, 'close')) as [number];
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  ended.abort();
  if (status !== 0 || !printed.includes(`Accounts without errors: ${accounts}\n`))
    throw new Error(`The export was not mapped: ${printed}`);
  return { seconds, ...(await sampling) };
}

/** The last CPU time and the peak memory that were seen of a process. */
async function sample(pid: number, ended: AbortSignal): Promise<Pick<Run, 'cpuSeconds' | 'peakMiB'>> {
  let last = { cpuSeconds: NaN, peakMiB: NaN };
  try {
    for await (const _ of setInterval(SAMPLE_MS, undefined, { signal: ended })) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
      if (peak !== undefined) last = { cpuSeconds: processorTime(pid) / 1000, peakMiB: Number(peak) / 1024 };
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  }
  return last;
}
