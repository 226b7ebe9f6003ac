import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { account, type Answer, testedBackends, TestPortage, until } from '@portage/testing';

const STYLES = join(__dirname, '..', '..', 'node_modules', '@bull-board', 'ui', 'dist', 'static', 'css');

const PASSWORD = 'correct horse: battery';
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const OPERATOR = basic('operator', PASSWORD);

describe.each(testedBackends())('Bull Board, with the queue in %s', (backend) => {
  let portage: TestPortage;

  beforeAll(async () => {
    // No worker yet: the supplier is paused first, so that the job fails.
    // All tests send wrong passwords from one address. security-operations.e2e-spec.ts tests the throttling.
    const env = { BULL_BOARD_PASSWORD: PASSWORD, TOKEN_FAILURES_PER_ADDRESS: '0' };
    // The sweeper starts with the worker, and might replace the failed job.
    const withoutSweep = { SWEEP_AFTER_MS: '600000' };
    portage = await TestPortage.start({ backend, workers: 0, env: { ...env, ...withoutSweep } });
    expect((await portage.schedule(account('paused'))).status).toBe(201);
  });
  afterAll(async () => {
    await portage.stop();
  });

  const get = async (path: string, authorization: string | undefined = OPERATOR): Promise<Answer> =>
    portage.get(path, { authorization });
  const jobs = async (status: string): Promise<Record<string, unknown>[]> => {
    const { body } = await get(`/queues/api/queues?activeQueue=account-imports&status=${status}&page=1`);
    return body.queues[0].jobs as Record<string, unknown>[];
  };

  it.each([
    ['no password', ''],
    ['a wrong password', basic('operator', 'wrong')],
    ['another user', basic('admin', PASSWORD)],
    ['a password without a user', basic('', PASSWORD)],
    ['a password that is not encoded', `Basic ${PASSWORD}`],
    ['a token of the API', 'the token'],
  ])('is refused with %s', async (_what, given) => {
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

  it('serves its pages and scripts to the operator', async () => {
    for (const path of ['/queues', '/queues/queue/account-imports']) {
      const { status, headers, text } = await get(path);
      expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
      expect(text).toContain('Portage queues');
    }
    const script = /src="([^"]+\.js)"/.exec((await get('/queues')).text)![1]!;
    const { status, headers } = await get(new URL(script, `${portage.baseUrl}/queues/`).pathname);
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('javascript')]);
  });

  it('shows every queue with its waiting jobs', async () => {
    const { status, body } = await get('/queues/api/queues');
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

  it('shows a failed job with its code and without personal data', async () => {
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Paused');
    await portage.startWorker();
    await portage.waitFor('ERRORED', 1);
    let failed: Record<string, unknown>[] = [];
    await until(
      async () => (failed = await jobs('failed')).length > 0,
      10_000,
      () => 'no failed job',
    );
    expect(failed).toEqual([
      expect.objectContaining({
        name: 'import-account LEGACY paused',
        failedReason: 'import_supplier_migration_not_ongoing',
        externalUrl: { displayText: 'Import process', href: '/queues/import-processes/LEGACY/paused' },
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

  it('links a job to its process, for the operator only, without personal data', async () => {
    const path = '/queues/import-processes/LEGACY/paused';
    const { status, headers, text } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const fact of [
      'ERRORED',
      'SCHEDULED',
      'STARTED',
      'import_supplier_migration_not_ongoing',
      'api-key:',
    ])
      expect(text).toContain(fact);
    expect(text).not.toMatch(/Maeve|Aldous|1212345678/);
    expect((await get(path, '')).status).toBe(401);
    expect((await get(path, `Token ${portage.token}`)).status).toBe(401);
    for (const unknown of ['/queues/import-processes/LEGACY/unknown', '/queues/import-processes/NONE/paused'])
      expect((await get(unknown)).status).toBe(404);
  });

  it('escapes text of a supplier in its pages', async () => {
    const number = `<script>'"&\u00e9/x`;
    expect((await portage.schedule(account(number))).status).toBe(400);
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
    expect((await portage.schedule(account(number))).status).toBe(201);
    const { status, text } = await get(`/queues/import-processes/LEGACY/${encodeURIComponent(number)}`);
    expect(status).toBe(200);
    expect(text).toContain('&#60;script&#62;');
    expect(text).not.toContain('<script>');
    await portage.waitFor('PROCESSED', 1);
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Paused');
  });

  it('loads pages and styles from no other host', async () => {
    const page = (await get('/queues/')).text;
    const loaded = [...page.matchAll(/<(?:link|script|img|iframe)\b[^>]*?(?:href|src)="([^"]*)"/g)].map(
      ([, address]) => address!,
    );
    expect(loaded.length).toBeGreaterThan(4);
    expect(loaded.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([]);
    const styles = readdirSync(STYLES, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.css'),
    );
    expect(styles.length).toBeGreaterThan(5);
    for (const name of styles) {
      const { status, text } = await get(`/queues/static/css/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(text.match(/(url\(\s*["']?|@import\s+["'])(https?:)?\/\/[^)"']*/g) ?? []).toEqual([]);
    }
  });

  const retry = async (job: string): Promise<number> =>
    (
      await portage.send('PUT', `/queues/api/queues/account-imports/${job}/retry`, {
        headers: { authorization: OPERATOR },
      })
    ).status;
  const jobOf = async (number: string): Promise<string | undefined> =>
    (await jobs('failed')).find(({ name }) => name === `import-account LEGACY ${number}`)?.['id'] as
      string | undefined;

  it('retries no job while its supplier is paused; job and process are unchanged', async () => {
    const job = (await jobOf('paused'))!;
    expect(await retry(job)).toBe(500);
    expect(await jobOf('paused')).toBe(job);
    expect((await portage.status('paused')).body.status).toBe('ERRORED');
  });

  it('retries a failed job: its process is started again, and the event names the operator', async () => {
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
    expect(await retry((await jobOf('paused'))!)).toBe(204);
    await portage.waitFor('PROCESSED', 2);
    expect(await jobs('failed')).toEqual([]);
    const { events } = await portage.operator(
      ...['process', 'show', '--supplier', 'LEGACY', '--external-account-number', 'paused'],
    );
    expect(events).toContainEqual(expect.objectContaining({ event: 'RETRIED', actor: 'operator:operator' }));
  });

  it('a retried job of a cancelled process does nothing', async () => {
    // The account is accepted before the pause, and processed after it.
    await portage.workers.at(-1)!.stop();
    expect((await portage.schedule(account('cancelled'))).status).toBe(201);
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Paused');
    await portage.startWorker();
    await portage.waitFor('ERRORED', 1);
    await until(
      async () => (await jobOf('cancelled')) !== undefined,
      10_000,
      () => 'no failed job',
    );
    const failed = (await jobOf('cancelled'))!;
    await portage.workers.at(-1)!.stop();
    await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
    expect((await portage.schedule(account('cancelled'))).status).toBe(201);
    await portage.operator(
      'process',
      'cancel',
      '--supplier',
      'LEGACY',
      '--external-account-number',
      'cancelled',
    );
    expect(await retry(failed)).toBe(204);
    await portage.startWorker();
    await until(
      async () => {
        const { body } = await get('/queues/api/queues');
        const counts = body.queues[0].counts as Record<string, number>;
        return ['waiting', 'prioritized', 'active', 'delayed', 'failed'].every(
          (state) => counts[state] === 0,
        );
      },
      15_000,
      async () => JSON.stringify((await get('/queues/api/queues')).body.queues[0].counts),
    );
    expect((await portage.status('cancelled')).body.status).toBe('CANCELLED');
    const [{ accounts }] = (await portage.sql<{ accounts: number }>(
      `SELECT count(*)::int AS accounts FROM account WHERE external_account_number = 'cancelled'`,
    )) as [{ accounts: number }];
    expect(accounts).toBe(0);
  });

  it('retains no completed job', async () => {
    expect((await portage.schedule(account('fine'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 3);
    expect(await jobs('completed')).toEqual([]);
  });
});

it('Bull Board is disabled in production without a password', async () => {
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
    expect(portage.api!.logTail(10_000)).toContain('BULL_BOARD_PASSWORD is not set');
  } finally {
    await portage.stop();
  }
});
