import { randomUUID } from 'node:crypto';
import {
  INTENDED_FAILURE,
  METRICS_TOKEN,
  newClientAddress,
  type OperatorSession,
  SharedPortage,
  signIn,
} from '@portage/testing';

// A queue in which no other suite on this Portage has jobs. No other suite changes its queues.
const PAUSE = '/queues/api/queues/emails/pause';
const RESUME = '/queues/api/queues/emails/resume';

const portage = SharedPortage.use('limited');
let operator: OperatorSession;
/** The tests send forwarded addresses like a proxy, so that each test can act as many clients. */
const newAddress = () => ({ 'x-forwarded-for': newClientAddress() });

beforeAll(async () => {
  operator = await signIn(portage, 'operator', newAddress());
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
    ["an operator's session", () => ({ cookie: operator.headers.cookie })],
  ])('are refused with %s', async (_what, headers) => {
    const answer = await read(headers());
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toEqual({ code: 'not_authenticated', detail: expect.any(String) });
  });
});

describe('Bull Board', () => {
  const send = async (headers: object, method = 'GET', path = '/queues') =>
    portage.send(method, path, { headers: { ...operator.headers, ...headers } });
  const isPaused = async (): Promise<boolean> => {
    const { body } = await send({}, 'GET', '/queues/api/queues');
    return (body.queues as { name: string; isPaused: boolean }[]).find(({ name }) => name === 'emails')!
      .isPaused;
  };

  it('serves the operator any number of concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, async () => send({})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is seen by viewers, and changed by operators only', async () => {
    const viewer = await signIn(portage, 'viewer', newAddress());
    const fromBoard = { ...viewer.headers, 'sec-fetch-site': 'same-origin', 'x-csrf-token': undefined };
    expect((await send(fromBoard, 'GET', '/queues/api/queues')).status).toBe(200);
    const { status, body } = await send(fromBoard, 'PUT', PAUSE);
    expect([status, body.code]).toEqual([403, 'operator_role_required']);
    expect(await isPaused()).toBe(false);
  });

  it('records each change with its operator, its queue and its job, before it is made', async () => {
    const entries = async () =>
      (
        (await portage.operator('audit', 'list', '--actor', `operator:${operator.name}`)) as Record<
          string,
          unknown
        >[]
      ).map(({ action, subject, details }) => [action, subject, details]);
    const earlier = (await entries()).length;
    const change = async (method: string, path: string, body?: object) =>
      portage.send(method, `/queues/api/queues/${path}`, {
        headers: operator.headers,
        ...(body && { body }),
      });
    await change('PUT', 'emails/pause');
    await change('PUT', 'emails/resume');
    await change('PUT', 'emails/concurrency', { concurrency: 3 });
    await change('PUT', 'emails/concurrency', { concurrency: null });
    expect((await change('PUT', 'account-imports/no-such-job/retry')).status).toBe(404);
    await change('PUT', 'account-imports/retry/failed');
    const added = await entries();
    expect(added.slice(0, added.length - earlier).reverse()).toEqual([
      ['queue.pause', 'emails', {}],
      ['queue.resume', 'emails', {}],
      ['queue.concurrency', 'emails', { concurrency: 3 }],
      ['queue.concurrency', 'emails', { concurrency: null }],
      ['job.retry', 'account-imports', { job_id: 'no-such-job' }],
      ['queue.retry', 'account-imports', { status: 'failed' }],
    ]);
  });

  it('makes no change that it cannot record', async () => {
    await portage.sql(`
      CREATE FUNCTION fail_pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cannot record'; END $$;
      CREATE TRIGGER fail_pause BEFORE INSERT ON audit_entry
        FOR EACH ROW WHEN (NEW.action = 'queue.pause') EXECUTE FUNCTION fail_pause()`);
    try {
      const requestId = { 'x-request-id': `${INTENDED_FAILURE}-${randomUUID()}` };
      const { status } = await send(requestId, 'PUT', PAUSE);
      expect(status).toBe(500);
      expect(await isPaused()).toBe(false);
    } finally {
      await portage.sql('DROP FUNCTION fail_pause CASCADE');
    }
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a page of another site in an old browser', { origin: 'https://other.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a request that names neither origin nor token', {}],
  ])("refuses changes that %s triggers in the operator's browser", async (_what, headers) => {
    const answer = await send({ 'x-csrf-token': undefined, ...headers }, 'PUT', PAUSE);
    expect([answer.status, answer.body.code]).toEqual([403, 'csrf_token_invalid']);
    expect(await isPaused()).toBe(false);
  });

  it.each<[string, () => object]>([
    [
      'its own pages',
      () => ({ 'sec-fetch-site': 'same-origin', origin: portage.baseUrl, 'x-csrf-token': undefined }),
    ],
    ['its own pages in an old browser', () => ({ origin: portage.baseUrl, 'x-csrf-token': undefined })],
    ["the operator's script, with the token of the session", () => ({})],
  ])('accepts changes from %s', async (_what, headers) => {
    expect((await send(headers(), 'PUT', PAUSE)).status).toBe(200);
    expect(await isPaused()).toBe(true);
    expect((await send(headers(), 'PUT', RESUME)).status).toBe(200);
    expect(await isPaused()).toBe(false);
  });
});
