import { Client } from 'pg';
import type { Installation } from '../environment/installation';

/** The number of cores of a small machine. */
const SESSIONS = 2;

/** Timeout of a statement that loads a batch or creates an index. */
const STATEMENT_TIMEOUT_MS = 600_000;

/** Session settings for loading. Foreign keys are not checked, because the copies are consistent. */
const SESSION_OPTIONS =
  '-c session_replication_role=replica -c synchronous_commit=off -c work_mem=256MB -c maintenance_work_mem=512MB';

/** Runs jobs on a few database sessions with settings for loading. */
export async function runOnLoadingSessions(
  installation: Installation,
  jobs: readonly ((client: Client) => Promise<unknown>)[],
): Promise<void> {
  const next = jobs.values();
  const session = async () => {
    const client = new Client({
      connectionString: installation.databaseUrl,
      application_name: 'bench',
      options: SESSION_OPTIONS,
      query_timeout: STATEMENT_TIMEOUT_MS,
    });
    // The running statement reports a stopped server.
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (let job = next.next(); !job.done; job = next.next()) await job.value(client);
    } finally {
      await client.end();
    }
  };
  // If one job fails, the other sessions finish their job before the database is removed.
  const results = await Promise.allSettled(Array.from({ length: SESSIONS }, session));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
