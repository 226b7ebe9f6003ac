import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_NAMES } from '../../libs/platform/src/queues/job-contract';
import {
  account,
  type Answer,
  Installation,
  sendBook,
  signIn,
  storeErrored,
  testedBackends,
} from '@portage/testing';
import { halfOf, json, reset, silent, TestServer, text } from '@portage/testing/test-server';
import { until } from '@portage/testing/until';
import { paymentMethod } from '../../libs/accounts/test/vendor-responses';
import { mark, markedAccount, MARKER } from '../../libs/testing/src/application/marked-account';

/** Matches the markers, personal data that cannot be markers, and the vendor key. */
const PERSONAL_DATA = new RegExp(
  [MARKER.source, '7400123456', '1212345678', 'NN99', '1961-04-09', 'Z21A004410', 'sk_live_secret'].join('|'),
  'i',
);
const METRICS = 'metrics-for-the-tests';

const FAILING_VENDOR_REQUESTS = 5;

const api = '/v1/data-import';

/** Returns the place of the first match in a text, with its surroundings. */
function findPersonalData(place: string, content: string): string[] {
  const match = PERSONAL_DATA.exec(content);
  return match ? [`${place}: ${content.slice(Math.max(0, match.index - 120), match.index + 120)}`] : [];
}

describe.each(testedBackends())('personal data, with the queue in %s and the log at debug', (backend) => {
  let vendor: TestServer;
  let portage: Installation;
  const statuses = new Map<string, number>();

  const send = async (what: string, path: string, body: unknown, headers = {}): Promise<Answer> => {
    const answer = await portage.post(path, body, headers);
    statuses.set(what, answer.status);
    return answer;
  };
  const instruction = (type = 'CARD') => ({
    ...portage.about('processed'),
    type,
    vendor: 'STRIPE',
    reference: `pm_${mark()}`,
    ledger_code: 'MAIN',
    valid_from: '2024-07-01',
    use_for_scheduled_payments: false,
  });

  beforeAll(async () => {
    vendor = await TestServer.start(silent);
    portage = await Installation.start({
      backend,
      workers: 0,
      env: {
        LOG_LEVEL: 'debug',
        METRICS_TOKEN: METRICS,
        STRIPE_API_BASE: vendor.url,
        STRIPE_API_KEY: 'sk_live_secret_of_ours',
        // No server listens at this port, so every welcome e-mail fails and is retried.
        SMTP_URL: 'smtp://127.0.0.1:9',
      },
    });
    await portage.operator('supplier', 'set', 'LEGACY', '--send-migration-emails');
    // The account `unforeseen` fails with an unexpected database error whose message contains the row.
    await portage.sql(`CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.title = 'Unforeseen' THEN RAISE EXCEPTION 'No: %', NEW USING DETAIL = NEW::text, HINT = NEW::text; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER refuse_row BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION refuse_row()`);
  });
  beforeAll(sendRequests);
  afterAll(async () => {
    await portage.stop();
    await vendor.stop();
  });

  /** Sends all kinds of requests, which end in all ways. */
  async function sendRequests(): Promise<void> {
    // Posted before a worker starts, so that only the worker detects the duplicate reference of the second account.
    const references = [{ namespace: mark(), value: mark() }];
    const customers = [
      { given_name: mark(), family_name: mark(), title: 'Unforeseen', email: `${mark()}@example.org` },
    ];
    const accounts = {
      processed: markedAccount('processed'),
      first: account('first', { references, nickname: mark() }),
      clashing: account('clashing', { references, nickname: mark() }),
      unforeseen: account('unforeseen', { customers }),
      dryRun: {
        payload: account('dryRun', { customers: [{ family_name: mark() }] }),
        task_params: { is_dry_run: true },
      },
    };
    for (const [number, body] of Object.entries(accounts))
      expect([number, (await send(number, '/v2/data-import/accounts/', body)).status]).toEqual([number, 201]);
    await portage.startWorker();
    await portage.waitFor('PROCESSED', 2);
    await portage.waitFor('ERRORED', 2);
    await portage.waitFor('DRY_RUN_SUCCEEDED', 1);

    const wrong = {
      ...markedAccount('refused'),
      date_of_sale: mark(),
      billing_email: mark(),
      account_type: mark(),
      ledgers: mark(),
      is_managed: mark(),
    };
    await send('wrong account', '/v2/data-import/accounts/', wrong);
    await send('wrong account, validated', '/v2/data-import/accounts/validate/', { payload: wrong });
    await send('repeated account', '/v2/data-import/accounts/', accounts.processed);
    await send('no JSON', '/v2/data-import/accounts/', `{"family_name": "${mark()}`);
    await send('no JSON type', '/v2/data-import/accounts/', mark(), { 'content-type': `text/${mark()}` });
    await send('wrong token', '/v2/data-import/accounts/', {}, { authorization: `Token ${mark()}` });
    await send('unknown path', `/v2/data-import/${mark()}/?name=${mark()}`, {});
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
    await send('notes', `${api}/notes/create/`, { ...portage.about('processed'), notes }, key);
    await send('repeated notes', `${api}/notes/create/`, { ...portage.about('processed'), notes }, key);
    await send('wrong notes', `${api}/notes/create/`, {
      ...portage.about('processed'),
      notes: [{ body: mark(), unpin_at: mark() }],
    });
    const statement = {
      statement_id: mark(),
      number: mark(),
      bill_period_from_date: '2024-03-01',
      bill_period_to_date: '2024-03-31',
      statement_path: `${mark()}.pdf`,
    };
    await send('statements', `${api}/historical-statements/create/`, {
      ...portage.about('processed'),
      statements: [statement],
    });
    await send('repeated statements', `${api}/historical-statements/create/`, {
      ...portage.about('processed'),
      statements: [statement],
    });
    const posted = (more: object = {}) => ({
      ...portage.about('processed'),
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
    await send('transactions', `${api}/transactions/create/`, posted({ reference: mark() }), {
      'idempotency-key': mark(),
    });
    await send(
      'late transactions',
      `${api}/transactions/create/?force_add_to_current_statement=0`,
      posted({ transaction_date: '2019-01-01' }),
    );
    await send('wrong transactions', `${api}/transactions/create/`, posted({ amount: mark() }));

    const vendorData = {
      billing_details: { name: mark(), email: `${mark()}@example.org` },
      metadata: { note: mark() },
    };
    const failure = { error: { type: 'api_error', message: mark(), code: mark() } };
    const path = `${api}/payment-instruction/create/`;
    vendor.respond = (request, response) => {
      const id = request.path.split('/').at(-1);
      json(200, paymentMethod({ id, ...vendorData }))(request, response);
    };
    await send('instruction', path, instruction());
    vendor.respond = json(404, {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: mark() },
    });
    await send('refused instruction', path, instruction());
    const failing = [
      json(500, failure),
      json(429, failure),
      text(200, mark()),
      halfOf({ note: mark() }),
      reset,
    ];
    vendor.respond = (request, response) => {
      failing[vendor.requests.length % failing.length]?.(request, response);
    };
    await Promise.all(
      Array.from({ length: FAILING_VENDOR_REQUESTS }, async (_, place) =>
        send(`instruction of a failing vendor, ${place}`, path, instruction()),
      ),
    );
  }

  it('is sent in all kinds of requests, which end in all ways', () => {
    const requestsWith = (code: number) =>
      [...statuses].filter(([, status]) => status === code).map(([what]) => what);
    expect(requestsWith(201)).toEqual([
      'processed',
      'first',
      'clashing',
      'unforeseen',
      'dryRun',
      'notes',
      'repeated notes',
      'statements',
      'transactions',
      'instruction',
    ]);
    expect(requestsWith(500)).toHaveLength(FAILING_VENDOR_REQUESTS);
    expect([...statuses.values()].filter((status) => status > 500)).toEqual([]);
  });

  it('is in the database, where it belongs', async () => {
    const marked = 'customer WHERE customer::text ~* $1';
    expect(await portage.countRows(marked, [MARKER.source])).toBeGreaterThan(0);
  });

  it('is in no answer to an operator who may not read payloads', async () => {
    const { customers } = account('corrected') as { customers: object[] };
    const corrected = (name: string) =>
      account('corrected', { customers: [{ ...customers[0], family_name: name }] });
    expect((await portage.post('/v2/data-import/accounts/', corrected(mark()))).status).toBe(201);
    await portage.waitForAccount('corrected', 'PROCESSED');
    const lines = [
      corrected(mark()),
      { ...markedAccount('line'), billing_email: mark(), account_type: mark() },
    ];
    const submission = await sendBook(portage, lines, { reference: 'book', mode: 'correct' });
    const listed = async (outcome: string) =>
      (await portage.get(`/v2/data-import/submissions/${submission}/results/?outcome=${outcome}`)).text;
    await until(async () => MARKER.test(await listed('corrected')), 'No account was corrected.');
    expect(await listed('refused')).toMatch(MARKER);
    // As a rule and a warning that quote the account.
    const [detail, attr, code] = [
      `"${mark()}" and ${mark()} are not valid: ${mark()}`,
      'nickname',
      'invalid',
    ];
    await storeErrored(portage, ['quoted'], { code, detail, path: attr, payload: markedAccount('quoted') });
    await portage.sql('UPDATE import_process SET warnings = $1 WHERE external_account_number = $2', [
      JSON.stringify([{ code, attr, detail }]),
      'processed',
    ]);
    const { body: webhook } = await portage.post('/v2/data-import/webhook-endpoints/', {
      import_supplier: 'LEGACY',
      url: 'https://hooks.example.com/portage',
    });
    const processes = await portage.sql<{ id: string }>('SELECT id FROM import_process');

    const lists = join(portage.directory, 'lists.json');
    writeFileSync(lists, JSON.stringify({ twin_element_meters: ['T-1'] }));
    await portage.operator('reference', 'import', lists);
    const viewer = await signIn(portage, 'viewer');
    const values: Record<string, readonly string[]> = {
      'suppliers/:code': ['LEGACY'],
      'processes/:id': processes.map(({ id }) => id),
      'submissions/:id': [submission],
      'webhooks/:id': [webhook.id as string],
      'organisations/:name': [encodeURIComponent(portage.organisation)],
      'reference-lists/:list': ['twin_element_meters'],
    };
    const queries: Record<string, string> = { '/processes': '?number=processed' };
    // All but those of admins and of the sign-in.
    const routes = [...portage.log('api').matchAll(/Mapped \{\/operator\/v1([^,]*), GET\} route/g)]
      .map(([, route = '']) => route)
      .filter((route) => !/^\/(?:operators|session\/openid-connect)/.test(route));
    expect(routes.length).toBeGreaterThan(25);
    for (const route of routes) {
      let paths = [route];
      for (const [part, names] of Object.entries(values))
        paths = paths.flatMap((path) =>
          path.includes(part) ? names.map((name) => path.replace(/:\w+/, name)) : [path],
        );
      for (const path of paths) {
        const { status, text: content } = await viewer.get(`${path}${queries[route] ?? ''}`);
        expect([path, status]).toEqual([path, 200]);
        expect(findPersonalData(path, content)).toEqual([]);
      }
    }
    for (const format of ['csv', 'ndjson']) {
      const { text: content } = await viewer.get(`/submissions/${submission}/results?format=${format}`);
      expect(content).toContain('customers.0.family_name');
      expect(findPersonalData(format, content)).toEqual([]);
    }
  });

  it('is in no log', async () => {
    const logs = readdirSync(portage.directory).filter((name) => name.endsWith('.log'));
    expect(logs).toHaveLength(2);
    const lines = logs.flatMap((name) => readFileSync(join(portage.directory, name), 'utf8').split('\n'));
    for (const expected of [
      '"level":20',
      'An account could not be created.',
      'A payment vendor did not confirm',
      '"queue":"emails"',
    ])
      expect(lines.filter((line) => line.includes(expected))).not.toEqual([]);
    expect(lines.flatMap((line) => findPersonalData('log', line))).toEqual([]);
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
    // Failed jobs are retained, so the queue has content.
    expect(contents).toContain('reference_already_exists');
    expect(findPersonalData('queue', contents)).toEqual([]);
  });

  it('is in no metric', async () => {
    const authorization = `Bearer ${METRICS}`;
    const { text: metrics } = await portage.get('/metrics', { authorization });
    expect(metrics).toContain('portage_');
    const answer = await fetch(`${portage.workerUrl}/metrics`, { headers: { authorization } });
    const ofWorker = await answer.text();
    expect(ofWorker).toContain('portage_');
    expect([...findPersonalData('API', metrics), ...findPersonalData('worker', ofWorker)]).toEqual([]);
  });

  it('is not in Bull Board', async () => {
    const { headers } = await signIn(portage, 'viewer');
    const get = async (path: string) => portage.get(`/queues/api/${path}`, headers);
    const failed: string[] = [];
    for (const queue of QUEUE_NAMES)
      for (const status of ['latest', 'active', 'waiting', 'completed', 'failed', 'delayed', 'prioritized']) {
        const {
          status: code,
          body,
          text: content,
        } = await get(`queues?activeQueue=${queue}&status=${status}&page=1`);
        expect([queue, status, code]).toEqual([queue, status, 200]);
        expect(findPersonalData(`${queue} ${status}`, content)).toEqual([]);
        const { jobs } = (body.queues as { name: string; jobs: { id: string }[] }[]).find(
          ({ name }) => name === queue,
        )!;
        for (const { id } of jobs) {
          const job = await get(`queues/${queue}/${encodeURIComponent(id)}`);
          const logs = await get(`queues/${queue}/${encodeURIComponent(id)}/logs`);
          expect([...findPersonalData(id, job.text), ...findPersonalData(id, logs.text)]).toEqual([]);
          if (status === 'failed') failed.push(queue);
        }
      }
    expect(new Set(failed)).toEqual(new Set(['account-imports', 'payment-instructions']));
  });
});
