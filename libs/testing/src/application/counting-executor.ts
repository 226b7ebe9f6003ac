import { type Executor, rowObjects, rowTypes, type Statement } from '@portage/platform';
import { Client } from 'pg';
import { newDatabase } from '../template-database';
import { addSuppliers } from './add-suppliers';

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** Runs statements in a session like those of the service, and counts the pages that the last one has read. */
export class CountingExecutor implements Executor {
  get manager(): never {
    throw new Error('Only named statements are counted.');
  }

  pages = 0;
  client!: Client;

  /** Connects to a new database. */
  static async connect(): Promise<CountingExecutor> {
    const executor = new CountingExecutor();
    await executor.open();
    return executor;
  }

  async open(): Promise<void> {
    this.client = new Client({
      connectionString: await newDatabase(),
      types: rowTypes,
      options: '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off',
    });
    await this.client.connect();
  }

  /** Checks the pages that the last statement of `work` has read. @returns what `work` returns */
  async within<Result>(maxPages: number, work: Promise<Result>): Promise<Result> {
    const result = await work;
    expect(this.pages).toBeLessThan(maxPages);
    return result;
  }

  async run<Row extends object>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> {
    const result = await this.client.query({ name, text, values: [...values], rowMode: 'array' });
    await this.explain(name, values);
    return rowObjects<Row>(result);
  }

  /** Runs a statement that has been prepared, and counts the pages that it has read. */
  async explain(name: string, values: readonly unknown[]): Promise<void> {
    const literals = values.length === 0 ? '' : `(${values.map((value) => this.literal(value)).join(', ')})`;
    const explained = await this.client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE "${name}" ${literals}`,
    );
    const plan = explained.rows[0]!['QUERY PLAN'][0].Plan;
    this.pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }

  private literal(value: unknown): string {
    if (value === null || value === undefined) return 'NULL';
    if (!Array.isArray(value)) return this.client.escapeLiteral(this.textOf(value));
    const members = value.map((member: unknown) =>
      member === null || member === undefined
        ? 'NULL'
        : `"${this.textOf(member).replaceAll(/["\\]/g, '\\$&')}"`,
    );
    return this.client.escapeLiteral(`{${members.join(',')}}`);
  }

  private textOf(value: unknown): string {
    if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
    return value instanceof Date ? value.toISOString() : String(value);
  }
}

/**
 * A session with these suppliers for the cases of the block that calls this. It plans each statement once: one that
 * runs while the tables are empty, as in a new installation, is not planned again when they are large.
 */
export function useCountingExecutor(...suppliers: string[]): CountingExecutor {
  const executor = new CountingExecutor();
  beforeAll(async () => {
    await executor.open();
    await executor.client.query('SET plan_cache_mode = force_generic_plan');
    await addSuppliers(executor.client, ...suppliers);
  });
  afterAll(async () => {
    await executor.client.end();
  });
  return executor;
}
