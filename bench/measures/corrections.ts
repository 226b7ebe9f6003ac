import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from '../book';
import { type Contender, SUPPLIER, sumOf, timesPer } from '../contender';
import { requireStatus } from '../load';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { emptyAndFull, restart, ScatteredSource } from './growth';
import { CONNECTIONS, packBook, postBook, uploadBook, warmUpOfWorker } from './import';
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
  minutes: 25,
  async run(bench: Bench): Promise<Findings> {
    const source = new ScatteredSource();
    const runs = await emptyAndFull(bench, source, {
      run: async (contender) => measure(bench, source, contender),
      summarize: ({ firstLoad, delta }: Rates) =>
        `first load ${formatFigure(firstLoad)}, delta ${formatFigure(delta)} accounts/s`,
    });
    const empty = [...runs.values()][0] ?? [];
    return {
      load: `${bench.accounts.toLocaleString('en')} households of 5.8 KB in one upload each, queue in ${bench.backends[0]}, one worker; single requests over ${CONNECTIONS} connections.`,
      tables: [
        {
          caption: 'Books, in accounts a second',
          columns: ['stored accounts', 'first load', 'one change in each account', '2 % changed'],
          rows: [...runs].map(([stored, rates]) => [
            stored,
            ...(['firstLoad', 'corrections', 'delta'] as const).map((name) => figuresOf(rates, name)),
          ]),
        },
        {
          caption: 'Single requests, in ms of CPU time each',
          columns: ['stored accounts', 'import', 'correction of an unchanged account'],
          rows: [...runs].map(([stored, rates]) => [
            stored,
            ...(['importMs', 'unchangedMs'] as const).map((name) => figuresOf(rates, name)),
          ]),
        },
      ],
      goals: [...goalsOf(empty), ...goalsOfGrowth(runs)],
    };
  },
};

function figuresOf(rates: readonly Rates[], name: keyof Rates): string {
  return formatFigures(rates.map((rate) => rate[name]));
}

function goalsOf(rates: readonly Rates[]): Goal[] {
  const ratio = (one: keyof Rates, other: keyof Rates) =>
    median(rates.map((rate) => rate[one] / rate[other]));
  return [
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
}

/** What stored accounts cost: the rate of each kind of work against that in an empty database. */
function goalsOfGrowth(runs: ReadonlyMap<string, readonly Rates[]>): Goal[] {
  const [empty, full] = [...runs];
  if (!empty || !full) return [];
  const of = (rates: readonly Rates[], name: keyof Rates) => median(rates.map((rate) => rate[name]));
  const goal = (what: string, measured: number): Goal => ({
    name: `${what} with ${full[0]} stored against an empty database`,
    measured,
    atLeast: 0.95,
  });
  return [
    goal('an unchanged correction', of(empty[1], 'unchangedMs') / of(full[1], 'unchangedMs')),
    goal('a book of corrections', of(full[1], 'corrections') / of(empty[1], 'corrections')),
    goal('a delta', of(full[1], 'delta') / of(empty[1], 'delta')),
  ];
}

/** Starts with cold programs, which a book of their own warms up. */
async function measure(bench: Bench, source: ScatteredSource, contender: Contender): Promise<Rates> {
  const [warmUp, book, posted] = [
    source.next(warmUpOfWorker(bench)),
    source.next(bench.accounts),
    source.next(Math.ceil(bench.accounts / 4)),
  ];
  const [last] = await contender.sql<{ id: string }>(
    'SELECT coalesce(max(id), 0)::text AS id FROM submission',
  );
  const send = async (sent: Book, reference: string, mode?: 'create-or-correct') =>
    sendBook(contender, sent, `${reference}-${last?.id}`, mode);
  await restart(contender);
  // The code of corrections is compiled as well before it is measured.
  await send(warmUp, 'warm-up');
  await send(renamed(warmUp, 'Once'), 'warm-up-corrected', 'create-or-correct');
  const firstLoad = await send(book, 'first');
  const corrected = renamed(book, 'Twice');
  const corrections = await send(corrected, 'corrected', 'create-or-correct');
  const delta = await send(renamed(corrected, 'Thrice', CHANGED_SHARE), 'delta', 'create-or-correct');
  const importMs = await timeOf(contender, posted.payloads.length, async () => {
    await postBook(contender, posted);
    await allEnded(contender);
  });
  const unchangedMs = await timeOf(contender, posted.payloads.length, async () =>
    correctEach(contender, posted),
  );
  await requireNoFailure(contender);
  return { firstLoad, corrections, delta, importMs, unchangedMs };
}

/** Sends a book, and waits for its end. @returns accounts a second */
async function sendBook(
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

async function allEnded(contender: Contender): Promise<void> {
  await contender.allFinished();
  for (;;) {
    const [row] = await contender.sql<{ pending: boolean }>(
      `SELECT EXISTS (SELECT FROM import_process_correction WHERE status = 'PENDING') AS pending`,
    );
    if (row?.pending !== true) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

/** @throws Error if a correction or an import has failed */
async function requireNoFailure(contender: Contender): Promise<void> {
  const [row] = await contender.sql<{ failed: boolean }>(
    `SELECT EXISTS (SELECT FROM import_process_correction WHERE status NOT IN ('PENDING', 'SUCCEEDED'))
       OR EXISTS (SELECT FROM import_process WHERE status NOT IN ('PENDING', 'IN_PROGRESS', 'PROCESSED')) AS failed`,
  );
  if (row?.failed === true) throw new Error('An import or a correction has failed.');
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
