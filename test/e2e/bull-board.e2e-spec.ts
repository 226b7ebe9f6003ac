import { testedBackends } from '../support/backends';
import { account, type Answer, TestPortage } from '../support/portage';

const PASSWORD = 'correct horse: battery';
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const OPERATOR = basic('operator', PASSWORD);

describe.each(testedBackends())('Bull Board, with the queue in %s', (backend) => {
  let portage: TestPortage;

  beforeAll(async () => {
    // The supplier pauses before a worker comes: its job must fail.
    // And all of these tests guess from one address. What slows that down has tests of its own.
    const env = { BULL_BOARD_PASSWORD: PASSWORD, TOKEN_FAILURES_PER_ADDRESS: '0' };
    portage = await TestPortage.start({ backend, workers: 0, env });
    expect((await portage.schedule(account('paused'))).status).toBe(201);
  });
  afterAll(async () => {
    await portage.stop();
  });

  const look = async (path: string, authorization: string | undefined = OPERATOR): Promise<Answer> =>
    portage.get(path, { authorization });
  const jobs = async (status: string): Promise<Record<string, unknown>[]> => {
    const { body } = await look(`/queues/api/queues?activeQueue=account-imports&status=${status}&page=1`);
    return body.queues[0].jobs as Record<string, unknown>[];
  };

  it.each([
    ['no password', ''],
    ['a wrong password', basic('operator', 'wrong')],
    ['another user', basic('admin', PASSWORD)],
    ['nothing but a password', basic('', PASSWORD)],
    ['a password of another form', `Basic ${PASSWORD}`],
    ['a token of the API', 'the token'],
  ])('is closed to who comes with %s', async (_what, given) => {
    const authorization = given === 'the token' ? `Token ${portage.token}` : given;
    for (const path of [
      '/queues',
      '/queues/',
      '/queues/api/queues',
      '/queues/queue/account-imports',
      '/%71ueues/',
    ]) {
      const answer = await portage.send('GET', path, {
        headers: { authorization: authorization || undefined },
      });
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'not_authenticated']);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="Portage queues", charset="UTF-8"');
    }
    const put = await portage.send('PUT', '/queues/api/queues/account-imports/pause', {
      headers: { authorization: authorization || undefined },
    });
    expect(put.status).toBe(401);
  });

  it('is a page for the operator', async () => {
    for (const path of ['/queues', '/queues/queue/account-imports']) {
      const { status, headers, text } = await look(path);
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
      expect(text).toContain('Portage queues');
    }
    const script = /src="([^"]+\.js)"/.exec((await look('/queues')).text)![1]!;
    const { status, headers } = await look(new URL(script, `${portage.baseUrl}/queues/`).pathname);
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('javascript')]);
  });

  it('shows every queue and what waits in it', async () => {
    const { status, body } = await look('/queues/api/queues');
    expect(status).toBe(200);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([
      'account-imports',
      'transactions',
      'payment-instructions',
      'documents',
      'emails',
      'maintenance',
    ]);
    expect(body.queues[0]).toMatchObject({ counts: { waiting: 1, failed: 0 }, isPaused: false });
  });

  it('shows a failed job with its code, and nothing about a person', async () => {
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Paused');
    await portage.startWorker();
    await portage.waitFor('ERRORED', 1);
    const until = Date.now() + 10_000;
    let failed = await jobs('failed');
    while (failed.length === 0 && Date.now() < until) failed = await jobs('failed');
    expect(failed).toEqual([
      expect.objectContaining({
        name: 'import-account',
        failedReason: 'import_supplier_migration_not_ongoing',
        data: {
          processId: expect.any(String),
          version: 1,
          supplier: 'LEGACY',
          externalAccountNumber: 'paused',
        },
      }),
    ]);
    expect(JSON.stringify(failed)).not.toMatch(/Maeve|Aldous|1212345678/);
  });

  it('keeps no job that has done its work', async () => {
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
    expect((await portage.schedule(account('fine'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 1);
    expect(await jobs('completed')).toEqual([]);
  });
});

it('there is no Bull Board in production without a password', async () => {
  const portage = await TestPortage.start({
    backend: 'postgres',
    workers: 0,
    env: { NODE_ENV: 'production', TOKEN_SECRET: 's'.repeat(32) },
  });
  try {
    for (const authorization of [undefined, basic('operator', ''), basic('operator', 'undefined')]) {
      const { status, body } = await portage.send('GET', '/queues/', { headers: { authorization } });
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(portage.api!.endOfLog(10_000)).toContain('BULL_BOARD_PASSWORD is not set');
  } finally {
    await portage.stop();
  }
});
