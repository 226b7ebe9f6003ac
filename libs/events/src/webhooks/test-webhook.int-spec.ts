import type { PortageError } from '@portage/platform';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { type Responder, TestServer } from '@portage/testing/test-server';
import { Webhook } from 'standardwebhooks';
import { TestWebhook } from './test-webhook';
import { type EndpointManager, WebhookEndpoints } from './webhook-endpoints';

const test = useApplication('postgres', {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  QUOTA_WEBHOOK_ATTEMPTS: '1000',
  WEBHOOK_MAX_REPLAY_EVENTS: '3',
});
const processes = new StoredProcesses(test);
let endpoints: WebhookEndpoints;
let tests: TestWebhook;
let answer: (body: string) => string | undefined;
let status = 200;
let receiver: TestServer;

interface Challenge {
  type: string;
  data: { import_supplier: string; webhook_endpoint: string; challenge: string };
}
const challengeOf = (body: string) => (JSON.parse(body) as Challenge).data.challenge;

/** Answers challenges as `answer` says. */
const respond: Responder = ({ body }, response) => {
  response.writeHead(status).end(answer(body));
};

beforeAll(() => {
  endpoints = test.app.get(WebhookEndpoints);
  tests = test.app.get(TestWebhook);
});
beforeEach(async () => {
  status = 200;
  answer = (body) => JSON.stringify({ challenge: challengeOf(body) });
  receiver = await TestServer.start(respond);
});
afterEach(async () => {
  await receiver.stop();
  await processes.sql('TRUNCATE webhook_endpoint, webhook_attempt, rate_limit');
});

/** Operators are not limited in number. */
const operator = { organisationId: undefined, actor: 'operator:Ada' };
const create = async () => endpoints.create(test.caller, { import_supplier: 'LEGACY', url: receiver.url });
const stateOf = async (id: string) => endpoints.show(test.caller, id);

describe('an endpoint', () => {
  it('is verified once its receiver returns a signed challenge', async () => {
    const { id, secret, status: created, verified_at: none } = await create();
    expect([created, none]).toEqual(['UNVERIFIED', null]);
    const result = await tests.verify(test.caller, id);
    expect(result).toEqual({
      event_id: expect.stringMatching(/^challenge_/),
      verified: true,
      status: 200,
      error: null,
      duration_ms: expect.any(Number),
    });
    const { body, headers } = receiver.requests[0]!;
    expect(headers['webhook-id']).toBe(result.event_id);
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      type: 'data_import.webhook_verification-v1',
      timestamp: expect.any(String),
      data: {
        import_supplier: 'LEGACY',
        webhook_endpoint: id,
        challenge: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    expect(await stateOf(id)).toMatchObject({ status: 'ENABLED', verified_at: expect.any(String) });
    const [attempt] = await endpoints.listAttempts(test.caller, id, { limit: 5 });
    expect(attempt).toMatchObject({ type: 'data_import.webhook_verification-v1', status: 200, error: null });
  });

  const FAILURES: [string, number, (body: string) => string | undefined, string][] = [
    ['answers nothing', 204, () => undefined, 'challenge_not_returned'],
    ['answers with another challenge', 200, () => '{"challenge":"other"}', 'challenge_not_returned'],
    ['returns every body as it is', 200, (body) => body, 'challenge_not_returned'],
    ['answers with text', 200, (body) => challengeOf(body), 'challenge_not_returned'],
    [
      'answers with more than 4 kB',
      200,
      (body) => JSON.stringify({ challenge: challengeOf(body), padding: 'x'.repeat(5_000) }),
      'challenge_not_returned',
    ],
    [
      'fails with the challenge',
      500,
      (body) => JSON.stringify({ challenge: challengeOf(body) }),
      'http_status',
    ],
  ];
  it.each(FAILURES)('stays as it is if its receiver %s', async (_what, answered, respond, code) => {
    const { id } = await create();
    status = answered;
    answer = respond;
    expect(await tests.verify(test.caller, id)).toMatchObject({
      verified: false,
      status: answered,
      error: { code, detail: expect.any(String) },
    });
    expect(await stateOf(id)).toMatchObject({ status: 'UNVERIFIED', verified_at: null });
  });

  it('stays verified if a later challenge fails, and each challenge is another one', async () => {
    const { id } = await create();
    await tests.verify(operator, id);
    const { verified_at } = await stateOf(id);
    status = 404;
    expect(await tests.verify(operator, id)).toMatchObject({ verified: false, status: 404 });
    expect(await stateOf(id)).toMatchObject({ status: 'ENABLED', verified_at });
    const challenges = receiver.requests.map(({ body }) => challengeOf(body));
    expect(new Set(challenges).size).toBe(2);
  });

  it('an endpoint that is not verified gets no test', async () => {
    const { id } = await create();
    await expect(tests.send(test.caller, id)).rejects.toMatchObject({
      code: 'webhook_endpoint_not_verified',
    });
    expect(receiver.requests).toEqual([]);
  });

  it('gets ten challenges and tests a minute, however many endpoints there are', async () => {
    const ids = [(await create()).id, (await create()).id];
    const results = [];
    for (let count = 0; count < 14; count += 1)
      results.push(
        await tests.verify(test.caller, ids[count % 2]!).then(
          () => 'sent',
          (error: unknown) => (error as PortageError).code,
        ),
      );
    expect(results).toEqual([...Array<string>(10).fill('sent'), ...Array<string>(4).fill('throttled')]);
    expect(receiver.requests).toHaveLength(10);
  });

  it('keeps its part of the stored attempts, and takes them along when it is deleted', async () => {
    const { id } = await create();
    const other = await create();
    for (let count = 0; count < 60; count += 1) await tests.verify(operator, id);
    await tests.verify(operator, other.id);
    // A twentieth of 1,000, and the one that was added last.
    expect(await endpoints.listAttempts(test.caller, id, { limit: 100 })).toHaveLength(51);
    await endpoints.delete(test.caller, id);
    expect(await processes.sql('SELECT endpoint_id AS id FROM webhook_attempt')).toEqual([{ id: other.id }]);
  });
});

it('a replay goes back a limited number of events, those of operators any number', async () => {
  const { id } = await create();
  const replay = async (manager: EndpointManager) =>
    endpoints.replay(manager, id, 'beginning').then(
      () => 'replayed',
      (error: unknown) => (error as PortageError).members['errors'],
    );
  for (let count = 0; count < 3; count += 1) await processes.inState('ERRORED');
  expect(await replay(test.caller)).toBe('replayed');
  await processes.inState('PROCESSED');
  expect(await replay(test.caller)).toEqual([
    { attr: 'after', code: 'replay_too_long', detail: expect.stringContaining('more than 3 events') },
  ]);
  expect(await replay(operator)).toBe('replayed');
});

it('a change of endpoints is refused after 120 in a minute', async () => {
  const { id } = await create();
  const results = [];
  for (let count = 0; count < 125; count += 1)
    results.push(
      await endpoints.enable(test.caller, id).then(
        () => 'done',
        (error: unknown) => (error as PortageError).code,
      ),
    );
  expect(results.filter((result) => result === 'throttled')).toHaveLength(6);
  await endpoints.enable(operator, id);
});
