import { accountNumberOf } from '@portage/domain';
import type { Client } from 'pg';
import type { Installation } from '../environment/installation';
import { formatFigure } from '../results';
import { copyStatement, NUMBERED_TABLES, SEEDS, type Shifts, readShifts, type Table } from './copying';
import { withoutSecondaryIndexes } from './indexes';
import { runOnLoadingSessions } from './sessions';

/** Number of accounts that one statement stores. */
const BATCH_ACCOUNTS = 50_000;

const TABLES = `
  SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns,
    coalesce(array_agg(column_name::text) FILTER (WHERE data_type LIKE 'json%'), '{}') AS documents
  FROM information_schema.columns
  WHERE table_schema = 'public'
  GROUP BY table_name
  HAVING table_name = 'import_process' OR bool_or(column_name IN ('account_id', 'process_id'))`;

/** Copies accounts that Portage has imported, with their rows in every table, so that every index has a real size. */
export class StoredAccounts {
  private constructor(
    private readonly installation: Installation,
    private readonly tables: readonly Table[],
    private readonly seeds: number,
  ) {}

  /** Uses the existing accounts as the originals of the copies. Every process must have an account. */
  static async from(installation: Installation): Promise<StoredAccounts> {
    await installation.sql(`CREATE SCHEMA ${SEEDS}`);
    const tables: Table[] = [];
    for (const table of await installation.sql<Table>(TABLES)) {
      const { name, columns } = table;
      // Ordered by process if possible, so that an account and its process have the same position.
      const order = columns.includes('process_id') ? 'process_id' : (columns[0] ?? '');
      await installation.sql(
        `CREATE UNLOGGED TABLE ${SEEDS}."${name}" AS SELECT * FROM "${name}" ORDER BY "${order}"`,
      );
      const seeds = await installation.sql(`SELECT FROM ${SEEDS}."${name}" LIMIT 1`);
      if (seeds.length > 0) tables.push(table);
    }
    const [row] = await installation.sql<{ seeds: number }>(
      `SELECT count(*)::integer AS seeds FROM ${SEEDS}.account`,
    );
    return new StoredAccounts(installation, tables, row?.seeds ?? NaN);
  }

  /**
   * Adds at least `count` accounts. This takes minutes for millions.
   *
   * @returns the number of added accounts
   */
  async add(count: number, log: (progress: string) => void): Promise<number> {
    const copies = Math.ceil(count / this.seeds);
    const shifts = await readShifts(this.installation, this.tables);
    const names = this.tables.map(({ name }) => name);
    const groups = [
      NUMBERED_TABLES,
      ...names.filter((name) => !NUMBERED_TABLES.includes(name)).map((name) => [name]),
    ];
    await withoutSecondaryIndexes(this.installation, names, log, async () =>
      runOnLoadingSessions(
        this.installation,
        groups.map((group) => async (client) => {
          const start = performance.now();
          await this.fill(client, group, copies, shifts);
          log(`stored ${group.join(' and ')} in ${formatFigure((performance.now() - start) / 1_000)} s`);
        }),
      ),
    );
    await this.installation.sql('ANALYZE');
    // Processes are counted once a minute with an index-only scan, which is slow without a visibility map.
    await this.installation.sql('VACUUM import_process');
    await this.installation.sql('CHECKPOINT');
    return copies * this.seeds;
  }

  private async fill(
    client: Client,
    group: readonly string[],
    copies: number,
    shifts: Shifts,
  ): Promise<void> {
    const tables = group.flatMap((name) => this.tables.filter((table) => table.name === name));
    const numbers =
      group === NUMBERED_TABLES ? await reserveAccountNumbers(client, copies * this.seeds) : undefined;
    const copiesPerBatch = Math.max(1, Math.floor(BATCH_ACCOUNTS / this.seeds));
    for (let first = 0; first < copies; first += copiesPerBatch) {
      const last = Math.min(copies, first + copiesPerBatch) - 1;
      const values = [first, last, ...(numbers ? [numbers((last - first + 1) * this.seeds)] : [])];
      for (const table of tables) await client.query(copyStatement(table, shifts), values);
    }
    for (const { name, columns } of tables)
      if (columns.includes('id'))
        await client.query(
          `SELECT setval(pg_get_serial_sequence('"${name}"', 'id'), greatest(max(id), 1)) FROM "${name}"`,
        );
  }
}

/** Takes the next account numbers of the sequence. */
async function reserveAccountNumbers(client: Client, count: number): Promise<(count: number) => string[]> {
  const { rows } = await client.query<{ key: Buffer; next: string }>(
    `SELECT account_number_key AS key, nextval('account_number_sequence') AS next FROM installation`,
  );
  const { key, next } = rows[0] ?? { key: Buffer.of(), next: '0' };
  await client.query(`SELECT setval('account_number_sequence', $1)`, [Number(next) + count]);
  let sequence = Number(next);
  return (some) => Array.from({ length: some }, () => accountNumberOf((sequence += 1), key));
}
