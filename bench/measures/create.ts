import { batched, portage, type Program, straight } from '../environment/program';
import { type LoadResult, onlyAnswered } from '../load';
import { figure, figures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS, described, type Load, loadOf, part, post, requests } from './book-import';
import { inTurns } from './in-turns';
import type { Bench, Findings, Measure } from './measure';

const PROGRAMS = [portage, straight, batched];

interface Posting {
  /** As fast as the answers come. */
  readonly hurried: LoadResult;
  /** At half the rate of that. */
  readonly halved: LoadResult;
  /** One connection, so that nothing can be shared with others. */
  readonly alone: LoadResult;
}

export const create: Measure = {
  name: 'create',
  title: 'POSTs alone: validated, stored and enqueued while no worker takes anything',
  async run(bench: Bench): Promise<Findings> {
    const load = loadOf(bench.accounts);
    const turns = PROGRAMS.map((program) => ({
      name: program.name,
      run: async () => postBook(bench, program, load),
      tell: ({ hurried }: Posting) => `${figure(hurried.perSecond)} POSTs/s`,
    }));
    const results = await inTurns(bench, turns);
    const of = (program: Program, read: (posting: Posting) => number) =>
      (results.get(program.name) ?? []).map(read);
    const ratio = (read: (posting: Posting) => number) =>
      median(of(portage, read)) / median(of(straight, read));
    const rate = ({ hurried }: Posting) => hurried.perSecond;
    return {
      load: `${described(load)}, over ${CONNECTIONS} connections: half of them as fast as they are answered, then at half the rate that the program has just shown, the last tenth over one connection. Queue in ${bench.servers.fasterBackend}.`,
      tables: [
        {
          columns: [
            '',
            'POSTs/s',
            `p50 ms`,
            `p99 ms`,
            'half rate p50',
            'half rate p99',
            'alone p50',
            'alone p99',
          ],
          rows: PROGRAMS.map((program) => [
            program.name,
            figures(of(program, rate)),
            ...(['hurried', 'halved', 'alone'] as const).flatMap((way) => [
              figures(of(program, (posting) => posting[way].latency.p50)),
              figures(of(program, (posting) => posting[way].latency.p99)),
            ]),
          ]),
        },
      ],
      goals: [
        { what: 'POSTs a second against straight', found: ratio(rate), atLeast: 0.85 },
        {
          what: `p99 at ${CONNECTIONS} connections against straight`,
          found: ratio(({ hurried }) => hurried.latency.p99),
          atMost: 1.25,
        },
        {
          what: 'p50 at one connection against straight',
          found: ratio(({ alone }) => alone.latency.p50),
          atMost: 1.25,
          inTheWay:
            'processor time of the API that nothing shares, and statements over arrays, which PostgreSQL plans anew while they are short: `batched` alone is slower than straight, too. The rest are rules, token, log and hooks.',
        },
      ],
    };
  },
};

async function postBook(bench: Bench, program: Program, { book, warmUp }: Load): Promise<Posting> {
  const installation = await bench.servers.installation(bench.servers.fasterBackend);
  try {
    const running = await installation.start(program, 0);
    await post(running, warmUp);
    const hurried = await post(running, part(book, 0, 0.5));
    const halved = await running
      .load(CONNECTIONS)
      .sendAtRate(requests(part(book, 0.5, 0.9)), hurried.perSecond / 2);
    const alone = await post(running, part(book, 0.9, 1), 1);
    return { hurried, halved: onlyAnswered(201, halved), alone };
  } finally {
    await installation.close();
  }
}
