import { Client } from 'pg';

/** Runs one statement on a connection of its own. */
export async function query<Row extends object>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'bench' });
  // Told to whoever waits for an answer; without a listener it would end the process before it has tidied up.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
