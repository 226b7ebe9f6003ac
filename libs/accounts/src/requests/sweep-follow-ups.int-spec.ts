import { Database, type QueueName, Queues } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { testedBackends } from '@portage/testing';
import { importAccounts, scheduleAccount, useApplication } from '@portage/testing/application';
import { DocumentRepository } from '../documents/document.repository';
import { WelcomeEmailRepository } from '../emails/welcome-email.repository';
import { AccountRequestRepository, type NewAccountRequest } from './account-request.repository';
import { SweepFollowUps } from './sweep-follow-ups';

describe.each(testedBackends())('follow-up work of accounts (%s)', (backend) => {
  const test = useApplication(backend);
  let accountId: string;

  beforeAll(async () => {
    await test.app.get(ImportSuppliers).set('LEGACY', { sendMigrationEmails: true });
    await scheduleAccount(test, test.caller, {
      import_supplier: 'LEGACY',
      external_account_number: 'N-1',
      customers: [{ family_name: 'Aldous', email: 'm.aldous@example.org' }],
      statements: [
        {
          statement_id: 'ST-1',
          bill_period_from_date: '2026-09-01',
          bill_period_to_date: '2026-09-30',
          statement_path: 'N-1/2026-09.pdf',
        },
      ],
    });
    expect(await importAccounts(test, 'N-1')).toEqual(['processed']);
    [{ id: accountId }] = (await test.sql<{ id: string }>('SELECT id FROM account')) as [{ id: string }];
    const request: NewAccountRequest = {
      organisationId: test.organisationId,
      accountId,
      kind: 'transactions',
      fingerprint: Buffer.alloc(32),
      idempotencyKey: undefined,
      actor: 'api-key:test',
      // Large enough to count as several small requests.
      input: JSON.stringify('x'.repeat(50_000)),
    };
    await test.app.get(AccountRequestRepository).submit(request);
    await test.app
      .get(AccountRequestRepository)
      .submit({ ...request, kind: 'payment-instruction', input: '{}' });
  });

  const queue = (name: QueueName) => test.app.get(Queues).get(name);
  const QUEUES = ['transactions', 'payment-instructions', 'documents', 'emails'] as const;

  async function jobs(): Promise<string[]> {
    const jobs = await Promise.all(
      QUEUES.map(async (name) => queue(name).getJobs(['waiting', 'prioritized', 'delayed'])),
    );
    return jobs.flat().map((job) => job.name);
  }

  /** Lets an hour pass since the jobs were enqueued. */
  const passAnHour = async () => {
    for (const table of ['account_request', 'document', 'welcome_email'])
      await test.sql(`UPDATE ${table} SET enqueued_at = enqueued_at - interval '1 hour'`);
  };

  it('is enqueued once by concurrent sweeps if its job is missing, and not if its job exists', async () => {
    expect((await jobs()).sort()).toEqual(['inspect-document', 'send-welcome-email']);
    for (const name of QUEUES) await queue(name).obliterate({ force: true });
    await passAnHour();
    const sweep = test.app.get(SweepFollowUps);
    const missing = await Promise.all(Array.from({ length: 5 }, async () => sweep.sweep()));
    expect(missing.reduce((sum, count) => sum + count)).toBe(4);
    const all = ['add-transactions', 'inspect-document', 'send-welcome-email', 'verify-payment-instruction'];
    expect((await jobs()).sort()).toEqual(all);
    const [large] = await queue('transactions').getJobs(['waiting', 'prioritized']);
    expect(large?.data).toMatchObject({ externalAccountNumber: 'N-1', weight: 3 });
    await passAnHour();
    expect(await sweep.sweep()).toBe(0);
    expect((await jobs()).sort()).toEqual(all);
  });

  it('is marked as enqueued now by the sweep that takes it', async () => {
    await passAnHour();
    for (const taken of [1, 0]) {
      expect(await test.app.get(DocumentRepository).takeStale(60_000, 10)).toHaveLength(taken);
      expect(await test.app.get(WelcomeEmailRepository).takeStale(60_000, 10)).toHaveLength(taken);
    }
  });

  it('is left out without waiting while another transaction holds it', async () => {
    await passAnHour();
    const requests = test.app.get(AccountRequestRepository);
    const taken = await test.app.get(Database).transaction(async ({ manager }) => {
      await manager.query(`SELECT FROM account_request WHERE kind = 'transactions' FOR UPDATE`);
      return requests.takeStale(60_000, 10);
    });
    expect(taken.map(({ kind }) => kind)).toEqual(['payment-instruction']);
    expect(await requests.takeStale(60_000, 10)).toMatchObject([{ kind: 'transactions' }]);
  });

  it('is taken once its time has come, the oldest first, up to a limit', async () => {
    await passAnHour();
    await test.sql(
      `UPDATE account_request SET enqueued_at = enqueued_at - interval '1 minute' WHERE kind = 'payment-instruction'`,
    );
    const takeOne = async () =>
      (await test.app.get(AccountRequestRepository).takeStale(60_000, 1)).map(({ kind }) => kind);
    expect([await takeOne(), await takeOne(), await takeOne()]).toEqual([
      ['payment-instruction'],
      ['transactions'],
      [],
    ]);
  });

  it('is not enqueued again once it is done', async () => {
    for (const name of QUEUES) await queue(name).obliterate({ force: true });
    await test.sql(
      `UPDATE account_request SET status = 'DONE', outcome = '{}', input = NULL, finished_at = now()`,
    );
    await test.sql(`UPDATE document SET state = 'MISSING', error_code = 'document_missing'`);
    await test.sql(`UPDATE welcome_email SET state = 'SENT'`);
    await passAnHour();
    expect(await test.app.get(SweepFollowUps).sweep()).toBe(0);
  });
});
