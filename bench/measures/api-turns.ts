import type { ProcessorTimes, RunningProgram } from '../environment/running-program';
import { requestsFor, type LoadGenerator, type LoadRequest, type LoadResult, requireStatus } from '../load';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { interleave, type Turn } from './interleave';
import type { Bench, Table } from './measure';

/** An API that gets requests for the duration of a turn. */
export interface ApiContender {
  readonly name: string;
  readonly running: RunningProgram;
  readonly connections: number;
  /** The first request has number 1. The numbers continue from turn to turn. */
  request(nth: number): LoadRequest;
  /** The only expected status. */
  readonly status: number;
}

export interface ApiResult {
  readonly load: LoadResult;
  /** Milliseconds of CPU time per response. */
  readonly times: ProcessorTimes;
}

/** The duration of one turn. */
export function turnSeconds(bench: Pick<Bench, 'isQuick'>): number {
  return bench.isQuick ? 1 : 5;
}

/** Creates the turn of an API, after a first turn as warm-up. */
export async function createApiTurn(bench: Bench, contender: ApiContender): Promise<Turn<ApiResult>> {
  const load = contender.running.load(contender.connections);
  let sent = 0;
  const run = async () =>
    sendRequests(load, turnSeconds(bench), contender, () => contender.request((sent += 1)));
  await run();
  const summarize = ({ load: { perSecond } }: ApiResult) => `${formatFigure(perSecond)} requests/s`;
  return { name: contender.name, run, summarize };
}

/** Runs the turns of several APIs. */
export async function interleaveApis(
  bench: Bench,
  contenders: readonly ApiContender[],
): Promise<Map<string, ApiResult[]>> {
  const turns: Turn<ApiResult>[] = [];
  for (const contender of contenders) turns.push(await createApiTurn(bench, contender));
  return interleave(bench, turns);
}

/** The median request rate of a contender. */
export function rateOf(results: ReadonlyMap<string, ApiResult[]>, name: string): number {
  return median((results.get(name) ?? []).map(({ load }) => load.perSecond));
}

export function apiTable(results: ReadonlyMap<string, ApiResult[]>, yardstick: string): Table {
  const time = (answers: readonly ApiResult[], part: keyof ProcessorTimes) =>
    formatFigure(median(answers.map(({ times }) => times[part])));
  return {
    caption:
      'CPU time is in ms per response; if API and load generator each use a full core, it is more informative than the rate',
    columns: [
      ...['', 'requests/s', 'ratio to the yardstick', 'p50 ms', 'p99 ms'],
      ...['API', 'PostgreSQL', 'load generator'],
    ],
    rows: [...results].map(([name, answers]) => [
      name,
      formatFigures(answers.map(({ load }) => load.perSecond)),
      name === yardstick ? '' : formatFigure(rateOf(results, name) / rateOf(results, yardstick)),
      formatFigures(answers.map(({ load }) => load.latency.p50)),
      formatFigures(answers.map(({ load }) => load.latency.p99)),
      time(answers, 'api'),
      time(answers, 'postgres'),
      time(answers, 'load'),
    ]),
  };
}

async function sendRequests(
  load: LoadGenerator,
  seconds: number,
  { running, status }: ApiContender,
  request: () => LoadRequest,
): Promise<ApiResult> {
  const before = running.processorTimes();
  const result = requireStatus(status, await load.send(requestsFor(seconds, request)));
  const after = running.processorTimes();
  const count = result.responses[status] ?? NaN;
  const each = (part: keyof ProcessorTimes) => (after[part] - before[part]) / count;
  return {
    load: result,
    times: {
      ...{ api: each('api'), worker: each('worker'), postgres: each('postgres') },
      ...{ redis: each('redis'), load: each('load') },
    },
  };
}
