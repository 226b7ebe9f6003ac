import { type Executor, rowObjects, rowTypes, type Statement } from '@portage/platform';
import { Client } from 'pg';
import { newDatabase } from '../template-database';

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** Runs statements in a session like those of the service, and counts the pages that the last one has read. */
export class CountingExecutor implements Executor {
  get manager(): never {
    throw new Error('Only named statements are counted.');
  }

  pages = 0;

  private constructor(readonly client: Client) {}

  /** Connects to a new database. */
  static async connect(): Promise<CountingExecutor> {
    const client = new Client({
      connectionString: await newDatabase(),
      types: rowTypes,
      options: '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off',
    });
    await client.connect();
    return new CountingExecutor(client);
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
