import { Client } from 'pg';
import type { Installation } from '../environment/installation';

/** As many as there are cores on a small machine. */
const SESSIONS = 2;

/** Loading a table is one statement a batch, building an index is one. */
const STATEMENT_MS = 600_000;

/** What is stored is right by construction: foreign keys are not checked. */
const SETTINGS =
  '-c session_replication_role=replica -c synchronous_commit=off -c work_mem=256MB -c maintenance_work_mem=512MB';

/** Does jobs on a few sessions that are made for loading, each session its next one after the last. */
export async function onLoadingSessions(
  installation: Installation,
  jobs: readonly ((client: Client) => Promise<unknown>)[],
): Promise<void> {
  const next = jobs.values();
  const session = async () => {
    const client = new Client({
      connectionString: installation.databaseUrl,
      application_name: 'bench',
      options: SETTINGS,
      query_timeout: STATEMENT_MS,
    });
    // Where the server is stopped in the middle, the statement says so.
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (let job = next.next(); !job.done; job = next.next()) await job.value(client);
    } finally {
      await client.end();
    }
  };
  // When one fails, the others end what they are at before anybody takes the database away.
  const ends = await Promise.allSettled(Array.from({ length: SESSIONS }, session));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
