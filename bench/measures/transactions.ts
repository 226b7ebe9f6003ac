import type { Backend } from '../environment/installation';
import { portage } from '../environment/program';
import { type ScriptRunner, scriptRunner } from '../environment/sql-script';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { turnSeconds } from './answers';
import { inTurns, type Turn } from './in-turns';
import type { Bench, Findings, Goal, Measure, Table } from './measure';
import { CONNECTIONS, importAccounts, nameOf, type Posting, turnsOf } from './transaction-turns';

const SIZES = [1, 1_000];

type Results = ReadonlyMap<string, Posting[]>;

export const transactions: Measure = {
  name: 'transactions',
  title: 'Transactions added to imported accounts',
  async run(bench: Bench): Promise<Findings> {
    const runner = await scriptRunner();
    if (runner.name !== 'pgbench') bench.say('THERE IS NO pgbench HERE: the SQL is sent by Node instead.');
    const found = new Map<Backend, Results>();
    for (const backend of bench.servers.backends) found.set(backend, await post(bench, backend, runner));
    return {
      load:
        `Requests with 1 and with 1,000 transactions over ${CONNECTIONS} connections, ${turnSeconds(bench)} s a turn, one API and one worker. ` +
        'Portage answers once its worker has added them: its rate and latency are of the whole way, stored, queued, added, announced and answered. ' +
        `SQL is the same writes by hand, sent by ${runner.name} over as many connections.`,
      tables: [...found].map(([backend, results]) => table(backend, results)),
      goals: goals(found.get('redis')),
    };
  },
};

async function post(bench: Bench, backend: Backend, runner: ScriptRunner): Promise<Results> {
  const installation = await bench.servers.installation(backend);
  try {
    const running = await installation.start(portage, 1);
    const accounts = await importAccounts(bench, installation, running);
    const turns: Turn<Posting>[] = [];
    for (const size of SIZES)
      turns.push(...(await turnsOf(size, { bench, installation, running, accounts }, runner)));
    return await inTurns(bench, turns);
  } finally {
    await installation.close();
  }
}

function table(backend: Backend, results: Results): Table {
  return {
    caption: `Queue in ${backend}; processor time is milliseconds a request`,
    columns: [
      ...['', 'requests/s', 'transactions/s', 'against the SQL', 'p50 ms', 'p99 ms'],
      ...['API', 'worker', 'PostgreSQL'],
    ],
    rows: SIZES.flatMap((size) =>
      [portage.name, 'SQL'].map((contender) => {
        const own = results.get(nameOf(contender, size)) ?? [];
        const isService = contender === portage.name;
        const time = (part: keyof Posting['times']) => figure(median(own.map(({ times }) => times[part])));
        return [
          nameOf(contender, size),
          figures(own.map(({ perSecond }) => perSecond)),
          figure(rate(results, contender, size) * size),
          isService ? figure(againstSql(results, size)) : '',
          isService ? figures(own.map(({ p50 }) => p50)) : '',
          isService ? figures(own.map(({ p99 }) => p99)) : '',
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
      what: 'one transaction, p50, queue in Redis',
      found: median(single.map(({ p50 }) => p50)),
      atMost: 12,
      unit: 'ms',
      inTheWay:
        'processor time: so many connections keep the machine busy, and the latency is what all programs together need for a request, times the connections, by the cores.',
    },
    {
      what: '1,000 transactions against the SQL, queue in Redis',
      found: againstSql(results, 1_000),
      atLeast: 0.7,
      inTheWay:
        'what API and worker need, nearly as much as PostgreSQL: the transactions are read and written as JSON on their way into the queue, out of it and back. PostgreSQL needs no longer than by hand.',
    },
  ];
}

function againstSql(results: Results, size: number): number {
  return rate(results, portage.name, size) / rate(results, 'SQL', size);
}

function rate(results: Results, contender: string, size: number): number {
  return median((results.get(nameOf(contender, size)) ?? []).map(({ perSecond }) => perSecond));
}
