import { Client } from 'pg';

/** Runs one statement on a new connection. */
export async function query<Row extends object>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench' });
  // The query reports the error. Without a listener the error would end the process before its cleanup.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
