import {
  addSuppliers,
  CountingExecutor,
  insertAccounts,
  insertProcesses,
} from '@portage/testing/application';
import type { Client } from 'pg';

/** Active instructions of one vendor reference, and of others. */
const STORED = 5_000;

/** Instructions of one statement. */
const BATCH = 25;

/** Rows of all tables that a statement may read for one instruction: account, supplier, and one stored instruction. */
const MAX_ROWS_PER_INSTRUCTION = 10;

/** The first accounts of each organisation. */
const OWN = 1;
const OTHER = 2;

describe('payment instructions whose vendor reference many accounts share', () => {
  let client: Client;

  /** The rows that the session has read, as far as it has not reported them. A transaction does not report. */
  async function countRead(): Promise<number> {
    const { rows } = await client.query<{ read: string }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read FROM pg_stat_xact_user_tables
       WHERE relname IN ('payment_instruction', 'account', 'import_supplier')`,
    );
    return Number(rows[0]!.read);
  }

  /** Stores instructions, each of another account of the organisation. @returns the rows that were read */
  async function store(organisation: number, count: number, reference: string): Promise<number> {
    await client.query('BEGIN');
    try {
      const before = await countRead();
      await client.query(
        `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, verified_at, details)
         SELECT 2 * n + $1 - 2, $3, 'stripe', ${reference}, true, now(), '{}' FROM generate_series(1, $2::integer) AS n`,
        [organisation, count, `CARD-${next++}`],
      );
      const read = (await countRead()) - before;
      await client.query('COMMIT');
      return read;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }
  let next = 0;

  const REFUSED = expect.objectContaining({
    code: '23P01',
    constraint: 'payment_instruction_one_organisation',
  }) as unknown;

  beforeAll(async () => {
    ({ client } = await CountingExecutor.connect());
    await addSuppliers(client, 'Own', 'Other');
    const addAccounts = async (from: number, to: number) =>
      client.query(
        `WITH process AS (${insertProcesses(`generate_series(${from}, ${to}) AS n`, {
          supplier_id: '2 - n % 2',
          status: `'PROCESSED'`,
          account_number: `'N-' || n`,
        })} RETURNING *) ${insertAccounts('process ORDER BY id')}`,
      );
    await addAccounts(1, 2);
    // The session plans the queries of the trigger once, and keeps the plans that it made while the tables were empty.
    for (let round = 0; round < 8; round += 1) await store(OWN, 1, `'first-${round}'`);
    await addAccounts(3, 2 * STORED);
    await store(OWN, STORED, `'shared'`);
    await store(OWN, STORED, `'own-' || n`);
  });
  afterAll(async () => {
    await client.end();
  });

  it('are stored at a cost that does not depend on how many are stored', async () => {
    for (const reference of [`'shared'`, `'new-' || n`, `'new'`, `'own-' || n`]) {
      expect(await store(OWN, BATCH, reference)).toBeLessThan(BATCH * MAX_ROWS_PER_INSTRUCTION);
      expect(await store(OWN, 1, reference)).toBeLessThan(MAX_ROWS_PER_INSTRUCTION);
    }
  });

  it('are refused for another organisation, whichever account has them', async () => {
    await expect(store(OTHER, 1, `'shared'`)).rejects.toEqual(REFUSED);
    // One of a batch.
    await expect(
      store(OTHER, BATCH, `CASE n WHEN ${BATCH} THEN 'own-7' ELSE 'theirs-' || n END`),
    ).rejects.toEqual(REFUSED);
    await expect(store(OTHER, BATCH, `'theirs-' || n`)).resolves.toBeLessThan(
      BATCH * MAX_ROWS_PER_INSTRUCTION,
    );
  });

  it('are refused if one statement stores them for two organisations', async () => {
    const both = client.query(
      `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, verified_at, details)
       SELECT n, 'BOTH', CASE n WHEN 1 THEN 'stripe' ELSE 'STRIPE' END, 'both', true, now(), '{}'
       FROM generate_series(1, 2) AS n`,
    );
    await expect(both).rejects.toEqual(REFUSED);
  });

  it('are refused if they are verified for another organisation, and not if they only change', async () => {
    await client.query(
      `INSERT INTO payment_instruction (account_id, type, vendor, reference, is_active, details)
       VALUES (2, 'LATER', 'stripe', 'shared', true, '{}')`,
    );
    await expect(
      client.query(`UPDATE payment_instruction SET verified_at = now() WHERE type = 'LATER'`),
    ).rejects.toEqual(REFUSED);
    await client.query(`UPDATE payment_instruction SET verified_at = now() WHERE reference = 'own-9'`);
    await client.query(`UPDATE payment_instruction SET is_active = false WHERE reference = 'own-9'`);
    await expect(store(OTHER, 1, `'own-9'`)).resolves.toBeLessThan(MAX_ROWS_PER_INSTRUCTION);
  });
});
