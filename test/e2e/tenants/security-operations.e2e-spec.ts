import {
  account,
  LIMITS,
  METRICS_TOKEN,
  newClientAddress,
  SHARED_BULL_BOARD_PASSWORD,
  SharedPortage,
  TestPortage,
} from '@portage/testing';

const PASSWORD = SHARED_BULL_BOARD_PASSWORD;
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const OPERATOR = basic('operator', PASSWORD);
const GUESSES = LIMITS.TOKEN_FAILURES_PER_ADDRESS;
const WINDOW_SECONDS = LIMITS.TOKEN_FAILURE_WINDOW_SECONDS;
// A queue in which no other suite on this Portage has jobs.
const PAUSE = '/queues/api/queues/emails/pause';
const RESUME = '/queues/api/queues/emails/resume';

let portage: SharedPortage;
/** The tests send forwarded addresses like a proxy, so that each test can act as many clients. */
const newAddress = () => ({ 'x-forwarded-for': newClientAddress() });

beforeAll(async () => {
  portage = await SharedPortage.join('limited');
});
afterAll(async () => {
  await portage.leave();
});

describe.each(['the API', 'the worker'])('the metrics of %s', (part) => {
  const read = async (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${part === 'the API' ? portage.baseUrl : portage.workerUrl}/metrics`, { headers });

  it('are served with their token', async () => {
    const answer = await read({ authorization: `Bearer ${METRICS_TOKEN}` });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('process_cpu_seconds_total');
  });

  it.each<[string, () => Record<string, string>]>([
    ['no credentials', () => ({})],
    ['another token', () => ({ authorization: `Bearer ${METRICS_TOKEN.replace('token', 'Token')}` })],
    ['a truncated token', () => ({ authorization: `Bearer ${METRICS_TOKEN.slice(0, -1)}` })],
    ['an extended token', () => ({ authorization: `Bearer ${METRICS_TOKEN}x` })],
    ['another scheme', () => ({ authorization: `Basic ${METRICS_TOKEN}` })],
    ['the token without a scheme', () => ({ authorization: METRICS_TOKEN })],
    ["a supplier's token", () => ({ authorization: `Token ${portage.token}` })],
    ["a supplier's token as bearer token", () => ({ authorization: `Bearer ${portage.token}` })],
    ["the operator's password", () => ({ authorization: OPERATOR })],
  ])('are refused with %s', async (_what, headers) => {
    const answer = await read(headers());
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toEqual({ code: 'not_authenticated', detail: expect.any(String) });
  });
});

describe('Bull Board', () => {
  const send = async (authorization: string | undefined, address: object, method = 'GET', path = '/queues') =>
    portage.send(method, path, { headers: { authorization, ...address } });
  const isPaused = async (): Promise<boolean> => {
    const { body } = await send(OPERATOR, newAddress(), 'GET', '/queues/api/queues');
    return (body.queues as { name: string; isPaused: boolean }[]).find(({ name }) => name === 'emails')!
      .isPaused;
  };

  it('refuses an address after failed attempts, even with the right password, and no other address', async () => {
    const [guesser, visitor] = [newAddress(), newAddress()];
    for (let guess = 1; guess <= GUESSES; guess += 1)
      expect((await send(basic('operator', `guess ${guess}`), guesser)).status).toBe(401);
    const refused = await send(OPERATOR, guesser);
    expect([refused.status, refused.body.code]).toEqual([429, 'throttled']);
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS);
    expect((await send(OPERATOR, visitor)).status).toBe(200);
  });

  it('does not count requests without a password as failed attempts', async () => {
    const visitor = newAddress();
    for (let time = 0; time < GUESSES * 2; time += 1)
      expect((await send(undefined, visitor)).status).toBe(401);
    expect((await send(OPERATOR, visitor)).status).toBe(200);
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a page of another site in an old browser', { origin: 'https://other.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])("refuses changes that %s triggers in the operator's browser", async (_what, headers) => {
    const answer = await send(OPERATOR, { ...newAddress(), ...headers }, 'PUT', PAUSE);
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
    expect(await isPaused()).toBe(false);
  });

  it.each<[string, () => object]>([
    ['its own pages', () => ({ 'sec-fetch-site': 'same-origin', origin: portage.baseUrl })],
    ['its own pages in an old browser', () => ({ origin: portage.baseUrl })],
    ["the operator's script", () => ({})],
  ])('accepts changes from %s', async (_what, headers) => {
    expect((await send(OPERATOR, { ...newAddress(), ...headers() }, 'PUT', PAUSE)).status).toBe(200);
    expect(await isPaused()).toBe(true);
    expect((await send(OPERATOR, { ...newAddress(), ...headers() }, 'PUT', RESUME)).status).toBe(200);
    expect(await isPaused()).toBe(false);
  });

  it('shows queues and refuses changes with BULL_BOARD_READ_ONLY', async () => {
    const readOnly = await TestPortage.start({
      backend: 'postgres',
      workers: 0,
      env: { BULL_BOARD_PASSWORD: PASSWORD, BULL_BOARD_READ_ONLY: 'true' },
    });
    expect((await readOnly.schedule(account('waiting'))).status).toBe(201);
    const sendReadOnly = async (method: string, path: string) =>
      readOnly.send(method, path, { headers: { authorization: OPERATOR } });
    try {
      for (const [method, path] of [
        ['PUT', PAUSE],
        ['PUT', '/queues/api/queues/pause'],
        ['PUT', '/queues/api/queues/account-imports/retry/failed'],
        ['PUT', '/queues/api/queues/account-imports/clean/failed'],
        ['PUT', '/queues/api/queues/account-imports/empty'],
        ['POST', '/queues/api/queues/account-imports/add'],
        ['PUT', '/queues/api/queues/account-imports/1/clean'],
      ] as const) {
        const { status, body } = await sendReadOnly(method, path);
        expect([method, path, status, body.code]).toEqual([method, path, 405, 'method_not_allowed']);
      }
      const { status, body } = await sendReadOnly('GET', '/queues/api/queues');
      const queues = body.queues as { isPaused: boolean; readOnlyMode: boolean }[];
      expect([status, queues.length]).toEqual([200, 6]);
      expect(queues[0]).toMatchObject({ counts: { waiting: 1, failed: 0 } });
      for (const queue of queues) expect(queue).toMatchObject({ isPaused: false, readOnlyMode: true });
    } finally {
      await readOnly.stop();
    }
  });
});
