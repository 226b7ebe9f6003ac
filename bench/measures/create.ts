import { batched, portage, type Program, straight } from '../environment/program';
import { type LoadResult, requireStatus } from '../load';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import {
  CONNECTIONS,
  describeLoad,
  type Load,
  createLoad,
  sliceOfBook,
  postBook,
  bookRequests,
} from './book-import';
import { interleave } from './interleave';
import type { Bench, Findings, Measure } from './measure';

const PROGRAMS = [portage, straight, batched];

interface PostingResult {
  /** As fast as the responses arrive. */
  readonly fullRate: LoadResult;
  /** At half of that rate. */
  readonly halfRate: LoadResult;
  /** Over one connection, so that requests cannot be batched. */
  readonly oneConnection: LoadResult;
}

export const create: Measure = {
  name: 'create',
  title: 'POSTs without a worker: validate, store and enqueue',
  async run(bench: Bench): Promise<Findings> {
    const load = createLoad(bench.accounts);
    const turns = PROGRAMS.map((program) => ({
      name: program.name,
      run: async () => measurePosts(bench, program, load),
      summarize: ({ fullRate }: PostingResult) => `${formatFigure(fullRate.perSecond)} POSTs/s`,
    }));
    const results = await interleave(bench, turns);
    const of = (program: Program, read: (posting: PostingResult) => number) =>
      (results.get(program.name) ?? []).map(read);
    const ratio = (read: (posting: PostingResult) => number) =>
      median(of(portage, read)) / median(of(straight, read));
    const rate = ({ fullRate }: PostingResult) => fullRate.perSecond;
    return {
      load: `${describeLoad(load)}, over ${CONNECTIONS} connections: the first half at full rate, then at half of this rate, the last tenth over one connection. Queue in ${bench.servers.fasterBackend}.`,
      tables: [
        {
          columns: [
            '',
            'POSTs/s',
            `p50 ms`,
            `p99 ms`,
            'half rate p50',
            'half rate p99',
            'one connection p50',
            'one connection p99',
          ],
          rows: PROGRAMS.map((program) => [
            program.name,
            formatFigures(of(program, rate)),
            ...(['fullRate', 'halfRate', 'oneConnection'] as const).flatMap((way) => [
              formatFigures(of(program, (posting) => posting[way].latency.p50)),
              formatFigures(of(program, (posting) => posting[way].latency.p99)),
            ]),
          ]),
        },
      ],
      goals: [
        { name: 'POSTs per second against straight', measured: ratio(rate), atLeast: 0.85 },
        {
          name: `p99 at ${CONNECTIONS} connections against straight`,
          measured: ratio(({ fullRate }) => fullRate.latency.p99),
          atMost: 1.25,
        },
        {
          name: 'p50 at one connection against straight',
          measured: ratio(({ oneConnection }) => oneConnection.latency.p50),
          atMost: 1.25,
          missReason:
            'CPU time of the API that no batch shares (rules, token, log and hooks), and array statements, which cost PostgreSQL more than scalar ones: `batched` is slower than straight over one connection too.',
        },
      ],
    };
  },
};

async function measurePosts(bench: Bench, program: Program, { book, warmUp }: Load): Promise<PostingResult> {
  const installation = await bench.servers.installation(bench.servers.fasterBackend);
  try {
    const running = await installation.start(program, 0);
    await postBook(running, warmUp);
    const fullRate = await postBook(running, sliceOfBook(book, 0, 0.5));
    const halfRate = await running
      .load(CONNECTIONS)
      .sendAtRate(bookRequests(sliceOfBook(book, 0.5, 0.9)), fullRate.perSecond / 2);
    const oneConnection = await postBook(running, sliceOfBook(book, 0.9, 1), 1);
    return { fullRate, halfRate: requireStatus(201, halfRate), oneConnection };
  } finally {
    await installation.close();
  }
}
