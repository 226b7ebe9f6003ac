import { setTimeout as sleep } from 'node:timers/promises';
import { portage } from '../environment/program';
import type { Installation } from '../environment/installation';
import { residentMemory, watchMemory } from '../environment/resident-memory';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { storeProcesses } from '../stored/processes';
import { createLoad, describeLoad, importBook, type ImportedBook } from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';

const STORED = 400_000;
const MAX_EVENTS = 5_000;
const MEGABYTE = 1_000_000;

const WITHOUT = 'without a reader';
const WITH = 'with a reader';

interface ReadFeed {
  readonly events: number;
  readonly perSecond: number;
  /** Microseconds of CPU time per event, of the API and of PostgreSQL. */
  readonly api: number;
  readonly postgres: number;
  /** Megabytes above the memory of the API before the first request. */
  readonly memory: number;
}

interface Page {
  events: { id: string }[];
  next: string;
}

/** The feed of events: how fast a reader catches up, and what a reader costs imports. */
export const events: Measure = {
  name: 'events',
  title: 'The feed of events: a reader that catches up, and imports with a reader that follows',
  async run(bench: Bench): Promise<Findings> {
    const reads = await measureReading(bench);
    const load = createLoad(bench.accounts);
    const backend = bench.servers.fasterBackend;
    const runs = await interleave(
      bench,
      [WITHOUT, WITH].map((name) => ({
        name,
        run: async () =>
          importBook(bench, portage, { backend, load, ...(name === WITH && { beside: followFeed }) }),
        summarize: ({ accountsPerSecond }: ImportedBook) => `${formatFigure(accountsPerSecond)} accounts/s`,
      })),
    );
    const rate = (name: string) =>
      median((runs.get(name) ?? []).map(({ accountsPerSecond }) => accountsPerSecond));
    const cost = ({ times: { api, worker, postgres, redis } }: ImportedBook) =>
      api + worker + postgres + redis;
    return {
      load: `${formatFigure(reads[0]?.events ?? NaN)} stored events, read in answers of ${MAX_EVENTS}; ${describeLoad(load)}, queue in ${backend}, one API and one worker.`,
      tables: [
        {
          caption: 'A reader that catches up',
          columns: [
            '',
            'events/s',
            'CPU time per event of API and PostgreSQL, µs',
            'memory of the API above idle, MB',
          ],
          rows: [
            [
              'one reader',
              formatFigures(reads.map(({ perSecond }) => perSecond)),
              `${formatFigures(reads.map(({ api }) => api))}; ${formatFigures(reads.map(({ postgres }) => postgres))}`,
              formatFigures(reads.map(({ memory }) => memory)),
            ],
          ],
        },
        {
          caption: 'Imports, while a reader follows with long polling',
          columns: ['', 'accounts/s', 'CPU time per account, ms'],
          rows: [WITHOUT, WITH].map((name) => [
            name,
            formatFigures((runs.get(name) ?? []).map(({ accountsPerSecond }) => accountsPerSecond)),
            formatFigures((runs.get(name) ?? []).map(cost)),
          ]),
        },
      ],
      goals: [
        {
          ...{ name: 'a reader that catches up', unit: 'events/s', atLeast: 50_000 },
          measured: median(reads.map(({ perSecond }) => perSecond)),
        },
        { name: 'imports with a reader', measured: rate(WITH) / rate(WITHOUT), atLeast: 0.97 },
      ],
    };
  },
};

async function measureReading(bench: Bench): Promise<ReadFeed[]> {
  const stored = bench.isQuick ? 20_000 : STORED;
  const installation = await bench.servers.installation(bench.servers.backends[0] ?? 'postgres');
  try {
    bench.log(`storing ${formatFigure(stored)} processes with their events`);
    await storeProcesses(installation, stored);
    await storeEvents(installation);
    const running = await installation.start(portage, 0);
    const idle = residentMemory(running.apiPid);
    const results: ReadFeed[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      const memory = watchMemory(running.apiPid);
      const before = running.processorTimes();
      const start = performance.now();
      const count = await readAll(running);
      const seconds = (performance.now() - start) / 1_000;
      const after = running.processorTimes();
      const each = (part: 'api' | 'postgres') => ((after[part] - before[part]) * 1_000) / count;
      results.push({
        ...{ api: each('api'), postgres: each('postgres') },
        events: count,
        perSecond: count / seconds,
        memory: (memory.peak() - idle) / MEGABYTE,
      });
      bench.log(
        `${formatFigure(count / seconds)} events/s; CPU ${formatFigure(each('api'))} + ${formatFigure(each('postgres'))} µs per event`,
      );
    }
    return results;
  } finally {
    await installation.close();
  }
}

/** The event with which each process has ended, in transactions of an ordinary size. */
async function storeEvents(installation: Installation): Promise<void> {
  await installation.sql(`
    INSERT INTO import_process_event
      (process_id, version, attempt, event, error_code, supplier_id, submission_id, transaction_id)
    SELECT id, version, attempt, status, error_code, supplier_id, submission_id, id / 32
    FROM import_process WHERE status IN ('PROCESSED', 'ERRORED', 'CANCELLED')`);
  await installation.sql('VACUUM (ANALYZE) import_process_event');
  await installation.sql('CHECKPOINT');
}

/** Reads the feed from its beginning to its end. @returns the number of events */
async function readAll(running: RunningProgram): Promise<number> {
  let count = 0;
  for (let page = await read(running, ''); page.events.length > 0; page = await read(running, page.next))
    count += page.events.length;
  return count;
}

/** Follows the feed with long polling until it is stopped. */
function followFeed(running: RunningProgram): { stop: () => Promise<void> } {
  let isStopped = false;
  let seen = 0;
  const following = (async () => {
    for (let after = 'now'; !isStopped;) {
      const page = await read(running, after, 1);
      seen += page.events.length;
      after = page.next;
      if (page.events.length === 0) await sleep(1);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await following;
      if (seen === 0) throw new Error('The reader has seen no event.');
    },
  };
}

async function read(running: RunningProgram, after: string, wait = 0): Promise<Page> {
  const query = new URLSearchParams({ supplier: SUPPLIER, limit: String(MAX_EVENTS), wait: String(wait) });
  if (after !== '') query.set('after', after);
  const response = await fetch(`${running.baseUrl}/v2/data-import/events/?${query.toString()}`, {
    headers: { ...running.authorization, 'accept-encoding': 'identity' },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The events were answered with ${response.status}: ${text}`);
  return JSON.parse(text) as Page;
}
