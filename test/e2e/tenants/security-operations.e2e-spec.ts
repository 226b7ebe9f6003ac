import {
  METRICS_TOKEN,
  newClientAddress,
  type OperatorClient,
  SharedPortage,
  signIn,
} from '@portage/testing';
import { QUEUE_NAMES } from '../../../libs/platform/src/queues/job-contract';

const portage = SharedPortage.use('limited');
let operator: OperatorClient;
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
  it('serves the operator any number of concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, async () => send({})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('only shows the queues, to every role', async () => {
    const changes = [
      ['PUT', 'emails/pause'],
      ['PUT', 'pause'],
      ['PUT', 'account-imports/retry/failed'],
      ['PUT', 'account-imports/empty'],
      ['PUT', 'account-imports/1/clean'],
      ['PUT', 'emails/concurrency'],
      ['POST', 'account-imports/add'],
      ['PATCH', 'account-imports/1/delay'],
    ] as const;
    for (const { headers } of [operator, await signIn(portage, 'viewer', newAddress())]) {
      for (const [method, path] of changes) {
        const { status, body } = await send(headers, method, `/queues/api/queues/${path}`);
        expect([method, path, status, body.code]).toEqual([method, path, 405, 'method_not_allowed']);
      }
      const { status, body } = await send(headers, 'GET', '/queues/api/queues');
      const queues = body.queues as { isPaused: boolean; readOnlyMode: boolean }[];
      expect([status, queues.length]).toEqual([200, QUEUE_NAMES.length]);
      for (const queue of queues) expect(queue).toMatchObject({ isPaused: false, readOnlyMode: true });
    }
  });
});
