import type { ProcessorTimes, RunningProgram } from '../environment/running-program';
import { during, type LoadGenerator, type LoadRequest, type LoadResult, onlyAnswered } from '../load';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { inTurns, type Turn } from './in-turns';
import type { Bench, Table } from './measure';

/** An API that is asked, over and over. */
export interface Asked {
  readonly name: string;
  readonly running: RunningProgram;
  readonly connections: number;
  /** The first has number 1, and numbers go on from turn to turn. */
  request(nth: number): LoadRequest;
  /** The only status that is right. */
  readonly status: number;
}

export interface Answers {
  readonly load: LoadResult;
  /** Milliseconds of processor time an answer. */
  readonly times: ProcessorTimes;
}

/** What one turn is to last. */
export function turnSeconds(bench: Pick<Bench, 'isQuick'>): number {
  return bench.isQuick ? 1 : 5;
}

/** Asks an API for as long as a turn lasts, first to warm it up and then whenever it is its turn. */
export async function askingTurn(bench: Bench, asked: Asked): Promise<Turn<Answers>> {
  const load = asked.running.load(asked.connections);
  let sent = 0;
  const run = async () => ask(load, turnSeconds(bench), asked, () => asked.request((sent += 1)));
  await run();
  const tell = ({ load: { perSecond } }: Answers) => `${figure(perSecond)} requests/s`;
  return { name: asked.name, run, tell };
}

/** Lets APIs answer in turns. */
export async function answersInTurns(
  bench: Bench,
  contenders: readonly Asked[],
): Promise<Map<string, Answers[]>> {
  const turns: Turn<Answers>[] = [];
  for (const asked of contenders) turns.push(await askingTurn(bench, asked));
  return inTurns(bench, turns);
}

/** The median rate of a contender. */
export function rateOf(results: ReadonlyMap<string, Answers[]>, name: string): number {
  return median((results.get(name) ?? []).map(({ load }) => load.perSecond));
}

export function answersTable(results: ReadonlyMap<string, Answers[]>, yardstick: string): Table {
  const time = (answers: readonly Answers[], part: keyof ProcessorTimes) =>
    figure(median(answers.map(({ times }) => times[part])));
  return {
    caption:
      'Processor time is milliseconds an answer; where API and load generator have each used up a core, it tells more than the rate',
    columns: [
      ...['', 'requests/s', 'against the yardstick', 'p50 ms', 'p99 ms'],
      ...['API', 'PostgreSQL', 'load generator'],
    ],
    rows: [...results].map(([name, answers]) => [
      name,
      figures(answers.map(({ load }) => load.perSecond)),
      name === yardstick ? '' : figure(rateOf(results, name) / rateOf(results, yardstick)),
      figures(answers.map(({ load }) => load.latency.p50)),
      figures(answers.map(({ load }) => load.latency.p99)),
      time(answers, 'api'),
      time(answers, 'postgres'),
      time(answers, 'load'),
    ]),
  };
}

async function ask(
  load: LoadGenerator,
  seconds: number,
  { running, status }: Asked,
  request: () => LoadRequest,
): Promise<Answers> {
  const before = running.processorTimes();
  const result = onlyAnswered(status, await load.send(during(seconds, request)));
  const after = running.processorTimes();
  const count = result.answers[status] ?? NaN;
  const each = (part: keyof ProcessorTimes) => (after[part] - before[part]) / count;
  return {
    load: result,
    times: {
      ...{ api: each('api'), worker: each('worker'), postgres: each('postgres') },
      ...{ redis: each('redis'), load: each('load') },
    },
  };
}
