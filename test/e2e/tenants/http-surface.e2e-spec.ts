import { type Answer, LIMITS, METRICS_TOKEN, sendRaw, SharedPortage, until } from '@portage/testing';

const { MAX_BODY_BYTES } = LIMITS;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const portage = SharedPortage.use('limited');

afterAll(async () => {
  const log = portage.log('api') + portage.log('worker');
  expect(log).not.toMatch(/Maeve|Aldous|1212345678/);
});

/** Sends a request. The supplier LEGACY of a path is replaced by the one of this test. */
const send = async (method: string, path: string): Promise<Answer> =>
  portage.send(method, path.replace('LEGACY', portage.supplier));
const get = async (path: string, headers: Record<string, string | undefined> = {}): Promise<Answer> =>
  portage.get(path.replace('LEGACY', portage.supplier), headers);

/** Sends unmodified bytes. Returns the received text once the server has closed the connection. */
const sendBytes = async (...bytes: string[]): Promise<string> => (await sendRaw(portage.baseUrl, bytes)).text;

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body]).toEqual([status, { code, detail: expect.any(String) }]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

function numbersIn({ body }: Answer): string[] {
  return (body as { external_account_number: string }[]).map((item) => item.external_account_number);
}

/** Paths of the contract and of operations, each with its allowed methods. */
const ROUTES: [path: string, methods: string[]][] = [
  ['/v1/graphql', ['POST']],
  ['/v1/data-import/account-transfer-status/LEGACY/N-1', ['GET', 'HEAD']],
  ['/v1/data-import/all-account-import-processes/LEGACY', ['GET', 'HEAD']],
  ['/v1/data-import/pending-account-import-processes/LEGACY', ['GET', 'HEAD']],
  ['/v1/data-import/imported-account-import-processes/LEGACY', ['GET', 'HEAD']],
  ['/v2/data-import/accounts', ['POST']],
  ['/v2/data-import/accounts/validate', ['POST']],
  ['/v2/data-import/accounts/LEGACY/N-1', ['GET', 'HEAD']],
  ['/health/live', ['GET', 'HEAD']],
  ['/health/ready', ['GET', 'HEAD']],
  ['/metrics', ['GET', 'HEAD']],
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('methods and paths', () => {
  it.each(ROUTES)('%s allows %j, and answers other methods with 405 and Allow', async (path, methods) => {
    for (const method of METHODS.filter((other) => !methods.includes(other))) {
      const answer = await send(method, path);
      expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, methods.join(', ')]);
      if (method !== 'HEAD') expectError(answer, 405, 'method_not_allowed');
    }
  });

  it.each(ROUTES)('%s answers the same with and without the trailing slash', async (path, methods) => {
    const method = methods.includes('GET') ? 'GET' : 'POST';
    const [withoutSlash, withSlash] = [await send(method, path), await send(method, `${path}/`)];
    expect(withSlash.status).toBe(withoutSlash.status);
    expect(withoutSlash.status).not.toBe(405);
    if (path !== '/metrics') expect(withSlash.body).toEqual(withoutSlash.body);
  });

  it.each([
    '/',
    '/v1',
    '/v2/data-import',
    '/v2/data-import/account',
    '/v1/data-import/notes/create/now/',
    '/v2/data-import/accounts/LEGACY/N-1/more',
    '/.env',
    '/index.php',
  ])('%s is answered with 404', async (path) => {
    expectError(await get(path), 404, 'not_found');
  });

  it.each(['/v2/data-import/accounts/LEGACY/%zz/', '/v2/data-import/accounts/LEGACY/%C3%28/', '/%'])(
    'an invalid percent-encoding is answered with 404: %s',
    async (path) => {
      const answer = await get(path);
      expectError(answer, 404, 'not_found');
      expect(answer.headers['x-request-id']).toMatch(UUID);
    },
  );

  it.each([
    ['an identifier', '/v2/data-import/accounts/LEGACY/'],
    ['an account number', '/v1/data-import/account-transfer-status/LEGACY/'],
    ['a supplier', '/v1/data-import/all-account-import-processes/'],
  ])('%s that is too long or contains NUL is answered with 404', async (_what, path) => {
    expectError(await get(`${path}${'x'.repeat(200)}/`), 404, 'not_found');
    expectError(await get(`${path}${'%F0%9F%98%80'.repeat(129)}/`), 404, 'not_found');
    expectError(await get(`${path}a%00b/`), 404, 'not_found');
  });
});

describe('identifiers in paths', () => {
  const identifiers = [
    'plain',
    'with space',
    'a/b',
    '/',
    '100%',
    '%41',
    '%2F',
    'a?b=c&d#e',
    'a+b',
    ';=,:@',
    'ü№',
    '...',
    'validate',
    '"quoted" \\ back',
    "'; DROP TABLE account; --",
    '𝔘𝔫𝔦',
    '\u{1F600}'.repeat(128),
    'x'.repeat(128),
  ];

  const tenant = SharedPortage.use('limited');
  beforeAll(async () => {
    for (const identifier of identifiers)
      expect((await tenant.schedule(tenant.account(identifier))).status).toBe(201);
    await tenant.waitFor('PROCESSED', identifiers.length);
  });

  it('are found and listed unchanged with all kinds of characters', async () => {
    for (const identifier of identifiers) {
      const encoded = encodeURIComponent(identifier);
      const v2 = await tenant.status(identifier);
      const v1 = await tenant.get(`/v1/data-import/account-transfer-status/${tenant.supplier}/${encoded}`);
      expect([identifier, v2.status, v2.body.status]).toEqual([identifier, 200, 'PROCESSED']);
      expect(v1.body).toEqual({ status: 'COMPLETED', platform_account_number: v2.body.platform_identifier });
    }
    const list = await tenant.get(`/v1/data-import/imported-account-import-processes/${tenant.supplier}/`);
    expect(numbersIn(list)).toEqual(identifiers);
  });

  it('have a status with datetimes in the time zone of the platform', async () => {
    const { body } = await tenant.status('plain');
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+05:30$/);
    expect(Math.abs(Date.parse(String(body.created_at)) - Date.now())).toBeLessThan(120_000);
    const list = await tenant.get(
      `/v1/data-import/imported-account-import-processes/${tenant.supplier}/?limit=1`,
    );
    expect(list.body[0].account_created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
});

describe('bodies', () => {
  it('bodies of exactly the maximum size are accepted', async () => {
    const padding = MAX_BODY_BYTES - JSON.stringify({ ...portage.account('exact'), padding: '' }).length;
    const body = JSON.stringify({ ...portage.account('exact'), padding: 'x'.repeat(padding) });
    expect(Buffer.byteLength(body)).toBe(MAX_BODY_BYTES);
    const { status } = await portage.post('/v2/data-import/accounts/validate/', body);
    expect(status).toBe(200);
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/xml', 415],
    ['application/x-ndjson', 415],
    ['nonsense', 415],
    [undefined, 415],
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON', 200],
  ])('bodies that are sent as %s are answered %i', async (contentType, status) => {
    const answer = await portage.post('/v2/data-import/accounts/validate/', portage.account('typed'), {
      'content-type': contentType,
    });
    expect(answer.status).toBe(status);
    if (status === 415) expectError(answer, 415, 'unsupported_media_type');
  });

  const nested = (open: string, close: string, levels: number) =>
    JSON.stringify(portage.account('deep')).replace(
      /\}$/,
      `,"deep":${open.repeat(levels)}1${close.repeat(levels)}}`,
    );

  it.each([
    ['lists', '[', ']', 70],
    ['lists', '[', ']', 7_000],
    ['objects', '{"a":', '}', 2_000],
  ])(
    'bodies that are nested far too deeply are refused before they are parsed, with an Idempotency-Key too: %s',
    async (_what, open, close, levels) => {
      for (const headers of [{}, { 'idempotency-key': `deep-${levels}` }])
        for (const path of [
          '/v2/data-import/accounts/',
          '/v2/data-import/accounts/validate/',
          '/v1/data-import/notes/create/',
          '/v1/data-import/transactions/create/',
          '/v1/data-import/payment-instruction/create/',
          '/v1/graphql/',
        ]) {
          const answer = await portage.post(path, nested(open, close, levels), headers);
          const code = answer.body.code ?? answer.body.errors[0].extensions.code;
          expect([path, answer.status, code]).toEqual([path, 400, 'parse_error']);
        }
    },
  );

  it.each([
    ['/nowhere', 18_000, 404, 'not_found'],
    ['/docs/nowhere', 18_000, 404, 'not_found'],
    ['/health/live', 10_000, 405, 'method_not_allowed'],
    ['/metrics', 10_000, 405, 'method_not_allowed'],
    ['/v2/data-import/accounts/', 18_000, 401, 'not_authenticated'],
    ['/v1/graphql/', 18_000, 413, 'payload_too_large'],
  ])('bodies of strangers are answered before they arrive: %s', async (path, length, status, code) => {
    // The rest of the body never comes.
    const answer = await sendBytes(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"code":"${code}"`));
  });
});

it('A list is answered in full to a GET request with a body, which has no effect', async () => {
  const path = `/v1/data-import/all-account-import-processes/${portage.supplier}/`;
  for (const body of [{}, ['x'.repeat(10_000)]]) {
    const answer = await portage.send('GET', path, { body });
    expect([answer.status, answer.text]).toEqual([200, (await get(path)).text]);
  }
});

it.each([
  ['another protocol', 'HELLO\r\n\r\n', 400, 'parse_error'],
  [
    'headers above the size limit',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'payload_too_large',
  ],
])('invalid HTTP gets an error in the usual format: %s', async (_what, bytes, status, code) => {
  const [head = '', body = ''] = (await sendBytes(bytes)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(JSON.parse(body)).toEqual({ code, detail: expect.any(String) });
});

describe('health and metrics of the API', () => {
  it('report live and ready, with the queue backend', async () => {
    expect((await get('/health/live', { authorization: undefined })).body).toEqual({ status: 'ok' });
    const ready = await get('/health/ready', { authorization: undefined });
    expect([ready.status, ready.body]).toEqual([
      200,
      { status: 'ok', database: 'up', migrations: 'up', queue: 'up', backend: 'postgres' },
    ]);
  });

  it('count requests by the pattern of their route, without identifiers', async () => {
    await get('/v2/data-import/accounts/LEGACY/unknown-account/');
    await get('/nowhere/unknown-account/');
    expect((await portage.schedule(portage.account('counted'))).status).toBe(201);
    let answer = await get('/metrics');
    // Other suites may use every connection of the pool for a moment.
    await until(
      async () =>
        /portage_database_pool_connections\{state="idle"\} [1-9]/.test((answer = await get('/metrics')).text),
      () => answer.text,
    );
    const { status, headers, text } = answer;
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toMatch(
      /portage_http_request_duration_seconds_count\{method="GET",route="\/v2\/data-import\/accounts\/:supplier\/:identifier",status="404"\} \d+/,
    );
    expect(text).toMatch(/route="unknown",status="404"/);
    expect(text).toMatch(/portage_queue_jobs\{queue="account-imports",state="active"\} \d+/);
    expect(text).toMatch(/portage_queue_oldest_waiting_seconds\{queue="account-imports"\} \d/);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
    expect(text).toMatch(/portage_import_processes_scheduled_total\{outcome="created"\} \d+/);
    expect(text).not.toContain('unknown-account');
  });
});

describe('health and metrics of the worker', () => {
  const get = async (path: string): Promise<Response> =>
    fetch(portage.workerUrl + path, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });

  it('report live, and ready while it consumes jobs', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'ok' });
    const ready = await get('/health/ready/');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', database: 'up', migrations: 'up', queue: 'up', consumers: 'up', backend: 'postgres' },
    ]);
  });

  it('count jobs by their outcome', async () => {
    await portage.importAccount('processed');
    const expected = [
      /portage_account_imports_total\{outcome="processed"\} \d+/,
      /portage_job_duration_seconds_count\{queue="account-imports",outcome="completed"\} \d+/,
      /portage_database_pool_connections\{state="waiting"\} 0/,
      /nodejs_eventloop_lag_p99_seconds \d/,
    ];
    // The worker counts a job shortly after its account is visible.
    let text = '';
    await until(
      async () => {
        text = await (await get('/metrics')).text();
        return expected.every((line) => line.test(text));
      },
      () => text,
    );
  });
});
