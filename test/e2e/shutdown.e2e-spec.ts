import { connect, type Socket } from 'node:net';
import { account, Installation, testedBackends, until } from '@portage/testing';
import { Client } from 'pg';

/** Opens a connection, and holds it. */
async function openSocket(baseUrl: string): Promise<Socket> {
  const { port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      resolve(socket);
    });
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });
}

describe.each(testedBackends())('SIGTERM under load, with the queue in %s', (backend) => {
  it('fails no request except for refused new connections, processes no job twice, and waits for no idle connection', async () => {
    const portage = await Installation.start({ backend });
    try {
      const accepted: string[] = [];
      const failures: string[] = [];
      let refused = 0;
      let next = 0;
      let stopping = false;
      const deadline = Date.now() + 60_000;
      const client = async () => {
        while (Date.now() < deadline) {
          const number = `load-${next++}`;
          try {
            const { status, text } = await portage.schedule(account(number));
            if (status === 201) accepted.push(number);
            else failures.push(`${status} ${text}`);
          } catch (error) {
            const { code } = error as NodeJS.ErrnoException;
            if (!stopping || code !== 'ECONNREFUSED') failures.push(String(code ?? error));
            refused += 1;
            return;
          }
        }
      };
      const clients = Array.from({ length: 24 }, client);
      await until(
        () => accepted.length >= 200,
        () => `${accepted.length} accepted, ${failures.length} failed`,
      );

      const [silent, idle] = [await openSocket(portage.baseUrl), await openSocket(portage.baseUrl)];
      const feed = `/v2/data-import/events/?supplier=${portage.supplier}`;
      const after = (await portage.get(`${feed}&after=now`)).body.next as string;
      const held = portage.get(`${feed}&types=data_import.submission.finished-v1&after=${after}&wait=20`);
      idle.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise((resolve) => idle.once('data', resolve));
      stopping = true;
      const api = portage.api!;
      const first = portage.workers[0]!;
      const start = performance.now();
      const stopTime = async () => {
        const isStopped = await api.stop(15_000);
        return [isStopped, performance.now() - start] as const;
      };
      const [[apiStopped, apiStopMs], workerStopped] = await Promise.all([stopTime(), first.stop()]);
      for (const socket of [silent, idle]) socket.destroy();
      // A request that waits for events is answered, with a cursor to go on from at another instance.
      const answer = await held;
      expect([answer.status, answer.body.events, typeof answer.body.next]).toEqual([200, [], 'string']);
      expect(apiStopMs).toBeLessThan(10_000);
      await Promise.all(clients);
      expect(failures).toEqual([]);
      expect([apiStopped, workerStopped]).toEqual([true, true]);
      expect(refused).toBe(24);

      await portage.startWorker();
      await portage.waitFor('PROCESSED', accepted.length);
      const [counts] = await portage.sql<Record<string, number>>(`
        SELECT (SELECT count(*)::int FROM account) AS accounts,
          (SELECT sum(attempt)::int FROM import_process) AS attempts`);
      // A worker that stops finishes its jobs, so each was attempted exactly once.
      expect(counts).toEqual({ accounts: accepted.length, attempts: accepted.length });
    } finally {
      await portage.stop();
    }
  });
});

describe.each(testedBackends())('SIGTERM to a worker with batches, with the queue in %s', (backend) => {
  let portage: Installation;
  beforeEach(async () => {
    portage = await Installation.start({ backend, workers: 0 });
  });
  afterEach(async () => {
    await portage.stop();
  });

  /** Uploads accounts, in batches of 64. */
  async function uploadBook(count: number): Promise<void> {
    const lines = Array.from({ length: count }, (_, index) => account(`B-${index}`));
    const { body } = await portage.upload(await portage.openSubmission('book'), lines);
    expect(body).toMatchObject({ accepted: count, refused: 0 });
  }

  const counts = async () => {
    const [row] = await portage.sql<Record<string, number>>(`
      SELECT (SELECT count(*)::int FROM account) AS accounts,
        (SELECT count(*)::int FROM import_process WHERE status = 'IN_PROGRESS') AS unfinished,
        (SELECT sum(attempt)::int FROM import_process) AS attempts,
        (SELECT count(*)::int FROM import_process_event WHERE event = 'PROCESSED') AS ends`);
    return row!;
  };

  it('finishes its batches, exits with 0, and leaves the others to the next worker', async () => {
    const total = 2_560;
    await uploadBook(total);
    const worker = await portage.startWorker();
    await until(async () => (await counts()).ends! > 0, 'the worker has not begun');
    expect(await worker.stop(30_000)).toBe(true);
    expect(await worker.exited).toBe(0);
    const drained = await counts();
    // Batches are finished as a whole.
    expect(drained).toEqual({
      accounts: drained.ends,
      ends: drained.ends,
      attempts: drained.ends,
      unfinished: 0,
    });
    expect(drained.ends! % 64).toBe(0);
    expect(drained.ends).toBeLessThan(total);
    await portage.startWorker();
    await portage.waitFor('PROCESSED', total);
    expect(await counts()).toEqual({ accounts: total, unfinished: 0, attempts: total, ends: total });
  });

  it('hands back a batch that does not finish in time, and each of its accounts is imported once', async () => {
    const total = 64;
    await uploadBook(total);
    const { databaseUrl } = portage;
    const lock = new Client({ connectionString: databaseUrl });
    await lock.connect();
    try {
      // The worker cannot start the accounts of the batch.
      await lock.query('BEGIN; SELECT FROM import_process FOR UPDATE');
      const worker = await portage.startWorker({ DRAIN_TIMEOUT_MS: '500' });
      const waiting = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await portage.countRows(waiting)) > 0, 'the worker has not taken the batch');
      expect(await worker.stop(20_000)).toBe(true);
    } finally {
      await lock.end();
    }
    await portage.startWorker();
    await portage.waitFor('PROCESSED', total);
    expect(await counts()).toMatchObject({ accounts: total, unfinished: 0, ends: total });
  });
});
