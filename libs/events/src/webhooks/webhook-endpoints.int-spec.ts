import type { PortageError } from '@portage/platform';
import { untilFeedIsCurrent } from '@portage/testing';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { EraseWebhookAttempts } from './erase-webhook-attempts';
import { WebhookEndpoints } from './webhook-endpoints';

const URL_TEXT = 'https://hooks.example.com/portage?token=of-the-receiver';

const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada' });
const processes = new StoredProcesses(test);
let endpoints: WebhookEndpoints;

beforeAll(() => {
  endpoints = test.app.get(WebhookEndpoints);
});
afterEach(async () => {
  await processes.sql('TRUNCATE webhook_endpoint, webhook_attempt');
});

const create = async (more: object = {}) =>
  endpoints.create(test.caller, { import_supplier: 'LEGACY', url: URL_TEXT, ...more });

const caughtUp = async () => untilFeedIsCurrent(async (text) => processes.sql(text));

const errorsOf = async (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) =>
      ((error as PortageError).members['errors'] as { attr: string; code: string }[]).map(
        ({ attr, code }) => `${attr}: ${code}`,
      ),
  );

describe('a webhook endpoint', () => {
  it('is created with the types of submissions and errors, and gets the events from then on', async () => {
    await processes.inState('ERRORED');
    await caughtUp();
    const { secret: _secret, ...created } = await create({ description: 'Billing' });
    expect(created).toEqual({
      id: expect.stringMatching(/^\d+$/),
      import_supplier: 'LEGACY',
      url: URL_TEXT,
      types: [
        'data_import.import_process.error-v1',
        'data_import.import_process.dry_run_error-v1',
        'data_import.import_process.post_import.error-v1',
        'data_import.import_process.correction_error-v1',
        'data_import.submission.finished-v1',
        'data_import.submission.aborted-v1',
      ],
      description: 'Billing',
      status: 'UNVERIFIED',
      verified_at: null,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      next_attempt_at: null,
      cursor: expect.any(String),
      previous_secret_until: null,
      created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    });
    const [stored] = await processes.sql<{ position: { transaction: string } }>(
      'SELECT position FROM webhook_endpoint',
    );
    const [last] = await processes.sql<{ transaction: string }>(
      'SELECT max(transaction_id) AS transaction FROM import_process_event',
    );
    expect(BigInt(stored!.position.transaction)).toBeGreaterThan(BigInt(last!.transaction));
  });

  it('has a secret that is shown once and stored encrypted', async () => {
    const { id, secret } = await create();
    expect(secret).toMatch(/^whsec_/);
    expect(await endpoints.show(test.caller, id)).not.toHaveProperty('secret');
    expect(await endpoints.list(test.organisationId, 'LEGACY')).toEqual([
      expect.not.objectContaining({ secret: expect.anything() }),
    ]);
    const [row] = await processes.sql<{ secret: Buffer }>('SELECT secret FROM webhook_endpoint');
    for (const part of ['whsec_', secret.slice(6)]) expect(row!.secret.includes(part)).toBe(false);
    expect(row!.secret.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
  });

  it.each([
    [{ import_supplier: 'OTHER' }, ['import_supplier: invalid_choice']],
    [{ url: 'http://hooks.example.com/' }, ['url: invalid']],
    [{ url: 'https://127.0.0.1/' }, ['url: invalid']],
    [{ url: 'https://user:word@hooks.example.com/' }, ['url: invalid']],
    [{ import_supplier: 'OTHER', url: 'x' }, ['import_supplier: invalid_choice', 'url: invalid']],
  ])('is refused with %j', async (change, errors) => {
    expect(await errorsOf(create(change))).toEqual(errors);
    expect(await endpoints.list(test.organisationId, 'LEGACY')).toEqual([]);
  });

  it('is refused as the twenty-first of a supplier, also among concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 24 }, async () => errorsOf(create())));
    expect(results.filter((errors) => errors.length > 0)).toEqual(
      Array.from({ length: 4 }, () => ['import_supplier: too_many_webhook_endpoints']),
    );
    expect(await endpoints.list(test.organisationId, 'LEGACY')).toHaveLength(20);
  });

  it.each(['0', '-1', '1.5', 'x', '', '9'.repeat(30)])('is not found under the id "%s"', async (id) => {
    await expect(endpoints.show(test.caller, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is moved in the feed with a cursor, to its beginning and to now, and not with another text', async () => {
    const { id, cursor } = await create();
    const beginning = await endpoints.replay(test.caller, id, 'beginning');
    expect(beginning.cursor).not.toBe(cursor);
    expect((await endpoints.replay(test.caller, id, cursor)).cursor).toBe(cursor);
    await processes.inState('ERRORED');
    await caughtUp();
    expect((await endpoints.replay(test.caller, id, 'now')).cursor).not.toBe(cursor);
    for (const after of ['', 'tomorrow', 'a'.repeat(10_000)])
      expect(await errorsOf(endpoints.replay(test.caller, id, after))).toEqual(['after: invalid']);
  });

  it('has an audit entry for each change, without path and query of its URL, and without secrets', async () => {
    const { id, secret } = await create();
    await endpoints.disable(test.caller, id);
    await endpoints.enable(test.caller, id);
    const { secret: rotated } = await endpoints.rotateSecret(test.caller, id);
    await endpoints.replay(test.caller, id, 'now');
    const operator = { organisationId: undefined, actor: 'operator:Ada' };
    await endpoints.disable(operator, id);
    await endpoints.delete(operator, id);
    const entries = await processes.sql<{ actor: string; action: string; details: object }>(
      `SELECT actor, action, supplier, subject, details FROM audit_entry
       WHERE action LIKE 'webhook.%' AND subject = $1 ORDER BY id`,
      [id],
    );
    const about = { supplier: 'LEGACY', subject: id };
    const by = { actor: 'api-key:test', ...about, details: {} };
    expect(entries).toEqual([
      {
        ...by,
        action: 'webhook.create',
        details: { origin: 'https://hooks.example.com', types: expect.any(Array) },
      },
      { ...by, action: 'webhook.disable' },
      { ...by, action: 'webhook.enable' },
      { ...by, action: 'webhook.rotate-secret' },
      { ...by, action: 'webhook.replay', details: { after: 'now' } },
      { ...by, actor: 'operator:Ada', action: 'webhook.disable' },
      { ...by, actor: 'operator:Ada', action: 'webhook.delete' },
    ]);
    for (const text of ['of-the-receiver', secret, rotated])
      expect(JSON.stringify(entries)).not.toContain(text);
  });

  it('is replayed twenty times an hour, and by operators without a limit', async () => {
    const { id } = await create();
    const { id: second } = await create();
    const replay = async (count: number) =>
      endpoints.replay(test.caller, count % 2 === 0 ? id : second, 'beginning').then(
        () => 'replayed',
        (error: unknown) => (error as PortageError).code,
      );
    const results = [];
    for (let count = 0; count < 24; count += 1) results.push(await replay(count));
    // Others of this file count too.
    const accepted = results.filter((result) => result === 'replayed').length;
    expect(accepted).toBeLessThanOrEqual(20);
    expect(accepted).toBeGreaterThan(10);
    expect(results.slice(accepted)).toEqual(Array(24 - accepted).fill('throttled'));
    const operator = { organisationId: undefined, actor: 'operator:Ada' };
    await endpoints.replay(operator, id, 'beginning');
  });
});

it('attempts are erased after a week, in any number', async () => {
  await processes.sql(
    `INSERT INTO webhook_attempt (endpoint_id, event_id, event_type, number, status, duration_ms, occurred_at)
     SELECT 1, 'evt_' || n, 'type', 1, 204, 5, now() - n * interval '1 minute' FROM generate_series(1, 20000) n`,
  );
  const minutes = 7 * 24 * 60;
  const erased = await test.app.get(EraseWebhookAttempts).run();
  expect(Math.abs(erased - (20_000 - minutes))).toBeLessThanOrEqual(1);
  expect(await test.countRows('webhook_attempt')).toBe(20_000 - erased);
});
