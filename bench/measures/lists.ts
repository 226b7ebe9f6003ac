import { bare, portage } from '../environment/program';
import { residentMemory, watchMemory } from '../environment/resident-memory';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { storeProcesses } from '../stored/processes';
import { inTurns } from './in-turns';
import type { Bench, Findings, Measure } from './measure';

const STORED = 1_000_000;
const MEGABYTE = 1_000_000;

/** Where an item begins: they have no objects in them. */
const ITEM = 0x7b;

const BARE = 'bare Fastify, all';

interface ReadList {
  readonly rows: number;
  readonly seconds: number;
  readonly firstByteMs: number;
  /** Megabytes above what the API had before it was asked for any list. */
  readonly memory: number;
}

export const lists: Measure = {
  name: 'lists',
  title: 'Whole lists of a supplier with a million processes',
  async run(bench: Bench): Promise<Findings> {
    const stored = bench.isQuick ? 20_000 : STORED;
    const installation = await bench.servers.installation(bench.servers.backends[0] ?? 'postgres');
    try {
      bench.say(`storing ${figure(stored)} processes`);
      await storeProcesses(installation, stored);
      const service = await installation.start(portage, 0);
      const yardstick = await installation.start(bare, 0);
      const path = (kind: string) => `/v1/data-import/${kind}-account-import-processes/${SUPPLIER}/`;
      const results = await inTurns(bench, [
        ...['all', 'pending', 'imported'].map((kind) => turn(`Portage, ${kind}`, service, path(kind))),
        turn(BARE, yardstick, '/list'),
      ]);
      const every = [...results].filter(([name]) => name !== BARE).flatMap(([, runs]) => runs);
      const whole = results.get('Portage, all') ?? [];
      return {
        load: `${figure(stored)} processes in all statuses; one list at a time.`,
        tables: [
          {
            caption: `Memory is resident memory above idle, looked at every 20 ms`,
            columns: ['', 'rows', 'seconds', 'rows/s', 'first byte ms', 'memory MB'],
            rows: [...results].map(([name, runs]) => [
              name,
              figure(runs[0]?.rows ?? NaN),
              figures(runs.map(({ seconds }) => seconds)),
              figures(runs.map(rate)),
              figures(runs.map(({ firstByteMs }) => firstByteMs)),
              figures(runs.map(({ memory }) => memory)),
            ]),
          },
        ],
        goals: [
          { what: 'the list of all', found: median(whole.map(rate)), atLeast: 100_000, unit: 'rows/s' },
          {
            what: 'memory of the API above idle, at most, with any list',
            found: Math.max(...every.map(({ memory }) => memory)),
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
  // Once, and not before each list: what a list leaves behind belongs to it.
  const idle = residentMemory(running.apiPid);
  return {
    name,
    run: async (): Promise<ReadList> => {
      let rows = 0;
      const count = (part: Buffer) => {
        for (let at = part.indexOf(ITEM); at >= 0; at = part.indexOf(ITEM, at + 1)) rows += 1;
      };
      const memory = watchMemory(running.apiPid);
      const read = await load.read(path, count);
      return { rows, ...read, memory: (memory.most() - idle) / MEGABYTE };
    },
    tell: (list: ReadList) => `${figure(rate(list))} rows/s`,
  };
}

function rate({ rows, seconds }: ReadList): number {
  return rows / seconds;
}
