import { bare, portage } from '../environment/program';
import { residentMemory, watchMemory } from '../environment/resident-memory';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { storeProcesses } from '../stored/processes';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';

const STORED = 1_000_000;
const MEGABYTE = 1_000_000;

/** `{`, the first byte of an item. Items contain no nested objects. */
const ITEM_START = 0x7b;

const BARE = 'bare Fastify, all';

interface ReadList {
  readonly rows: number;
  readonly seconds: number;
  readonly firstByteMs: number;
  /** Megabytes above the memory of the API before the first list. */
  readonly memory: number;
}

export const lists: Measure = {
  name: 'lists',
  title: 'Whole lists of a supplier with a million processes',
  async run(bench: Bench): Promise<Findings> {
    const stored = bench.isQuick ? 20_000 : STORED;
    const installation = await bench.servers.installation(bench.servers.backends[0] ?? 'postgres');
    try {
      bench.log(`storing ${formatFigure(stored)} processes`);
      await storeProcesses(installation, stored);
      const service = await installation.start(portage, 0);
      const yardstick = await installation.start(bare, 0);
      const path = (kind: string) => `/v1/data-import/${kind}-account-import-processes/${SUPPLIER}/`;
      const results = await interleave(bench, [
        ...['all', 'pending', 'imported'].map((kind) => turn(`Portage, ${kind}`, service, path(kind))),
        turn(BARE, yardstick, '/list'),
      ]);
      const every = [...results].filter(([name]) => name !== BARE).flatMap(([, runs]) => runs);
      const whole = results.get('Portage, all') ?? [];
      return {
        load: `${formatFigure(stored)} processes in all statuses; one list at a time.`,
        tables: [
          {
            caption: `Memory is resident memory above idle, sampled every 20 ms`,
            columns: ['', 'rows', 'seconds', 'rows/s', 'first byte ms', 'memory MB'],
            rows: [...results].map(([name, runs]) => [
              name,
              formatFigure(runs[0]?.rows ?? NaN),
              formatFigures(runs.map(({ seconds }) => seconds)),
              formatFigures(runs.map(rate)),
              formatFigures(runs.map(({ firstByteMs }) => firstByteMs)),
              formatFigures(runs.map(({ memory }) => memory)),
            ]),
          },
        ],
        goals: [
          { name: 'the list of all', measured: median(whole.map(rate)), atLeast: 100_000, unit: 'rows/s' },
          {
            name: 'maximum memory of the API above idle',
            measured: Math.max(...every.map(({ memory }) => memory)),
            atMost: 200,
            unit: 'MB',
          },
        ],
      };
    } finally {
      await installation.close();
    }
  },
};

function turn(name: string, running: RunningProgram, path: string) {
  const load = running.load(1);
  // Measured once and not before each list, so that memory that a list does not release counts.
  const idle = residentMemory(running.apiPid);
  return {
    name,
    run: async (): Promise<ReadList> => {
      let rows = 0;
      const count = (part: Buffer) => {
        for (let at = part.indexOf(ITEM_START); at >= 0; at = part.indexOf(ITEM_START, at + 1)) rows += 1;
      };
      const memory = watchMemory(running.apiPid);
      const read = await load.read(path, count);
      return { rows, ...read, memory: (memory.peak() - idle) / MEGABYTE };
    },
    summarize: (list: ReadList) => `${formatFigure(rate(list))} rows/s`,
  };
}

function rate({ rows, seconds }: ReadList): number {
  return rows / seconds;
}
