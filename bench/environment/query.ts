import { Client } from 'pg';

/** Runs one statement on a connection of its own. */
export async function query<Row extends object>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench' });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
