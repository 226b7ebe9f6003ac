import { Database, PortageError } from '@portage/platform';
import { ImportedTestAccount, payment, useApplication } from '@portage/testing/application';
import { Client } from 'pg';
import { AccountRequestRepository, type NewAccountRequest } from './account-request.repository';
import { fingerprint } from './fingerprint';
import { ForgetFinishedRequests } from './forget-finished-requests';
import { type KeyedAnswer, KeyedRequests } from './keyed-requests';

const test = useApplication();
let account: ImportedTestAccount;

beforeAll(async () => {
  account = await ImportedTestAccount.create(test, 'KEYS');
});

let performed: string[] = [];
beforeEach(() => {
  performed = [];
});

/** Performs a request with a key. `work` runs in its transaction. */
async function perform(
  key: string,
  content: string,
  work: () => Promise<void> = async () => Promise.resolve(),
): Promise<KeyedAnswer<string>> {
  const { organisationId } = test;
  return test.app
    .get(KeyedRequests)
    .run<string>({ organisationId, key, endpoint: 'test', fingerprint: fingerprint(content) }, async () => {
      await work();
      performed.push(content);
      return `answer to ${content}`;
    });
}

/** Starts a request that holds its key until `release` is called, and then ends as `end` does. */
async function holdKey(
  key: string,
  end: () => void,
): Promise<{ first: Promise<unknown>; release: () => void }> {
  let release: () => void = () => undefined;
  let first: Promise<unknown> = Promise.resolve();
  await new Promise<void>((begun) => {
    first = perform(key, 'content', async () => {
      await new Promise<void>((ended) => {
        release = ended;
        begun();
      });
      end();
    });
  });
  return { first, release };
}

describe('a request with an Idempotency-Key', () => {
  it('takes no advisory lock that the text of the key could name', async () => {
    const client = new Client({ connectionString: test.databaseUrl });
    await client.connect();
    try {
      // The number that the key had in the space of all other locks.
      await client.query('SELECT pg_advisory_lock(hashtextextended($2, $1))', [
        test.organisationId,
        'lock-me',
      ]);
      expect(await perform('lock-me', 'content')).toEqual({ answer: 'answer to content', isReplayed: false });
      let held = '';
      await perform('another', 'content', async () => {
        const { rows } = await client.query<{ count: string }>(
          `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        held = rows[0]!.count;
      });
      expect(held).toBe('0');
    } finally {
      await client.end();
    }
  });

  it('is performed once, and concurrent requests with the key get its answer', async () => {
    const { first, release } = await holdKey('once', () => undefined);
    const others = [perform('once', 'content'), perform('once', 'content')];
    await test.untilWaiting(2);
    release();
    expect(await Promise.all([first, ...others])).toEqual([
      { answer: 'answer to content', isReplayed: false },
      { answer: 'answer to content', isReplayed: true },
      { answer: 'answer to content', isReplayed: true },
    ]);
    expect(performed).toEqual(['content']);
  });

  it('refuses another concurrent request with the key', async () => {
    const { first, release } = await holdKey('two', () => undefined);
    const other = perform('two', 'other content');
    await test.untilWaiting();
    release();
    await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await first;
    expect(performed).toEqual(['content']);
  });

  it('leaves the key to a concurrent request if it is refused', async () => {
    const { first, release } = await holdKey('refused', () => {
      throw new PortageError('not_found', 'refused');
    });
    const other = perform('refused', 'content');
    await test.untilWaiting();
    release();
    await expect(first).rejects.toMatchObject({ code: 'not_found' });
    expect(await other).toEqual({ answer: 'answer to content', isReplayed: false });
  });
});

describe('a request with an Idempotency-Key that a worker performs', () => {
  const requestWith = (key: string, content: string): NewAccountRequest => ({
    organisationId: test.organisationId,
    accountId: account.id,
    kind: 'transactions',
    fingerprint: fingerprint(content),
    idempotencyKey: key,
    actor: 'api-key:test',
    input: '{}',
  });
  const submit = async (key: string, content: string) =>
    test.app.get(AccountRequestRepository).submit(requestWith(key, content));
  const isStored = async (key: string) =>
    (await test.sql('SELECT FROM idempotency_key WHERE key = $1', [key])).length > 0;

  it('is stored once, and differs from an equal request without the key', async () => {
    const submissions = await Promise.all(Array.from({ length: 8 }, async () => submit('worker', 'a')));
    const stored = await Promise.all(submissions.map(async (one) => one ?? submit('worker', 'a')));
    const ids = new Set(stored.map((one) => (typeof one === 'object' ? one.id : one)));
    expect(ids.size).toBe(1);
    expect(stored.filter((one) => typeof one === 'object' && one.isNew)).toHaveLength(1);
    const [unkeyed] = await test.app
      .get(AccountRequestRepository)
      .submitAll([{ ...requestWith('', 'a'), idempotencyKey: undefined }]);
    expect(unkeyed).toMatchObject({ isNew: true });
  });

  it('keeps its key until it is forgotten, however long it is pending, and frees it if it is refused', async () => {
    const requests = test.app.get(AccountRequestRepository);
    const [kept, refused] = [await submit('kept', 'b'), await submit('freed', 'b')] as { id: string }[];
    await test.sql(`UPDATE idempotency_key SET created_at = now() - interval '1 year'`);
    await test.app.get(ForgetFinishedRequests).run();
    expect([await isStored('kept'), await isStored('freed')]).toEqual([true, true]);
    await requests.finish(test.app.get(Database), [
      { id: kept!.id, outcome: { kind: 'added' }, retainIdempotencyKey: true },
      { id: refused!.id, outcome: { kind: 'refused' }, retainIdempotencyKey: false },
    ]);
    expect([await isStored('kept'), await isStored('freed')]).toEqual([true, false]);
    expect(await submit('kept', 'b')).toMatchObject({
      id: kept!.id,
      outcome: { kind: 'added' },
      isNew: false,
    });
    expect(await submit('freed', 'c')).toMatchObject({ isNew: true });
    await test.sql(
      `UPDATE account_request SET finished_at = now() - interval '1 year' WHERE status = 'DONE'`,
    );
    await test.app.get(ForgetFinishedRequests).run();
    expect([await isStored('kept'), await isStored('freed')]).toEqual([false, true]);
  });

  it('is new, without the key, once an equal request without it has ended', async () => {
    const requests = test.app.get(AccountRequestRepository);
    const submitUnkeyed = async () =>
      (await requests.submitAll([{ ...requestWith('', 'ended'), idempotencyKey: undefined }]))[0];
    const { id } = (await submitUnkeyed()) as { id: string };
    expect(await submitUnkeyed()).toMatchObject({ id, isNew: false });
    await requests.finish(test.app.get(Database), [
      { id, outcome: { kind: 'refused' }, retainIdempotencyKey: false },
    ]);
    expect(await submitUnkeyed()).toMatchObject({ isNew: true, outcome: null });
    expect(await requests.deleteFinished(1, 10)).toBe(0);
  });

  it('is started by the workers of its kind, finished once, and not started again', async () => {
    const requests = test.app.get(AccountRequestRepository);
    const { id } = (await submit('once', 'd')) as { id: string };
    const { id: other } = (await submit('other', 'e')) as { id: string };
    const finish = async (kind: string) => [
      ...(await requests.finish(test.app.get(Database), [
        { id, outcome: { kind }, retainIdempotencyKey: true },
      ])),
    ];
    expect(await requests.start([id], 'payment-instruction')).toEqual([]);
    expect(await requests.start([id], 'transactions')).toMatchObject([{ id, attempt: 1 }]);
    expect(await requests.start([other], 'transactions')).toMatchObject([{ id: other, attempt: 1 }]);
    expect(await finish('added')).toEqual([id]);
    expect(await requests.findOutcomes([other])).toEqual([]);
    expect(await finish('refused')).toEqual([]);
    expect(await requests.start([id], 'transactions')).toEqual([]);
    expect(await submit('once', 'd')).toMatchObject({ id, outcome: { kind: 'added' } });
  });

  it('has one key for all endpoints', async () => {
    const other = await ImportedTestAccount.create(test, 'ENDPOINTS');
    const sent = [1, 2].map(async () => other.add([payment('T-1')], { key: 'shared' }));
    expect((await Promise.all(sent)).map(({ results }) => results[0]!.status)).toEqual([
      'TRANSACTION_ADDED_TO_ACCOUNT',
      'TRANSACTION_ADDED_TO_ACCOUNT',
    ]);
    await expect(perform('shared', 'content')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await other.transactions()).toHaveLength(1);
  });
});
