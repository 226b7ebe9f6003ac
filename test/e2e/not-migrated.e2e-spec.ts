import { Installation, until } from '@portage/testing';

it('API and worker become ready only after the migrations of their release have run', async () => {
  const portage = await Installation.start({ backend: 'postgres', workers: 0 });
  const ready = async (baseUrl: string): Promise<object> => {
    const answer = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
    return { ...((await answer?.json()) as object), httpStatus: answer?.status };
  };
  const becomes = async (baseUrl: string, expected: Record<string, unknown>) => {
    let health: Record<string, unknown> = {};
    await until(
      async () => {
        health = (await ready(baseUrl)) as Record<string, unknown>;
        return Object.entries(expected).every(([key, value]) => health[key] === value);
      },
      () => JSON.stringify(health),
    );
  };
  try {
    await portage.api!.stop();
    const [latest] = await portage.sql<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    const started = portage.startApi();
    await portage.startWorker();
    const not = { httpStatus: 503, database: 'up', migrations: 'down' };
    await becomes(portage.baseUrl, {
      ...not,
      detail: 'The database has not been migrated to this release.',
    });
    await becomes(portage.workerUrl, not);
    await portage.sql('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [
      latest!.name,
      latest!.timestamp,
    ]);
    await started;
    for (const baseUrl of [portage.baseUrl, portage.workerUrl])
      await becomes(baseUrl, { httpStatus: 200, migrations: 'up' });
  } finally {
    await portage.stop();
  }
});
