import { setTimeout as sleep } from 'node:timers/promises';
import { type Book, BookSource } from '../book';
import { Contender, portage, SUPPLIER, sumOf, timesPer } from '../contender';
import { requireStatus } from '../load';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { CONNECTIONS, packBook, postBook, uploadBook, warmUpOfWorker } from './import';
import { interleave } from './interleave';
import type { Bench, Findings, Goal, Measure } from './measure';

/** Every fiftieth account of a delta has changed. */
const CHANGED_SHARE = 50;

const POLL_INTERVAL_MS = 20;

/** Accounts a second of each kind of book, and CPU time in milliseconds of single requests. */
interface Rates {
  firstLoad: number;
  corrections: number;
  delta: number;
  importMs: number;
  unchangedMs: number;
}

/** Corrections of imported accounts: single ones, a book of them, and a book of which little has changed. */
export const corrections: Measure = {
  name: 'corrections',
  title: 'Corrections and delta loads against the first load',
  minutes: 12,
  async run(bench: Bench): Promise<Findings> {
    const [backend] = bench.backends;
    const runs = await interleave(bench, [
      {
        name: 'corrections',
        run: async () => measure(bench),
        summarize: ({ firstLoad, delta }: Rates) =>
          `first load ${formatFigure(firstLoad)}, delta ${formatFigure(delta)} accounts/s`,
      },
    ]);
    const rates = [...runs.values()].flat();
    const of = (name: keyof Rates) => rates.map((rate) => rate[name]);
    const ratio = (one: keyof Rates, other: keyof Rates) =>
      median(rates.map((rate) => rate[one] / rate[other]));
    const goals: Goal[] = [
      {
        name: 'CPU time of an unchanged correction, sent alone, against an import',
        measured: ratio('unchangedMs', 'importMs'),
        atMost: 1.2,
      },
      {
        name: 'a book of corrections against the first load',
        measured: ratio('corrections', 'firstLoad'),
        atLeast: 0.5,
      },
      {
        name: 'a delta with 2 % changed against the first load',
        measured: ratio('delta', 'firstLoad'),
        atLeast: 4,
      },
    ];
    return {
      load: `${bench.accounts.toLocaleString('en')} households of 5.8 KB in one upload each, queue in ${backend}, one worker; single requests over ${CONNECTIONS} connections.`,
      tables: [
        {
          columns: ['book', 'accounts/s'],
          rows: [
            ['first load', formatFigures(of('firstLoad'))],
            ['the same, one change in each account', formatFigures(of('corrections'))],
            ['the same, 2 % changed', formatFigures(of('delta'))],
          ],
        },
        {
          columns: ['single requests', 'CPU time, ms each'],
          rows: [
            ['import', formatFigures(of('importMs'))],
            ['correction of an unchanged account', formatFigures(of('unchangedMs'))],
          ],
        },
      ],
      goals,
    };
  },
};

async function measure(bench: Bench): Promise<Rates> {
  const source = new BookSource(SUPPLIER);
  const [warmUp, book, posted] = [
    source.next(warmUpOfWorker(bench)),
    source.next(bench.accounts),
    source.next(Math.ceil(bench.accounts / 4)),
  ];
  const contender = await Contender.start(portage, { backend: bench.backends[0], workers: 1 });
  try {
    // The code of corrections is compiled as well before it is measured.
    await send(contender, warmUp, 'warm-up');
    await send(contender, renamed(warmUp, 'Once'), 'warm-up-corrected', 'create-or-correct');
    const firstLoad = await send(contender, book, 'first');
    const corrected = renamed(book, 'Twice');
    const rateOfCorrections = await send(contender, corrected, 'corrected', 'create-or-correct');
    const delta = renamed(corrected, 'Thrice', CHANGED_SHARE);
    const rateOfDelta = await send(contender, delta, 'delta', 'create-or-correct');
    const importMs = await timeOf(contender, posted.payloads.length, async () => {
      await postBook(contender, posted);
      await allEnded(contender);
    });
    const unchangedMs = await timeOf(contender, posted.payloads.length, async () =>
      correctEach(contender, posted),
    );
    return { firstLoad, corrections: rateOfCorrections, delta: rateOfDelta, importMs, unchangedMs };
  } finally {
    await contender.stop();
  }
}

/** Sends a book, and waits for its end. @returns accounts a second */
async function send(
  contender: Contender,
  book: Book,
  reference: string,
  mode?: 'create-or-correct',
): Promise<number> {
  const packed = packBook(book);
  const start = performance.now();
  await uploadBook(contender, packed, reference, mode && { mode });
  await allEnded(contender);
  return packed.lines / ((performance.now() - start) / 1_000);
}

/** @throws Error if a correction or an import has failed */
async function allEnded(contender: Contender): Promise<void> {
  await contender.allFinished();
  for (;;) {
    const [row] = await contender.sql<{ pending: boolean; failed: boolean }>(
      `SELECT EXISTS (SELECT FROM import_process_correction WHERE status = 'PENDING') AS pending,
         EXISTS (SELECT FROM import_process_correction WHERE status NOT IN ('PENDING', 'SUCCEEDED'))
           OR EXISTS (SELECT FROM import_process WHERE status NOT IN ('PENDING', 'IN_PROGRESS', 'PROCESSED')) AS failed`,
    );
    if (row?.failed === true) throw new Error('An import or a correction has failed.');
    if (row?.pending !== true) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Changes the name of the first customer of every account, or of one in `share`. */
function renamed(book: Book, name: string, share = 1): Book {
  return {
    ...book,
    payloads: book.payloads.map((payload, index) => {
      if (index % share !== 0) return payload;
      const account = JSON.parse(payload.toString()) as { customers: { family_name: string }[] };
      const [first, ...others] = account.customers;
      return Buffer.from(
        JSON.stringify({ ...account, customers: [{ ...first, family_name: name }, ...others] }),
      );
    }),
  };
}

async function correctEach(contender: Contender, { payloads }: Book): Promise<void> {
  const load = contender.load(CONNECTIONS);
  try {
    const requests = payloads.map((body) => {
      const account = JSON.parse(body.toString()) as Record<string, string>;
      const identifier = account['external_identifier'] ?? account['external_account_number'] ?? '';
      const path = `/v2/data-import/accounts/${SUPPLIER}/${encodeURIComponent(identifier)}/correct/`;
      return { method: 'POST' as const, path, body };
    });
    requireStatus(200, await load.send(requests));
  } finally {
    await load.close();
  }
}

/** Milliseconds of CPU time for each of `count` requests. */
async function timeOf(contender: Contender, count: number, work: () => Promise<unknown>): Promise<number> {
  const before = contender.processorTimes();
  await work();
  return sumOf(timesPer(before, contender.processorTimes(), count));
}
