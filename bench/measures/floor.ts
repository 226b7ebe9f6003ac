import { setTimeout as sleep } from 'node:timers/promises';
import { BookSource } from '../book';
import { Contender, portage, SUPPLIER } from '../contender';
import { formatFigure, formatFigures } from '../results';
import { median } from '../statistics';
import { importBook, warmUp, warmUpOfWorker } from './import';
import type { Bench, Findings, Measure } from './measure';

/** CPU time of PostgreSQL in milliseconds an account. */
interface FloorResult {
  readonly service: number;
  readonly copy: number;
  /** Rows an account, in the number of tables that the import has written. */
  readonly rows: number;
  readonly tables: number;
}

/** The tables in an order in which each follows the ones that it references, and the columns that are not generated. */
const TABLES = `
  WITH RECURSIVE reference AS (
    SELECT conrelid AS child, confrelid AS parent FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid
  ), depth AS (
    SELECT oid AS relation, 0 AS depth FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT child, depth + 1 FROM depth JOIN reference ON parent = relation WHERE depth < 20
  )
  SELECT relname AS name, (
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = relation AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    ) AS columns
  FROM depth JOIN pg_class ON oid = relation
  GROUP BY relation, relname ORDER BY max(depth), relname`;

const SESSION_END_MS = 1_000;

interface Table {
  readonly name: string;
  readonly columns: string;
}

/**
 * The least that PostgreSQL can take for the rows of an account: the rows that an import has written are loaded with COPY
 * into an empty database, with its indexes and foreign keys.
 */
export const floor: Measure = {
  name: 'floor',
  title: 'CPU time of PostgreSQL for an import against COPY of the same rows',
  minutes: 5,
  async run(bench: Bench): Promise<Findings> {
    const results: FloorResult[] = [];
    for (let round = 1; round <= bench.rounds; round += 1) {
      const result = await measureFloor(bench);
      results.push(result);
      bench.log(
        `round ${round} of ${bench.rounds}: import ${formatFigure(result.service)}, COPY ${formatFigure(result.copy)} ms an account`,
      );
    }
    const of = (part: keyof FloorResult) => results.map((result) => result[part]);
    const ratios = results.map(({ service, copy }) => service / copy);
    return {
      load: `A submission of ${bench.accounts.toLocaleString('en')} households after ${warmUpOfWorker(bench).toLocaleString('en')} warm-up accounts, queue in ${bench.backends[0]}, one worker. COPY loads all of them table by table from files in text format, on one connection. Autovacuum is off.`,
      tables: [
        {
          columns: ['', 'CPU ms of PostgreSQL an account'],
          rows: [
            ['import', formatFigures(of('service'))],
            [
              `COPY of ${formatFigure(median(of('rows')))} rows an account in ${median(of('tables'))} tables`,
              formatFigures(of('copy')),
            ],
            ['ratio', formatFigures(ratios)],
          ],
        },
      ],
      goals: [{ name: 'import against COPY', measured: median(ratios), atMost: 1.5 }],
    };
  },
};

async function measureFloor(bench: Bench): Promise<FloorResult> {
  const source = new BookSource(SUPPLIER);
  const warmUpBook = source.next(warmUpOfWorker(bench));
  const book = source.next(bench.accounts);
  const accounts = warmUpBook.payloads.length + book.payloads.length;
  const start = async (workers: number) =>
    Contender.start(portage, {
      backend: bench.backends[0],
      workers,
      autovacuum: 'off',
    });
  const imported = await start(1);
  try {
    await warmUp(imported, warmUpBook);
    await imported.sql('CHECKPOINT');
    const { times } = await importBook(imported, 'submission', book, 'book');
    await imported.allProcessed(accounts);
    await imported.stopPrograms();
    const empty = await start(0);
    try {
      await empty.stopPrograms();
      return { service: times.postgres, ...(await copyRows(imported, empty, accounts)) };
    } finally {
      await empty.stop();
    }
  } finally {
    await imported.stop();
  }
}

async function copyRows(
  from: Contender,
  to: Contender,
  accounts: number,
): Promise<Omit<FloorResult, 'service'>> {
  const written: (Table & { file: string })[] = [];
  let rows = 0;
  const [directory] = await from.sql<{ path: string }>(`SELECT current_setting('data_directory') AS path`);
  for (const table of await from.sql<Table>(TABLES)) {
    // Organisation, supplier and key are in the empty database too.
    if ((await rowCount(to, table)) > 0 || (await rowCount(from, table)) === 0) continue;
    const file = `${directory?.path}/floor-${table.name}`;
    await from.sql(`COPY "${table.name}" (${table.columns}) TO '${file}'`);
    written.push({ ...table, file });
    rows += await rowCount(from, table);
  }
  // The rows that triggers have written are copied too.
  await to.runInSession(written.map(({ name }) => `ALTER TABLE "${name}" DISABLE TRIGGER USER`));
  await to.sql('CHECKPOINT');
  const before = to.processorTimes().postgres;
  await to.runInSession(
    written.map(({ name, columns, file }) => `COPY "${name}" (${columns}) FROM '${file}'`),
  );
  // The CPU time of the closed session counts when the postmaster has noticed its end.
  await sleep(SESSION_END_MS);
  const copy = (to.processorTimes().postgres - before) / accounts;
  for (const { name } of written) {
    const [expected, copied] = [await rowCount(from, { name }), await rowCount(to, { name })];
    if (expected !== copied) throw new Error(`${name} has ${copied} rows instead of ${expected}.`);
  }
  return { copy, rows: rows / accounts, tables: written.length };
}

async function rowCount(contender: Contender, { name }: Pick<Table, 'name'>): Promise<number> {
  const [row] = await contender.sql<{ count: number }>(`SELECT count(*)::integer AS count FROM "${name}"`);
  return row?.count ?? NaN;
}
