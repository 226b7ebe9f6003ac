import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { halfOf, json, MisbehavingVendor, reset, text } from '../../libs/vendors/test/misbehaving-vendor';
import { paymentMethod } from '../../libs/vendors/test/vendor-responses';
import { account, type Answer, testedBackends, TestPortage } from '@portage/testing';
import { mark, markedAccount, MARKER } from '@portage/testing/application';

/** Besides the markers: what no marker can stand for, and what is nobody's business either. */
const TELLING = new RegExp(
  [MARKER.source, '7400123456', '1212345678', 'NN99', '1961-04-09', 'Z21A004410', 'sk_live_secret'].join('|'),
  'i',
);
const PASSWORD = 'correct horse: battery';
const OPERATOR = `Basic ${Buffer.from(`operator:${PASSWORD}`).toString('base64')}`;
const METRICS = 'metrics-for-the-tests';
const QUEUES = [
  'account-imports',
  'transactions',
  'payment-instructions',
  'documents',
  'emails',
  'maintenance',
];

const about = (number: string) => ({ import_supplier: 'LEGACY', external_account_number: number });
const api = '/v1/data-import';

/** Where it was found, with some of what stands around it. */
function tellingIn(where: string, said: string): string[] {
  const found = TELLING.exec(said);
  return found ? [`${where}: ${said.slice(Math.max(0, found.index - 120), found.index + 120)}`] : [];
}

describe.each(testedBackends())('personal data, with the queue in %s and the log at debug', (backend) => {
  let vendor: MisbehavingVendor;
  let portage: TestPortage;
  const statuses = new Map<string, number>();

  const sends = async (what: string, path: string, body: unknown, headers = {}): Promise<Answer> => {
    const answer = await portage.post(path, body, headers);
    statuses.set(what, answer.status);
    return answer;
  };
  const instruction = (type = 'CARD') => ({
    ...about('processed'),
    type,
    vendor: 'STRIPE',
    reference: `pm_${mark()}`,
    ledger_code: 'MAIN',
    valid_from: '2024-07-01',
    use_for_scheduled_payments: false,
  });

  beforeAll(async () => {
    vendor = await MisbehavingVendor.start();
    portage = await TestPortage.start({
      backend,
      workers: 0,
      env: {
        LOG_LEVEL: 'debug',
        BULL_BOARD_PASSWORD: PASSWORD,
        METRICS_TOKEN: METRICS,
        STRIPE_API_BASE: vendor.base,
        STRIPE_API_KEY: 'sk_live_secret_of_ours',
        VENDOR_TIMEOUT_MS: '500',
        // Nobody is there: every welcome e-mail fails, and is tried again.
        SMTP_URL: 'smtp://127.0.0.1:9',
      },
    });
    await portage.operator('supplier', 'set', 'LEGACY', '--send-migration-emails');
    // One that fails for a reason that nobody has thought of, and the database says the whole row.
    await portage.sql(`CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.title = 'Unforeseen' THEN RAISE EXCEPTION 'No: %', NEW USING DETAIL = NEW::text, HINT = NEW::text; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER refuse_row BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION refuse_row()`);
  });
  afterAll(async () => {
    await portage.stop();
    await vendor.stop();
  });

  it('is sent in every way, and everything comes to every end', async () => {
    // Before a worker is there: the second one is found to clash only when it is worked on.
    const references = [{ namespace: mark(), value: mark() }];
    const customers = [
      { given_name: mark(), family_name: mark(), title: 'Unforeseen', email: `${mark()}@example.org` },
    ];
    const accounts = {
      processed: markedAccount('processed'),
      first: account('first', { references, nickname: mark() }),
      clashing: account('clashing', { references, nickname: mark() }),
      unforeseen: account('unforeseen', { customers }),
      rehearsed: {
        payload: account('rehearsed', { customers: [{ family_name: mark() }] }),
        task_params: { is_dry_run: true },
      },
    };
    for (const [number, body] of Object.entries(accounts))
      expect([number, (await sends(number, '/v2/data-import/accounts/', body)).status]).toEqual([
        number,
        201,
      ]);
    await portage.startWorker();
    await portage.waitFor('PROCESSED', 2, 60_000);
    await portage.waitFor('ERRORED', 2, 60_000);
    await portage.waitFor('DRY_RUN_SUCCEEDED', 1, 60_000);

    const wrong = {
      ...markedAccount('refused'),
      ...{
        date_of_sale: mark(),
        billing_email: mark(),
        account_type: mark(),
        ledgers: mark(),
        is_managed: mark(),
      },
    };
    await sends('wrong account', '/v2/data-import/accounts/', wrong);
    await sends('wrong account, validated', '/v2/data-import/accounts/validate/', { payload: wrong });
    await sends('same account again', '/v2/data-import/accounts/', accounts.processed);
    await sends('no JSON', '/v2/data-import/accounts/', `{"family_name": "${mark()}`);
    await sends('no JSON type', '/v2/data-import/accounts/', mark(), { 'content-type': `text/${mark()}` });
    await sends('wrong token', '/v2/data-import/accounts/', {}, { authorization: `Token ${mark()}` });
    await sends('unknown path', `/v2/data-import/${mark()}/?name=${mark()}`, {});
    statuses.set('unknown account', (await portage.status(mark())).status);
    await portage.graphql(
      'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }',
      {
        input: { APIKey: mark() },
      },
    );

    const notes = [
      { body: mark(), external_id: mark(), document_paths: [{ document_path: `${mark()}/letter.pdf` }] },
    ];
    const key = { 'idempotency-key': mark() };
    await sends('notes', `${api}/notes/create/`, { ...about('processed'), notes }, key);
    await sends('notes again', `${api}/notes/create/`, { ...about('processed'), notes }, key);
    await sends('wrong notes', `${api}/notes/create/`, {
      ...about('processed'),
      notes: [{ body: mark(), unpin_at: mark() }],
    });
    const statement = {
      statement_id: mark(),
      number: mark(),
      bill_period_from_date: '2024-03-01',
      bill_period_to_date: '2024-03-31',
      statement_path: `${mark()}.pdf`,
    };
    await sends('statements', `${api}/historical-statements/create/`, {
      ...about('processed'),
      statements: [statement],
    });
    await sends('statements again', `${api}/historical-statements/create/`, {
      ...about('processed'),
      statements: [statement],
    });
    const posted = (more: object = {}) => ({
      ...about('processed'),
      transactions: [
        {
          transaction_id: mark(),
          transaction_date: '2024-06-15',
          type: 'PAYMENT',
          amount: '1.00',
          note: mark(),
          ...more,
        },
      ],
    });
    await sends('transactions', `${api}/transactions/create/`, posted({ reference: mark() }), {
      'idempotency-key': mark(),
    });
    await sends(
      'late transactions',
      `${api}/transactions/create/?force_add_to_current_statement=0`,
      posted({ transaction_date: '2019-01-01' }),
    );
    await sends('wrong transactions', `${api}/transactions/create/`, posted({ amount: mark() }));

    const said = {
      billing_details: { name: mark(), email: `${mark()}@example.org` },
      metadata: { said: mark() },
    };
    const failure = { error: { type: 'api_error', message: mark(), code: mark() } };
    const path = `${api}/payment-instruction/create/`;
    vendor.behave = (response, nth) => {
      const id = vendor.received[nth]?.path.split('/').at(-1);
      json(200, paymentMethod({ id, ...said }))(response, nth);
    };
    await sends('instruction', path, instruction());
    vendor.behave = json(404, {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: mark() },
    });
    await sends('refused instruction', path, instruction());
    const failing = [
      json(500, failure),
      json(429, failure),
      text(200, mark()),
      halfOf({ said: mark() }),
      reset,
    ];
    vendor.behave = (response, nth) => {
      failing[nth % failing.length]?.(response, nth);
    };
    await Promise.all(
      failing.map(async (_, place) =>
        sends(`instruction of a failing vendor, ${place}`, path, instruction()),
      ),
    );
    const client = (code: number) =>
      [...statuses].filter(([, status]) => status === code).map(([what]) => what);
    expect(client(201)).toEqual([
      ...Object.keys(accounts),
      ...['notes', 'notes again', 'statements', 'transactions', 'instruction'],
    ]);
    expect(client(500)).toHaveLength(failing.length);
    expect([...statuses.values()].filter((status) => status > 500)).toEqual([]);
  });

  it('is in the database, where it belongs', async () => {
    const [row] = await portage.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM customer WHERE customer::text ~* $1',
      [MARKER.source],
    );
    expect(row!.count).toBeGreaterThan(0);
  });

  it('is in no log', async () => {
    const logs = readdirSync(portage.directory).filter((name) => name.endsWith('.log'));
    expect(logs).toHaveLength(2);
    const lines = logs.flatMap((name) => readFileSync(join(portage.directory, name), 'utf8').split('\n'));
    for (const sign of [
      '"level":20',
      'An account could not be created.',
      'A payment vendor did not confirm',
      'welcome e-mail',
    ])
      expect(lines.filter((line) => line.includes(sign))).not.toEqual([]);
    expect(lines.flatMap((line) => tellingIn('log', line))).toEqual([]);
  });

  it('is in no queue: neither in Redis nor in the tables of the queues', async () => {
    const redis = await portage.redisContents();
    const tables = await portage.sql<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema = 'bullmq'`,
    );
    expect(tables.length).toBeGreaterThan(0);
    let contents = redis;
    for (const { name } of tables)
      contents += JSON.stringify(await portage.sql(`SELECT row::text FROM ${name} AS row`));
    // Failed jobs are kept, so there is something to look through.
    expect(contents).toContain('reference_already_exists');
    expect(tellingIn('queue', contents)).toEqual([]);
  });

  it('is in no metric', async () => {
    const authorization = `Bearer ${METRICS}`;
    const { text: metrics } = await portage.get('/metrics', { authorization });
    expect(metrics).toContain('portage_');
    const [port] = readdirSync(portage.directory).flatMap((name) => /^worker-(\d+)/.exec(name)?.[1] ?? []);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization } });
    const ofWorker = await answer.text();
    expect(ofWorker).toContain('portage_');
    expect([...tellingIn('API', metrics), ...tellingIn('worker', ofWorker)]).toEqual([]);
  });

  it('is nowhere in Bull Board', async () => {
    const look = async (path: string) => portage.get(`/queues/api/${path}`, { authorization: OPERATOR });
    const failed: string[] = [];
    for (const queue of QUEUES)
      for (const status of ['latest', 'active', 'waiting', 'completed', 'failed', 'delayed', 'prioritized']) {
        const {
          status: code,
          body,
          text: said,
        } = await look(`queues?activeQueue=${queue}&status=${status}&page=1`);
        expect([queue, status, code]).toEqual([queue, status, 200]);
        expect(tellingIn(`${queue} ${status}`, said)).toEqual([]);
        const { jobs } = (body.queues as { name: string; jobs: { id: string }[] }[]).find(
          ({ name }) => name === queue,
        )!;
        for (const { id } of jobs) {
          const job = await look(`queues/${queue}/${encodeURIComponent(id)}`);
          const logs = await look(`queues/${queue}/${encodeURIComponent(id)}/logs`);
          expect([...tellingIn(id, job.text), ...tellingIn(id, logs.text)]).toEqual([]);
          if (status === 'failed') failed.push(queue);
        }
      }
    expect(new Set(failed)).toEqual(new Set(['account-imports', 'payment-instructions']));
  });
});
