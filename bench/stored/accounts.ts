import { accountNumber } from '@portage/domain';
import type { Client } from 'pg';
import type { Installation } from '../environment/installation';
import { figure } from '../results';
import { copyText, NUMBERED, SEEDS, type Shifts, shiftsOf, type Table } from './copying';
import { withoutSecondaryIndexes } from './indexes';
import { onLoadingSessions } from './sessions';

/** Accounts that are stored at once. */
const BATCH = 50_000;

const TABLES = `
  SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns,
    coalesce(array_agg(column_name::text) FILTER (WHERE data_type LIKE 'json%'), '{}') AS documents
  FROM information_schema.columns
  WHERE table_schema = 'public'
  GROUP BY table_name
  HAVING table_name = 'import_process' OR bool_or(column_name IN ('account_id', 'process_id'))`;

/** Multiplies accounts that Portage has imported: the same rows in every table, and every index of a real size. */
export class StoredAccounts {
  private constructor(
    private readonly installation: Installation,
    private readonly tables: readonly Table[],
    private readonly seeds: number,
  ) {}

  /** Takes the accounts that have been imported so far as those to be multiplied. No process may be without one. */
  static async from(installation: Installation): Promise<StoredAccounts> {
    await installation.sql(`CREATE SCHEMA ${SEEDS}`);
    const tables: Table[] = [];
    for (const table of await installation.sql<Table>(TABLES)) {
      const { name, columns } = table;
      // By process where there is one: the places of an account and its process are the same.
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
   * Adds at least so many accounts to those that are there. Takes minutes for millions.
   *
   * @returns how many it has added
   */
  async add(count: number, say: (progress: string) => void): Promise<number> {
    const copies = Math.ceil(count / this.seeds);
    const shifts = await shiftsOf(this.installation, this.tables);
    const names = this.tables.map(({ name }) => name);
    const groups = [NUMBERED, ...names.filter((name) => !NUMBERED.includes(name)).map((name) => [name])];
    await withoutSecondaryIndexes(this.installation, names, say, async () =>
      onLoadingSessions(
        this.installation,
        groups.map((group) => async (client) => {
          const start = performance.now();
          await this.fill(client, group, copies, shifts);
          say(`stored ${group.join(' and ')} in ${figure((performance.now() - start) / 1_000)} s`);
        }),
      ),
    );
    await this.installation.sql('ANALYZE');
    // Processes are counted once a minute from an index, which takes long where nobody knows who sees its rows.
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
    const numbers = group === NUMBERED ? await nextNumbers(client, copies * this.seeds) : undefined;
    const atOnce = Math.max(1, Math.floor(BATCH / this.seeds));
    for (let first = 0; first < copies; first += atOnce) {
      const last = Math.min(copies, first + atOnce) - 1;
      const values = [first, last, ...(numbers ? [numbers((last - first + 1) * this.seeds)] : [])];
      for (const table of tables) await client.query(copyText(table, shifts), values);
    }
    for (const { name, columns } of tables)
      if (columns.includes('id'))
        await client.query(
          `SELECT setval(pg_get_serial_sequence('"${name}"', 'id'), greatest(max(id), 1)) FROM "${name}"`,
        );
  }
}

/** The account numbers that Portage would give out next, which it then does not any more. */
async function nextNumbers(client: Client, count: number): Promise<(count: number) => string[]> {
  const { rows } = await client.query<{ key: Buffer; next: string }>(
    `SELECT account_number_key AS key, nextval('account_number_sequence') AS next FROM installation`,
  );
  const { key, next } = rows[0] ?? { key: Buffer.of(), next: '0' };
  await client.query(`SELECT setval('account_number_sequence', $1)`, [Number(next) + count]);
  let sequence = Number(next);
  return (some) => Array.from({ length: some }, () => accountNumber((sequence += 1), key));
}
