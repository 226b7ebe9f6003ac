import type { Backend } from '../environment/installation';
import { portage } from '../environment/program';
import { type ScriptRunner, findScriptRunner } from '../environment/sql-script';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { turnSeconds } from './api-turns';
import { interleave, type Turn } from './interleave';
import type { Bench, Findings, Goal, Measure, Table } from './measure';
import { CONNECTIONS, importAccounts, nameOf, type AddResult, createTurns } from './transaction-turns';

const SIZES = [1, 1_000];

type Results = ReadonlyMap<string, AddResult[]>;

export const transactions: Measure = {
  name: 'transactions',
  title: 'Transactions that are added to imported accounts',
  async run(bench: Bench): Promise<Findings> {
    const runner = await findScriptRunner();
    if (runner.name !== 'pgbench')
      bench.log('WARNING: pgbench is not installed. Node sends the SQL instead.');
    const found = new Map<Backend, Results>();
    for (const backend of bench.servers.backends)
      found.set(backend, await measureBackend(bench, backend, runner));
    return {
      load:
        `Requests with 1 and with 1,000 transactions over ${CONNECTIONS} connections, ${turnSeconds(bench)} s per turn, one API and one worker. ` +
        'Portage responds after its worker has added them: its rate and latency include storing, queueing, adding, notifying and responding. ' +
        `SQL is the same writes as a hand-written script, sent by ${runner.name} over the same number of connections.`,
      tables: [...found].map(([backend, results]) => table(backend, results)),
      goals: goals(found.get('redis')),
    };
  },
};

async function measureBackend(bench: Bench, backend: Backend, runner: ScriptRunner): Promise<Results> {
  const installation = await bench.servers.installation(backend);
  try {
    const running = await installation.start(portage, 1);
    const accounts = await importAccounts(bench, installation, running);
    const turns: Turn<AddResult>[] = [];
    for (const size of SIZES)
      turns.push(...(await createTurns(size, { bench, installation, running, accounts }, runner)));
    return await interleave(bench, turns);
  } finally {
    await installation.close();
  }
}

function table(backend: Backend, results: Results): Table {
  return {
    caption: `Queue in ${backend}; CPU time is in ms per request`,
    columns: [
      ...['', 'requests/s', 'transactions/s', 'ratio to SQL', 'p50 ms', 'p99 ms'],
      ...['API', 'worker', 'PostgreSQL'],
    ],
    rows: SIZES.flatMap((size) =>
      [portage.name, 'SQL'].map((contender) => {
        const own = results.get(nameOf(contender, size)) ?? [];
        const isService = contender === portage.name;
        const time = (part: keyof AddResult['times']) =>
          formatFigure(median(own.map(({ times }) => times[part])));
        return [
          nameOf(contender, size),
          formatFigures(own.map(({ perSecond }) => perSecond)),
          formatFigure(rate(results, contender, size) * size),
          isService ? formatFigure(againstSql(results, size)) : '',
          isService ? formatFigures(own.map(({ p50 }) => p50)) : '',
          isService ? formatFigures(own.map(({ p99 }) => p99)) : '',
          ...(isService ? [time('api'), time('worker')] : ['', '']),
          time('postgres'),
        ];
      }),
    ),
  };
}

function goals(results: Results | undefined): Goal[] {
  if (!results) return [];
  const single = results.get(nameOf(portage.name, 1)) ?? [];
  return [
    {
      name: 'one transaction, p50, queue in Redis',
      measured: median(single.map(({ p50 }) => p50)),
      atMost: 12,
      unit: 'ms',
      missReason:
        'CPU time: the connections keep the machine busy, so the latency is the CPU time of all programs for a request, times the connections, divided by the cores.',
    },
    {
      name: '1,000 transactions against the SQL, queue in Redis',
      measured: againstSql(results, 1_000),
      atLeast: 0.7,
      missReason:
        'CPU time of API and worker, nearly as much as of PostgreSQL. No single part is large: garbage collection takes 15 %, validation an eighth of the API, writing to sockets and arrays of the statement a quarter of the worker. JSON is 4 % of the whole. The script pays the foreign key of each row too.',
    },
  ];
}

function againstSql(results: Results, size: number): number {
  return rate(results, portage.name, size) / rate(results, 'SQL', size);
}

function rate(results: Results, contender: string, size: number): number {
  return median((results.get(nameOf(contender, size)) ?? []).map(({ perSecond }) => perSecond));
}
