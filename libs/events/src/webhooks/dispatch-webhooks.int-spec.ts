import { randomUUID } from 'node:crypto';
import { AuditRepository, type Clock, Database, Logger, Metrics, systemClock } from '@portage/platform';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import { until, untilFeedIsCurrent } from '@portage/testing';
import { StoredProcesses, TestSubmission, useApplication } from '@portage/testing/application';
import { ManualClock } from '@portage/testing/manual-clock';
import { hangUp, json, type ReceivedRequest, type Responder, silent } from '@portage/testing/test-server';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';
import { Webhook } from 'standardwebhooks';
import { BEGINNING } from '../feed/event-position';
import { FinishSubmissions } from '../feed/finish-submissions';
import { EventFeedRepository } from '../feed/event-feed.repository';
import { WebhookDispatchRepository } from './webhook-dispatch.repository';
import { WebhookSender } from './webhook-sender';
import type { ResolveName } from './checked-lookup';
import { AttemptDelivery } from './attempt-delivery';
import type { EventType } from '../feed/event-type';
import { DispatchWebhooks } from './dispatch-webhooks';
import { ObserveWebhooks } from './observe-webhooks';
import { LEASE_MS, ServeWebhookEndpoint } from './serve-webhook-endpoint';
import { TestWebhook } from './test-webhook';
import { WebhookEndpoints } from './webhook-endpoints';
import { WebhookSecrets } from './webhook-secrets';

const SETTINGS = { WEBHOOK_ALLOW_HTTP: true, WEBHOOK_ALLOWED_NETWORKS: ['127.0.0.1/32'] };
const LIMITS = { timeoutMs: 60_000, maxResponseBytes: 65_536 };
/** The time of an attempt that a receiver does not answer. */
const SHORT_MS = 1_000;
const TYPES: EventType[] = ['data_import.import_process.error-v1', 'data_import.import_process.complete-v1'];
const HOUR_MS = 3_600_000;
const RATES = { WEBHOOK_EVENTS_PER_SECOND: 1_000, QUOTA_WEBHOOK_ATTEMPTS: 100_000 };

const test = useApplication('postgres', {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
});
const processes = new StoredProcesses(test);
let endpoints: WebhookEndpoints;
const receivers: WebhookReceiver[] = [];

beforeAll(() => {
  endpoints = test.app.get(WebhookEndpoints);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map(async (receiver) => receiver.stop()));
  await processes.sql('TRUNCATE webhook_endpoint, webhook_attempt');
});

/** One dispatcher, as a worker has. */
function dispatcherWith(
  clock: Clock = systemClock,
  resolve?: ResolveName,
  rates = RATES,
  timeoutMs = LIMITS.timeoutMs,
): DispatchWebhooks {
  const { app } = test;
  const dispatch = app.get(WebhookDispatchRepository);
  const secrets = app.get(WebhookSecrets);
  const sender = new WebhookSender(SETTINGS, {
    limits: { ...LIMITS, timeoutMs },
    ...(resolve ? { resolve } : {}),
  });
  const serving = new ServeWebhookEndpoint(
    app.get(EventFeedRepository),
    dispatch,
    sender,
    app.get(AttemptDelivery),
    app.get(Database),
    app.get(AuditRepository),
    clock,
    rates,
  );
  return new DispatchWebhooks(dispatch, serving, secrets, app.get(Logger), clock);
}

async function runOnce(dispatcher: DispatchWebhooks): Promise<number> {
  const claimed = await dispatcher.start(new AbortController().signal);
  await dispatcher.drain();
  return claimed;
}

/** Runs a dispatcher until the condition holds: a transaction of another suite can hold the feed back for moments. */
async function dispatchUntil(
  isDone: () => boolean | Promise<boolean>,
  dispatcher: DispatchWebhooks,
): Promise<void> {
  await until(
    async () => {
      await runOnce(dispatcher);
      return isDone();
    },
    () =>
      `The events were not delivered: ${JSON.stringify(receivers.map(({ requests }) => idsOf(requests)))}`,
  );
}

const accept = json(204);

async function receiver(respond: Responder = accept): Promise<WebhookReceiver> {
  const one = await WebhookReceiver.start(respond);
  receivers.push(one);
  return one;
}

/** Creates an endpoint that gets the events from here on, and none that a transaction of another suite holds back. */
async function create(url: string, more: object = {}) {
  await untilFeedIsCurrent(async (text) => processes.sql(text));
  const created = await createUnverified(url, more);
  await processes.sql('UPDATE webhook_endpoint SET verified_at = now() WHERE id = $1', [created.id]);
  return created;
}

const createUnverified = async (url: string, more: object = {}) =>
  endpoints.create(test.caller, { import_supplier: 'LEGACY', url, types: TYPES, ...more });

const idsOf = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ headers }) => headers['webhook-id'] as string);

/** Imports accounts, and fails some of them. Returns the ids of their events in the order of the feed. */
async function addEvents(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const state = index % 3 === 2 ? 'ERRORED' : 'PROCESSED';
    const { processId, version } = await processes.inState(state);
    ids.push(`evt_${processId}_${version}_1_${state.toLowerCase()}`);
  }
  return ids;
}

async function stateOf(id: string) {
  return endpoints.show(test.caller, id);
}

describe('events', () => {
  it('are delivered once each, in the order of the feed, signed, with the body of the feed', async () => {
    const target = await receiver();
    const { id, secret } = await create(target.url);
    const ids = await addEvents(12);
    // A connection that is not used for five seconds is closed, and a transaction of another suite could take longer.
    await untilFeedIsCurrent(async (text) => processes.sql(text));
    await dispatchUntil(() => target.requests.length >= ids.length, dispatcherWith());
    expect(idsOf(target.requests)).toEqual(ids);
    expect(target.connectionCount).toBe(1);
    const [first] = target.requests;
    expect(new Webhook(secret).verify(first!.body, first!.headers as Record<string, string>)).toEqual({
      type: 'data_import.import_process.complete-v1',
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}\+00:00$/),
      data: {
        import_supplier: 'LEGACY',
        external_account_number: expect.any(String),
        external_identifier: expect.any(String),
        platform_account_number: expect.any(String),
        submission: null,
        error: null,
      },
    });
    const attempts = await endpoints.listAttempts(test.caller, id, { limit: 100 });
    expect(attempts.map(({ event_id }) => event_id)).toEqual([...ids].reverse());
    expect(attempts[0]).toMatchObject({ attempt: 1, status: 204, error: null });
    // Nothing is left to do.
    await dispatchUntil(async () => (await runOnce(dispatcherWith())) === 0, dispatcherWith());
    expect(target.requests).toHaveLength(ids.length);
  });

  it('an endpoint gets no events of other types, and none from before its creation', async () => {
    await addEvents(3);
    const target = await receiver();
    await create(target.url, { types: ['data_import.import_process.error-v1'] });
    const ids = await addEvents(6);
    await dispatchUntil(() => target.requests.length >= 2, dispatcherWith());
    expect(idsOf(target.requests)).toEqual(ids.filter((id) => id.endsWith('errored')));
  });

  it('are not delivered before the endpoint is verified, and then from its creation on', async () => {
    await untilFeedIsCurrent(async (text) => processes.sql(text));
    const target = await receiver();
    const { id } = await createUnverified(target.url);
    const ids = await addEvents(3);
    await untilFeedIsCurrent(async (text) => processes.sql(text));
    expect(await runOnce(dispatcherWith())).toBe(0);
    await test.app.get(ObserveWebhooks).observe();
    expect(await test.app.get(Metrics).registry.metrics()).not.toContain(`endpoint="${id}"`);
    expect(await test.app.get(TestWebhook).verify(test.caller, id)).toMatchObject({ verified: true });
    await dispatchUntil(() => target.requests.length >= 3, dispatcherWith());
    expect(idsOf(target.requests)).toEqual(ids);
  });

  it('are delivered again after a replay, with their ids', async () => {
    const target = await receiver();
    const { id, cursor } = await create(target.url);
    const ids = await addEvents(3);
    await dispatchUntil(() => target.requests.length >= 3, dispatcherWith());
    await endpoints.replay(test.caller, id, cursor);
    await dispatchUntil(() => target.requests.length >= 6, dispatcherWith());
    expect(idsOf(target.requests)).toEqual([...ids, ...ids]);
  });
});

describe('a receiver that', () => {
  it.each<[string, Responder, object]>([
    ['answers 500', json(500), { status: 500, error: 'http_status' }],
    ['hangs', silent, { status: null, error: 'timeout' }],
    ['closes the connection', hangUp, { status: null, error: 'connection_closed' }],
    [
      'redirects',
      json(302, undefined, { location: 'http://127.0.0.1:1/' }),
      { status: 302, error: 'http_status' },
    ],
  ])(
    '%s gets the event again after the pause, and nothing that follows before it',
    async (_what, fail, attempt) => {
      let isFailing = true;
      const target = await receiver((request, response) => {
        (isFailing ? fail : accept)(request, response);
      });
      const clock = new ManualClock();
      const dispatcher = dispatcherWith(clock);
      const { id } = await create(target.url);
      const ids = await addEvents(2);
      // One of the receivers hangs.
      await dispatchUntil(
        () => target.requests.length >= 1,
        dispatcherWith(clock, undefined, RATES, SHORT_MS),
      );
      const failing = await stateOf(id);
      expect(failing).toMatchObject({ status: 'ENABLED', failing_since: expect.any(String) });
      const pauseMs = new Date(failing.next_attempt_at!).getTime() - clock.now().getTime();
      expect(pauseMs).toBeGreaterThanOrEqual(4_500);
      expect(pauseMs).toBeLessThanOrEqual(5_500);
      expect((await endpoints.listAttempts(test.caller, id, { limit: 9 }))[0]).toMatchObject(attempt);

      clock.advance(4_000);
      expect(await runOnce(dispatcher)).toBe(0);
      isFailing = false;
      clock.moveTo(failing.next_attempt_at!);
      await dispatchUntil(() => target.requests.length >= 3, dispatcher);
      expect(idsOf(target.requests)).toEqual([ids[0], ids[0], ids[1]]);
      expect(await stateOf(id)).toMatchObject({ failing_since: null, next_attempt_at: null });
    },
  );

  it('answers 410 is disabled at once, which the audit and the metrics say', async () => {
    const target = await receiver(json(410));
    const { id } = await create(target.url);
    await addEvents(1);
    await dispatchUntil(() => target.requests.length >= 1, dispatcherWith());
    expect(await stateOf(id)).toMatchObject({
      status: 'DISABLED',
      disabled_reason: 'gone',
      disabled_at: expect.any(String),
    });
    expect(await runOnce(dispatcherWith())).toBe(0);
    const [entry] = await processes.sql(
      `SELECT actor, action, details FROM audit_entry WHERE subject = $1 ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(entry).toMatchObject({
      actor: 'service:webhooks',
      action: 'webhook.disable',
      details: { reason: 'gone', attempts: 1, status: 410 },
    });
    await test.app.get(ObserveWebhooks).observe();
    const exposed = await test.app.get(Metrics).registry.metrics();
    expect(exposed).toContain(
      `portage_webhook_endpoint_disabled{supplier="LEGACY",endpoint="${id}",reason="gone"} 1`,
    );
    expect(exposed).not.toContain(`portage_webhook_lag_seconds{supplier="LEGACY",endpoint="${id}"}`);
  });

  it('is down for two days gets everything in the order of the feed once it is back', async () => {
    let isDown = true;
    const target = await receiver((...exchange) => {
      (isDown ? hangUp : accept)(...exchange);
    });
    const clock = new ManualClock();
    const dispatcher = dispatcherWith(clock);
    const { id } = await create(target.url);
    const ids = await addEvents(2);
    const end = clock.now().getTime() + 48 * HOUR_MS;
    await dispatchUntil(() => target.requests.length >= 1, dispatcher);
    for (let attempts = 2; ; attempts += 1) {
      const { next_attempt_at } = await stateOf(id);
      if (new Date(next_attempt_at!).getTime() > end) break;
      ids.push(...(await addEvents(1)));
      clock.moveTo(next_attempt_at!);
      await dispatchUntil(() => target.requests.length >= attempts, dispatcher);
    }
    // Every attempt was one of the first event.
    expect(new Set(idsOf(target.requests))).toEqual(new Set([ids[0]]));
    expect(target.requests.length).toBeGreaterThanOrEqual(7);
    expect((await stateOf(id)).status).toBe('ENABLED');
    await test.app.get(ObserveWebhooks).observe();
    expect(await test.app.get(Metrics).registry.metrics()).toMatch(
      new RegExp(`portage_webhook_lag_seconds\\{supplier="LEGACY",endpoint="${id}"\\} 0\\.\\d|[1-9]`),
    );

    isDown = false;
    target.requests.length = 0;
    clock.moveTo(new Date(end));
    // The supplier does not wait for the next attempt.
    await endpoints.enable(test.caller, id);
    await dispatchUntil(() => target.requests.length >= ids.length, dispatcher);
    expect(idsOf(target.requests)).toEqual(ids);
  });

  it('is down for three days is disabled, and gets everything in the order of the feed once it is enabled', async () => {
    let isDown = true;
    const target = await receiver((_request, response) => response.writeHead(isDown ? 503 : 200).end());
    const clock = new ManualClock();
    const dispatcher = dispatcherWith(clock);
    const { id } = await create(target.url);
    const ids = await addEvents(2);
    const startedAt = clock.now().getTime();
    await dispatchUntil(() => target.requests.length >= 1, dispatcher);
    for (let attempts = 2; (await stateOf(id)).status === 'ENABLED'; attempts += 1) {
      clock.moveTo((await stateOf(id)).next_attempt_at!);
      await dispatchUntil(() => target.requests.length >= attempts, dispatcher);
    }
    expect(clock.now().getTime() - startedAt).toBe(72 * HOUR_MS);
    expect(await stateOf(id)).toMatchObject({ disabled_reason: 'failing', next_attempt_at: null });
    const [entry] = await processes.sql<{ details: object }>(
      `SELECT details FROM audit_entry WHERE subject = $1 AND actor = 'service:webhooks' ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(entry!.details).toMatchObject({
      reason: 'failing',
      event: ids[0],
      // The pauses are random within a tenth.
      attempts: target.requests.length,
      status: 503,
    });

    ids.push(...(await addEvents(2)));
    clock.advance(24 * HOUR_MS);
    expect(await runOnce(dispatcher)).toBe(0);
    isDown = false;
    target.requests.length = 0;
    await endpoints.enable(test.caller, id);
    await dispatchUntil(() => target.requests.length >= ids.length, dispatcher);
    expect(idsOf(target.requests)).toEqual(ids);
  });

  it('does not answer holds up no other endpoint', async () => {
    const dead = await receiver(silent);
    const alive = await receiver();
    await create(dead.url);
    await create(alive.url);
    const ids = await addEvents(5);
    const dispatcher = dispatcherWith();
    const stop = new AbortController();
    const startedAt = Date.now();
    await until(async () => {
      await dispatcher.start(stop.signal);
      return alive.requests.length >= ids.length;
    }, 'The other endpoint was delayed.');
    // The dead one has had no more than its first attempts.
    expect(idsOf(dead.requests).filter((id) => id !== ids[0])).toEqual([]);
    expect(idsOf(alive.requests)).toEqual(ids);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    stop.abort();
    dead.cut();
    await dispatcher.drain();
  });
});

describe('several dispatchers', () => {
  it('send at most one request to an endpoint at the same time, and no event twice', async () => {
    let active = 0;
    let maxActive = 0;
    const target = await receiver((_request, response) => {
      active += 1;
      maxActive = Math.max(maxActive, active);
      setImmediate(() => {
        active -= 1;
        response.writeHead(204).end();
      });
    });
    await create(target.url);
    const dispatchers = Array.from({ length: 4 }, () => dispatcherWith());
    const ids: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const [added] = await Promise.all([addEvents(6), ...dispatchers.map(runOnce)]);
      ids.push(...added);
    }
    await until(
      async () => {
        await Promise.all(dispatchers.map(runOnce));
        return target.requests.length >= ids.length;
      },
      () => `${target.requests.length} of ${ids.length} events were delivered.`,
    );
    expect(maxActive).toBe(1);
    expect(idsOf(target.requests)).toEqual(ids);
  });

  it.each([
    ['two endpoints of an organisation with one host', ['a', 'a', 'a', 'a'], 2],
    ['four endpoints of an organisation', ['a', 'a', 'a', 'b', 'b', 'c', 'd'], 4],
    ['endpoints of a host behind those of another', ['a', 'a', 'a', 'a', 'a', 'b'], 3],
  ])('serve %s at the same time', async (_what, hosts, expected) => {
    const target = await receiver(silent);
    for (const host of hosts) await create(`http://${host}.test:${target.port}/`);
    await addEvents(1);
    const stop = new AbortController();
    const resolve = async () => Promise.resolve(['127.0.0.1']);
    const dispatchers = [dispatcherWith(systemClock, resolve), dispatcherWith(systemClock, resolve)];
    let claimed = 0;
    await until(async () => {
      for (const dispatcher of dispatchers) claimed += await dispatcher.start(stop.signal);
      return claimed > 0;
    }, 'No endpoint was claimed.');
    for (const dispatcher of dispatchers) claimed += await dispatcher.start(stop.signal);
    expect(claimed).toBe(expected);
    stop.abort();
    target.cut();
    await Promise.all(dispatchers.map(async (dispatcher) => dispatcher.drain()));
  });

  it('keep the rate of an endpoint, within a turn and between turns', async () => {
    const times: number[] = [];
    const target = await receiver((_request, response) => {
      times.push(performance.now());
      response.writeHead(204).end();
    });
    const { id, cursor } = await create(target.url);
    await addEvents(30);
    const dispatcher = dispatcherWith(systemClock, undefined, { ...RATES, WEBHOOK_EVENTS_PER_SECOND: 50 });
    await dispatchUntil(() => times.length >= 30, dispatcher);
    // Thirty events take 29 pauses of 20 ms, less what late timers made up for.
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(540);
    await endpoints.replay({ organisationId: undefined, actor: 'operator:Ada' }, id, cursor);
    await dispatchUntil(() => times.length >= 60, dispatcher);
    const inAnySecond = times.map(
      (from) => times.filter((time) => time >= from && time < from + 1_000).length,
    );
    expect(Math.max(...inAnySecond)).toBeLessThanOrEqual(54);
  });

  it('keep the last attempts of an endpoint only, however many there were', async () => {
    const target = await receiver();
    const { id } = await create(target.url);
    const other = await createUnverified(target.url);
    for (const [endpoint, count] of [
      [other.id, 1],
      [id, 1500],
    ])
      await processes.sql(
        `INSERT INTO webhook_attempt (endpoint_id, event_id, event_type, number, status, duration_ms, occurred_at)
         SELECT $1, 'evt_' || n, 'type', 1, 204, 5, now() FROM generate_series(1, $2::integer) n`,
        [endpoint, count],
      );
    const dispatcher = dispatcherWith(systemClock, undefined, { ...RATES, QUOTA_WEBHOOK_ATTEMPTS: 1_000 });
    const ids = await addEvents(6);
    await dispatchUntil(() => target.requests.length >= 6, dispatcher);
    expect(await test.countRows('webhook_attempt')).toBeLessThan(600);
    ids.push(...(await addEvents(6)));
    await dispatchUntil(() => target.requests.length >= 12, dispatcher);
    expect(await test.countRows('webhook_attempt')).toBeLessThan(70);
    const last = await endpoints.listAttempts(test.caller, id, { limit: 12 });
    expect(last.map(({ event_id }) => event_id)).toEqual(ids.toReversed());
    expect(await endpoints.listAttempts(test.caller, other.id, { limit: 12 })).toHaveLength(1);
  });

  it('take over from one that was killed, which cannot store anything late', async () => {
    const target = await receiver();
    const { id } = await create(target.url);
    const ids = await addEvents(3);
    const dispatch = test.app.get(WebhookDispatchRepository);
    const killed = 'c0ffee00-0000-4000-8000-000000000000';
    await until(
      async () =>
        (
          await dispatch.claim(new Date(), killed, {
            limit: 1,
            maxOfOrganisation: 4,
            maxOfHost: 2,
            leaseMs: LEASE_MS,
          })
        ).length === 1,
      'The endpoint was not claimed.',
    );
    expect(await runOnce(dispatcherWith())).toBe(0);
    expect(target.requests).toHaveLength(0);
    await processes.sql('UPDATE webhook_endpoint SET lease_until = now()');
    await dispatchUntil(() => target.requests.length >= ids.length, dispatcherWith());
    expect(idsOf(target.requests)).toEqual(ids);

    const before = await stateOf(id);
    const late = {
      position: BEGINNING,
      attempts: 0,
      failingSince: null,
      nextAttemptAt: null,
      disabled: null,
      made: [],
      maxStored: 100,
    };
    expect(await dispatch.store({ id, token: killed, revision: 1 }, late, LEASE_MS)).toBe(false);
    expect(await stateOf(id)).toEqual(before);
  });

  const claim = async (limits: object, token: string = randomUUID()) => {
    await untilFeedIsCurrent(async (text) => processes.sql(text));
    return claimNow(limits, token);
  };
  const claimNow = async (limits: object, token: string = randomUUID()) => {
    const claimed = await test.app.get(WebhookDispatchRepository).claim(new Date(), token, {
      limit: 10,
      maxOfOrganisation: 4,
      maxOfHost: 4,
      leaseMs: LEASE_MS,
      ...limits,
    });
    return claimed.map(({ id }) => id);
  };

  it('claim endpoints whose own supplier has new events, and count those of an organisation by themselves', async () => {
    await test.app.get(Organisations).create('Other Ltd');
    const other = await test.app.get(ImportSuppliers).create('OTHER', 'Other Ltd', {});
    const caller = { organisationId: other.organisationId, actor: 'api-key:other' };
    const url = 'http://a.test:8080/';
    const own = [(await create(url)).id, (await create(url)).id];
    const theirs = await endpoints.create(caller, { import_supplier: 'OTHER', url, types: TYPES });
    await processes.sql('UPDATE webhook_endpoint SET verified_at = now()');
    await addEvents(1);
    const limits = { maxOfOrganisation: 1, maxOfHost: 1 };
    const [first, ...more] = await claim(limits);
    expect(own).toContain(first);
    expect(more).toEqual([]);
    const submission = await TestSubmission.open(test, 'OF-LEGACY');
    await submission.complete();
    await test.app.get(FinishSubmissions).run();
    expect(await claim(limits)).toEqual([]);
    await processes.inState('PROCESSED', { supplierId: other.id });
    expect(await claim(limits)).toEqual([theirs.id]);
  });

  it('store and give back one endpoint of those that they have claimed together', async () => {
    const ids = [(await create('http://a.test:8080/')).id, (await create('http://a.test:8080/')).id];
    await addEvents(1);
    const token = randomUUID();
    expect((await claim({}, token)).sort()).toEqual(ids.toSorted());
    const [one, other] = ids as [string, string];
    const dispatch = test.app.get(WebhookDispatchRepository);
    const before = await stateOf(other);
    const failed = {
      position: BEGINNING,
      attempts: 3,
      failingSince: new Date(),
      nextAttemptAt: null,
      disabled: null,
      made: [],
      maxStored: 100,
    };
    expect(await dispatch.store({ id: one, token, revision: 1 }, failed, LEASE_MS)).toBe(true);
    expect(await stateOf(other)).toEqual(before);
    await dispatch.release({ id: one, token: randomUUID() });
    expect(await claim({})).toEqual([]);
    await dispatch.release({ id: one, token });
    expect(await claim({})).toEqual([one]);
  });

  it('claim one that was given back beside one of its host that is still served', async () => {
    for (let count = 0; count < 2; count += 1) await create('http://a.test:8080/');
    await addEvents(1);
    const token = randomUUID();
    const ids = (await claim({}, token)).toSorted();
    await test.app.get(WebhookDispatchRepository).release({ id: ids[1]!, token });
    expect(await claim({ maxOfOrganisation: 2, maxOfHost: 2 })).toEqual([ids[1]]);
    const elsewhere = await create('http://b.test:8080/');
    await addEvents(1);
    expect(await claim({ maxOfHost: 1 })).toEqual([elsewhere.id]);
  });

  it('do not count one that was disabled while it was served', async () => {
    const ids = [(await create('http://a.test:8080/')).id, (await create('http://a.test:8080/')).id];
    await addEvents(1);
    const limits = { maxOfOrganisation: 1, maxOfHost: 1 };
    const [served] = await claim(limits);
    await processes.sql(
      `UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'gone', disabled_at = now() WHERE id = $1`,
      [served],
    );
    const others = ids.filter((id) => id !== served);
    expect(await claim(limits)).toEqual(others);
    await processes.sql('UPDATE webhook_endpoint SET lease_until = NULL, lease_token = NULL');
    expect(await claim(limits)).toEqual(others);
  });

  it('claim an endpoint for the end of a submission, once it is due, and not again for what it has read', async () => {
    const { id } = await create('http://a.test:8080/');
    expect(await claim({})).toEqual([]);
    await (await TestSubmission.open(test, 'NEW-END')).complete();
    await test.app.get(FinishSubmissions).run();
    const claimAfter = async (change: string) => {
      await processes.sql(`UPDATE webhook_endpoint SET lease_until = NULL, lease_token = NULL, ${change}`);
      return claim({});
    };
    expect(await claimAfter(`next_attempt_at = now() + interval '1 minute'`)).toEqual([]);
    expect(await claimAfter(`next_attempt_at = now() - interval '1 second'`)).toEqual([id]);
    const after = '(SELECT max(transaction_id) + 1 FROM submission_event)';
    expect(
      await claimAfter(`position = jsonb_set(position::jsonb, '{transaction}', to_jsonb(${after}::text))`),
    ).toEqual([]);
  });

  it('claim the endpoints first that have waited longest', async () => {
    const ids = [(await create('http://a.test:8080/')).id, (await create('http://a.test:8080/')).id];
    await addEvents(1);
    for (const limits of [{ limit: 1 }, { maxOfHost: 1 }, { maxOfOrganisation: 1 }])
      for (const longest of ids) {
        await processes.sql(
          `UPDATE webhook_endpoint SET lease_until = NULL, lease_token = NULL,
             claimed_at = now() - CASE WHEN id = $1 THEN interval '2 hours' ELSE interval '1 hour' END`,
          [longest],
        );
        expect(await claim(limits)).toEqual([longest]);
      }
  });

  it('leave out an endpoint that a request is changing, without waiting', async () => {
    const { id } = await create('http://a.test:8080/');
    await addEvents(1);
    await untilFeedIsCurrent(async (text) => processes.sql(text));
    await test.app.get(Database).transaction(async ({ manager }) => {
      await manager.query('SELECT FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE', [id]);
      expect(await claimNow({})).toEqual([]);
    });
    expect(await claim({})).toEqual([id]);
  });

  it('store nothing over a replay or a change that came meanwhile', async () => {
    let onRequest: () => Promise<unknown> = async () => Promise.resolve();
    const target = await receiver((_request, response) => {
      void onRequest().then(() => response.writeHead(204).end());
    });
    const { id, cursor } = await create(target.url);
    const ids = await addEvents(3);
    let isReplayed = false;
    onRequest = async () => {
      if (target.requests.length !== 2 || isReplayed) return;
      isReplayed = true;
      await endpoints.replay(test.caller, id, cursor);
    };
    await dispatchUntil(() => idsOf(target.requests).lastIndexOf(ids[2]!) > 2, dispatcherWith());
    // After the replay the events come again from its cursor, in their order.
    expect(idsOf(target.requests).slice(-3)).toEqual(ids);
  });
});

it('a secret is rotated without a failed verification: both sign for 24 hours', async () => {
  const accepted: string[] = [];
  let trusted = '';
  const target = await receiver(({ body, headers }, response) => {
    try {
      new Webhook(trusted).verify(body, headers as Record<string, string>);
      accepted.push(headers['webhook-id'] as string);
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
  // The clock of the signature is the real one, which the library compares with its own.
  const dispatcher = dispatcherWith();
  const { id, secret } = await create(target.url);
  trusted = secret;
  const ids = await addEvents(2);
  await dispatchUntil(() => target.requests.length >= 2, dispatcher);
  const rotated = await endpoints.rotateSecret(test.caller, id);
  expect(rotated.secret).not.toBe(secret);
  expect(new Date(rotated.previous_secret_until!).getTime() - Date.now()).toBeGreaterThan(23.9 * HOUR_MS);
  // The receiver knows only the old secret, then only the new one.
  ids.push(...(await addEvents(2)));
  await dispatchUntil(() => target.requests.length >= 4, dispatcher);
  trusted = rotated.secret;
  ids.push(...(await addEvents(2)));
  await dispatchUntil(() => target.requests.length >= 6, dispatcher);
  expect(accepted).toEqual(ids);

  await processes.sql(`UPDATE webhook_endpoint SET previous_secret_until = now()`);
  await addEvents(1);
  await dispatchUntil(() => target.requests.length >= 7, dispatcher);
  expect(target.requests.at(-1)!.headers['webhook-signature']).not.toContain(' ');
  expect(await stateOf(id)).toMatchObject({ previous_secret_until: null });
});

it('an endpoint whose secret cannot be read fails, and goes on once the secret was rotated', async () => {
  const target = await receiver();
  const { id } = await create(target.url);
  const ids = await addEvents(1);
  await processes.sql(
    `UPDATE webhook_endpoint SET secret = '\\x0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'`,
  );
  await dispatchUntil(async () => (await stateOf(id)).failing_since !== null, dispatcherWith());
  expect((await endpoints.listAttempts(test.caller, id, { limit: 1 }))[0]).toMatchObject({
    error: 'secret_unreadable',
  });
  await endpoints.rotateSecret(test.caller, id);
  await dispatchUntil(() => target.requests.length >= 1, dispatcherWith());
  expect(idsOf(target.requests)).toEqual(ids);
});
