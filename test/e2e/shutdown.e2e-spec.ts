import { connect, type Socket } from 'node:net';
import { account, testedBackends, TestPortage, until } from '@portage/testing';

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
    const portage = await TestPortage.start({ backend });
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
        30_000,
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
      await portage.waitFor('PROCESSED', accepted.length, 60_000);
      const [counts] = await portage.sql<Record<string, number>>(`
        SELECT (SELECT count(*)::int FROM account) AS accounts,
          (SELECT count(*)::int FROM import_process_event WHERE event = 'STARTED') AS starts`);
      // A worker that stops finishes its jobs, so each was started exactly once.
      expect(counts).toEqual({ accounts: accepted.length, starts: accepted.length });
    } finally {
      await portage.stop();
    }
  });
});
