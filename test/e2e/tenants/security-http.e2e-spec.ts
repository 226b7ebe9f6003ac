import { LIMITS, METRICS_TOKEN, sendRaw, SharedPortage } from '@portage/testing';

const ORIGIN = 'https://other.example';
const REQUEST_MS = LIMITS.REQUEST_TIMEOUT_MS;
const KEEP_ALIVE_MS = LIMITS.KEEP_ALIVE_TIMEOUT_MS;
/** Node checks for timed-out connections once a second, and the machine may run other tests. */
const TOLERANCE_MS = 30_000;

const portage = SharedPortage.use('limited');
const other = SharedPortage.use('limited');

const VALIDATE = '/v2/data-import/accounts/validate/';

const characters = (text: string) => text.match(/[^]/g) ?? [];

describe('every answer', () => {
  it.each([
    ['data', 'GET', '/v1/data-import/all-account-import-processes/SUPPLIER/', 200],
    ['an unknown account', 'GET', '/v2/data-import/accounts/SUPPLIER/unknown/', 404],
    ['an unknown path', 'GET', '/nowhere', 404],
    ['an invalid path', 'GET', '/%', 404],
    ['another method', 'DELETE', '/v2/data-import/accounts/', 405],
    ['GraphQL', 'POST', '/v1/graphql/', 400],
    ['health', 'GET', '/health/live', 200],
    ['metrics', 'GET', '/metrics', 200],
    ['queues', 'GET', '/queues/', 401],
  ])('the answer for %s forbids browsers to embed or store it', async (_what, method, path, status) => {
    const { headers, status: actual } = await portage.send(
      method,
      path.replace('SUPPLIER', portage.supplier),
    );
    expect(actual).toBe(status);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    for (const name of ['x-powered-by', 'server', 'strict-transport-security'])
      expect(headers).not.toHaveProperty(name);
  });

  it('an HTML page allows scripts of this service only, and no inline scripts', async () => {
    const { headers, text } = await portage.get('/docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'self';/);
    expect(policy).not.toMatch(/script-src|unsafe-eval|https?:/);
    const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)</g)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, attributes, content] of scripts)
      expect([attributes, content!.trim()]).toEqual([expect.stringContaining('src="./docs/'), '']);
  });

  it('sets Strict-Transport-Security over TLS', async () => {
    const { headers } = await portage.get('/health/live', { 'x-forwarded-proto': 'https' });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('allows no other origin (CORS)', async () => {
    const headersOfOrigin = { origin: ORIGIN, 'access-control-request-method': 'POST' };
    for (const [method, path] of [
      ['OPTIONS', '/v2/data-import/accounts/'],
      ['OPTIONS', '/v1/graphql/'],
      ['GET', `/v1/data-import/all-account-import-processes/${portage.supplier}/`],
      ['GET', '/openapi.json'],
      ['GET', '/queues/'],
      ['GET', '/nowhere'],
    ] as const) {
      const { headers, status } = await portage.send(method, path, { headers: headersOfOrigin });
      if (method === 'OPTIONS') expect([path, status]).toEqual([path, 405]);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('an address that only the file server of the documentation refuses', () => {
  const LONG = 'x'.repeat(5_000);
  const REQUEST_ID = 'refused-by-the-file-server';

  it.each([
    ['/docs/%00', 'GET', {}],
    ['/docs/%5c', 'GET', {}],
    ['/docs/%5c..%5c..%5cpackage.json', 'GET', {}],
    ['/docs/..%2f..%2fpackage.json', 'GET', {}],
    ['/docs/%2e%2e/%2e%2e/package.json', 'GET', {}],
    ['/docs/a%00.js', 'HEAD', {}],
    [`/docs/${LONG}`, 'GET', {}],
    [`/docs/${'%F0%9F%98%80'.repeat(500)}`, 'GET', {}],
    [`/docs/${'x/'.repeat(2_000)}`, 'GET', {}],
    ['/docs/.hidden', 'GET', {}],
    ['/docs/swagger-ui.css', 'GET', { range: 'bytes=999999999-' }],
    ['/docs/swagger-ui.css', 'GET', { 'if-match': '"other"' }],
    [`/${LONG}`, 'GET', {}],
    [`/queues/static/%00`, 'GET', {}],
    [`/queues/${LONG}`, 'GET', {}],
    [`/v2/data-import/accounts/LEGACY/${LONG}/`, 'GET', {}],
  ])('is answered with a 4xx: %s', async (path, method, headers) => {
    const answer = await portage.send(method, path, { headers: { ...headers, 'x-request-id': REQUEST_ID } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    if (method !== 'HEAD')
      expect(answer.body).toEqual({ code: expect.any(String), detail: expect.any(String) });
    expect(answer.text).not.toMatch(/node_modules|ENOENT|ENAMETOOLONG|Error:/);
  });

  it('is not logged as a fault', () => {
    expect(portage.failedRequests().filter((line) => line.includes(REQUEST_ID))).toEqual([]);
  });
});

describe('a slow client of the API and of the worker', () => {
  const ofBoth = async (check: (baseUrl: string) => Promise<void>) =>
    Promise.all([portage.baseUrl, portage.workerUrl].map(check));
  const slowHeaders = characters('GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: '.repeat(20));

  it('is disconnected if it sends nothing, or its headers character by character', async () => {
    await ofBoth(async (baseUrl) => {
      const answers = [[], slowHeaders].map(async (parts) => sendRaw(baseUrl, parts, { paceMs: 100 }));
      for (const answer of await Promise.all(answers)) {
        // If the client has sent no byte, the connection is closed without an answer.
        if (answer.text !== '') expect(answer.statuses).toEqual([408]);
        expect(answer.milliseconds).toBeGreaterThan(REQUEST_MS * 0.9);
        expect(answer.milliseconds).toBeLessThan(REQUEST_MS + TOLERANCE_MS);
      }
    });
  });

  it('is disconnected if it holds an idle connection', async () => {
    await ofBoth(async (baseUrl) => {
      const answer = await sendRaw(baseUrl, ['GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n']);
      expect(answer.statuses).toEqual([200]);
      expect(answer.milliseconds).toBeGreaterThan(KEEP_ALIVE_MS * 0.9);
      // Node closes the connection one second after the announced time.
      expect(answer.milliseconds).toBeLessThan(KEEP_ALIVE_MS + 1_000 + TOLERANCE_MS);
    });
  });
});

it('clients that send their bodies byte by byte are disconnected, and do not delay other organisations', async () => {
  const post = async (name: string) => {
    const start = performance.now();
    expect((await other.post(VALIDATE, other.account(name))).status).toBe(200);
    return performance.now() - start;
  };
  const aloneMs = await post('alone');
  const head = `POST ${VALIDATE} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${portage.token}\r\n`;
  const slow = Array.from({ length: 30 }, async () =>
    sendRaw(
      portage.baseUrl,
      [
        `${head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`,
        ...characters(' '.repeat(200)),
      ],
      { paceMs: 100 },
    ),
  );
  expect(await post('quick')).toBeLessThan(Math.max(REQUEST_MS, 10 * aloneMs));
  for (const answer of await Promise.all(slow)) {
    if (answer.text !== '') expect(answer.statuses).toEqual([408]);
    expect(answer.milliseconds).toBeGreaterThan(REQUEST_MS * 0.9);
    expect(answer.milliseconds).toBeLessThan(REQUEST_MS + TOLERANCE_MS);
  }
});

/** A second request that is smuggled in the body of the first one. */
const SMUGGLED = `GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${METRICS_TOKEN}\r\n\r\n`;
const CHUNKED_END = `0\r\n\r\n${SMUGGLED}`;
const JSON_POST = `POST ${VALIDATE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

describe('request smuggling', () => {
  it('the smuggled request is answered if it is sent alone', async () => {
    const answer = await sendRaw(portage.baseUrl, [SMUGGLED]);
    expect(answer.text).toContain('portage_http_request_duration_seconds');
  });

  it.each([
    [
      'a length beside chunks',
      `${JSON_POST}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED_END}`,
    ],
    [
      'chunks beside a length',
      `${JSON_POST}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n${CHUNKED_END}`,
    ],
    ['two lengths', `${JSON_POST}Content-Length: 2\r\nContent-Length: 100\r\n\r\n{}${SMUGGLED}`],
    ['a length with a sign', `${JSON_POST}Content-Length: +2\r\n\r\n{}${SMUGGLED}`],
    ['an unknown encoding', `${JSON_POST}Transfer-Encoding: xchunked\r\n\r\n${CHUNKED_END}`],
    ['a space before a colon', `${JSON_POST}Transfer-Encoding : chunked\r\n\r\n${CHUNKED_END}`],
    ['a folded header', `${JSON_POST}Transfer-Encoding:\r\n chunked\r\nX: 1\r\n y\r\n\r\n${CHUNKED_END}`],
    ['lines that end in LF', `${JSON_POST}Content-Length: 2\r\n\r\n{}`.replaceAll('\r\n', '\n') + SMUGGLED],
    ['a NUL in a header', `${JSON_POST}X: a\u0000b\r\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`],
    [
      'a chunk with an invalid length',
      `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n${CHUNKED_END}`,
    ],
    ['no host', `GET /health/live HTTP/1.1\r\n\r\n${SMUGGLED}`],
  ])('is prevented: a request with %s is refused and its connection closed', async (_what, bytes) => {
    const { statuses, text } = await sendRaw(portage.baseUrl, [Buffer.from(bytes, 'latin1')]);
    expect(text).not.toContain('portage_http_request_duration_seconds');
    // If the headers were answered before the invalid body was read, the connection is closed without a second answer.
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect([400, 401]).toContain(status);
  });
});

it('an empty body of any type is no body, and one of another type than JSON is refused', async () => {
  const head = (path: string) =>
    `POST /v2/data-import/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${portage.token}\r\nConnection: close\r\n` +
    'Content-Type: application/x-www-form-urlencoded\r\n';
  for (const path of ['submissions/0/complete/', 'submissions/0/abort/', 'accounts/A/B/cancel/']) {
    const empty = await sendRaw(portage.baseUrl, [`${head(path)}Content-Length: 0\r\n\r\n`]);
    expect([path, empty.statuses]).toEqual([path, [404]]);
    const form = await sendRaw(portage.baseUrl, [`${head(path)}Content-Length: 3\r\n\r\na=b`]);
    expect([path, form.statuses]).toEqual([path, [415]]);
  }
});

it('a request of HTTP/1.0 with chunks is refused, whose end a proxy would find elsewhere', async () => {
  const answer = await sendRaw(portage.baseUrl, [
    `POST /v2/data-import/accounts/ HTTP/1.0\r\nHost: localhost\r\nAuthorization: Token ${portage.token}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ]);
  expect(answer.statuses).toEqual([400]);
  expect(answer.text).toContain('HTTP/1.0 has no Transfer-Encoding');
});
