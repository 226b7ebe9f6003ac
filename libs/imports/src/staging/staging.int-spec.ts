import { AccountRequestRepository, SweepFollowUps } from '@portage/accounts';
import { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { account, testedBackends } from '@portage/testing';
import {
  importAccounts,
  scheduleAccount,
  StoredProcesses,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { ImportAccounts } from '../accounts/import-accounts';
import { ImportProcessStagingRepository } from '../processes/import-process-staging.repository';
import { ImportStatus } from '../processes/import-status';
import { SteerImportProcesses } from '../processes/steer-import-processes';
import { SweepImportProcesses } from '../processes/sweep-import-processes';
import { PerformProcessingRequest } from './perform-processing-request';
import { ProcessStagedAccount } from './process-staged-account';
import { StageAccount } from './stage-account';
import { EraseAccount } from '@portage/submissions';

describe.each(testedBackends())(
  'a staged account without a running worker, with the queue in %s',
  (backend) => {
    const env = { OUTCOME_WAIT_MS: '500', SWEEP_AFTER_MS: '1000' };
    const test = useApplication(backend, env, WITHOUT_CACHES);
    const stored = new StoredProcesses(test);

    const stage = async (number: string, more: object = {}) =>
      test.app.get(StageAccount).stage(test.caller, account(number, more), undefined);
    const process = async (number: string, more: object = {}) =>
      test.app
        .get(ProcessStagedAccount)
        .create(
          test.caller,
          { import_supplier_code: 'LEGACY', external_account_number: number, ...more },
          undefined,
        );
    const statusOf = async (number: string) =>
      (await test.app.get(ImportStatus).readV2(test.organisationId, 'LEGACY', number)).view.status;
    const requestsOf = async (number: string) =>
      stored.sql<{ id: string; status: string; is_unanswered: boolean; outcome: unknown }>(
        `SELECT request.id, request.status, is_unanswered, outcome FROM account_request request
       JOIN import_process process ON process.id = process_id WHERE external_account_number = $1 ORDER BY request.id`,
        [number],
      );
    /** Does what a worker does with the job of the latest request. */
    const work = async (number: string, isLastAttempt = true) =>
      test.app.get(PerformProcessingRequest).run((await requestsOf(number)).at(-1)!.id, isLastAttempt);
    const lateBy = async (seconds: number) =>
      stored.sql(
        `UPDATE import_process SET enqueued_at = enqueued_at - make_interval(secs => ${seconds})
       WHERE enqueued_at <> 'infinity'`,
      );

    it('waits for a request: no sweeper enqueues it', async () => {
      await stage('waiting');
      await lateBy(3_600);
      expect(await test.app.get(SweepImportProcesses).sweep(() => false)).toBe(0);
      expect(await statusOf('waiting')).toBe('PENDING');
    });

    it('is told from the account of another supplier with the same number', async () => {
      await test.app.get(ImportSuppliers).create('SECOND', 'Supplier Ltd', {});
      await stage('same');
      await stage('same', { import_supplier: 'SECOND' });
      const rows = await stored.sql<{ id: string; supplier: number }>(
        `SELECT id, supplier_id AS supplier FROM import_process WHERE external_account_number = 'same'`,
      );
      expect(rows).toHaveLength(2);
      for (const { id, supplier } of rows) {
        const found = await test.app
          .get(Database)
          .transaction(async (executor) =>
            test.app.get(ImportProcessStagingRepository).lock(executor, supplier, 'same'),
          );
        expect(found).toMatchObject({ processId: id });
      }
    });

    it('is created once after a 503, and the same request finds its outcome, once', async () => {
      await stage('late');
      await expect(process('late')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await work('late')).toBe('created');
      const found = await process('late');
      expect(found).toMatchObject({
        externalAccountNumber: 'late',
        accountNumber: expect.stringMatching(/^A-/),
      });
      await expect(process('late')).rejects.toMatchObject({
        body: { platform_account_number: found.accountNumber },
      });
      expect(await requestsOf('late')).toMatchObject([{ status: 'DONE', is_unanswered: false }]);
      expect(await stored.sql('SELECT 1 FROM account WHERE number = $1', [found.accountNumber])).toHaveLength(
        1,
      );
    });

    it('has one request in flight, which equal requests join and others do not', async () => {
      await stage('joined');
      const answers = [process('joined'), process('joined')];
      await expect(answers[0]).rejects.toMatchObject({ code: 'unavailable' });
      await expect(answers[1]).rejects.toMatchObject({ code: 'unavailable' });
      expect(await requestsOf('joined')).toHaveLength(1);
      await expect(process('joined', { dry_run: true })).rejects.toMatchObject({
        code: 'import_process_in_progress',
      });
      await expect(stage('joined')).rejects.toMatchObject({ code: 'import_process_in_progress' });
      // The later request about another account is not the latest about this one.
      await stage('beside');
      await expect(process('beside')).rejects.toMatchObject({ code: 'unavailable' });
      const joined = process('joined');
      expect(await work('joined')).toBe('created');
      expect(await joined).toMatchObject({ externalAccountNumber: 'joined' });
    });

    it('a request whose client has disconnected keeps its outcome for the same request', async () => {
      await stage('lost');
      await expect(process('lost')).rejects.toMatchObject({ code: 'unavailable' });
      await work('lost');
      const { requestId } = await process('lost');
      await test.app.get(ProcessStagedAccount).markUnanswered(requestId);
      expect(await process('lost')).toMatchObject({ requestId });
    });

    it('is processed anew after it was staged again, whatever an earlier request found', async () => {
      const references = [{ namespace: 'legacy', value: `R-${backend}` }];
      await stage('with reference', { references });
      await stage('refused', { references });
      for (const number of ['with reference', 'refused'])
        await expect(process(number)).rejects.toMatchObject({ code: 'unavailable' });
      expect([await work('with reference'), await work('refused')]).toEqual(['created', 'errored']);
      // The answer of the first request never reached its client.
      await stage('refused');
      await expect(process('refused')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await work('refused')).toBe('created');
      // A later version ends the request of an earlier one no more.
      const [{ id: processId, version }] = (await stored.sql(
        `SELECT id, version FROM import_process WHERE external_account_number = 'refused'`,
      )) as [{ id: string; version: number }];
      const staging = test.app.get(ImportProcessStagingRepository);
      expect(await staging.readVersion({ processId, version })).toMatchObject({ status: 'PROCESSED' });
      expect(await staging.readVersion({ processId, version: version - 1 })).toBeUndefined();
      expect(await process('refused')).toMatchObject({ externalAccountNumber: 'refused' });
    });

    it('a request whose worker died is finished by the sweeper of requests', async () => {
      await stage('crashed');
      await expect(process('crashed')).rejects.toMatchObject({ code: 'unavailable' });
      const [started] = await stored.sql<{ id: string; version: number }>(
        `SELECT id, version FROM import_process WHERE external_account_number = 'crashed'`,
      );
      // The account exists, and the outcome was not stored.
      const job = { processId: started!.id, version: started!.version };
      expect(await test.app.get(ImportAccounts).import([job])).toEqual([{ kind: 'processed' }]);
      await lateBy(3_600);
      expect(await test.app.get(SweepImportProcesses).sweep(() => false)).toBe(0);
      await stored.sql(
        `UPDATE account_request SET enqueued_at = now() - interval '1 hour' WHERE status = 'PENDING'`,
      );
      await test.app.get(SweepFollowUps).sweep();
      expect(await work('crashed')).toBe('created');
      expect(await work('crashed')).toBe('outdated');
      expect(await process('crashed')).toMatchObject({ externalAccountNumber: 'crashed' });
    });

    it('an account whose supplier is paused is created after the pause, and its client gets a 503 until then', async () => {
      await stage('held');
      await expect(process('held')).rejects.toMatchObject({ code: 'unavailable' });
      const suppliers = test.app.get(ImportSuppliers);
      await suppliers.setStatus('LEGACY', 'Paused');
      try {
        expect(await work('held')).toBe('held');
        expect(await requestsOf('held')).toMatchObject([{ status: 'PENDING', outcome: null }]);
        expect(await statusOf('held')).toBe('PENDING');
      } finally {
        await suppliers.setStatus('LEGACY', 'Ongoing');
      }
      await stored.sql(
        `UPDATE account_request SET enqueued_at = now() - interval '1 hour' WHERE status = 'PENDING'`,
      );
      const [request] = await requestsOf('held');
      const stale = await test.app.get(AccountRequestRepository).takeStale(1_000, 100);
      expect(stale.map(({ id }) => id)).toContain(request!.id);
      expect(await work('held')).toBe('created');
      expect(await process('held')).toMatchObject({ externalAccountNumber: 'held' });
    });

    it('an account that was scheduled, cancelled or imported before a worker began is not processed', async () => {
      const numbers = ['scheduled', 'cancelled', 'imported'];
      for (const number of numbers) {
        await stage(number);
        await expect(process(number)).rejects.toMatchObject({ code: 'unavailable' });
      }
      for (const number of ['scheduled', 'imported'])
        await scheduleAccount(test, test.caller, account(number));
      expect(await importAccounts(test, 'imported')).toEqual(['processed']);
      await test.app.get(SteerImportProcesses).steerOne('cancel', 'LEGACY', 'cancelled');
      for (const number of numbers) expect(await work(number)).toBe('replaced');
      expect(await Promise.all(numbers.map(statusOf))).toEqual(['PENDING', 'CANCELLED', 'PROCESSED']);
      await expect(process('cancelled')).rejects.toMatchObject({ code: 'import_process_does_not_exist' });
      await expect(process('scheduled')).rejects.toMatchObject({ code: 'import_process_in_progress' });
    });

    it('is refused with 429 while its supplier has as many accounts processed as it may', async () => {
      const { app } = test;
      // Neither counts: one has ended, and one is of another supplier.
      await app.get(ImportSuppliers).create('THIRD', 'Supplier Ltd', {});
      await stage('ended');
      await stage('theirs', { import_supplier: 'THIRD' });
      await expect(process('ended')).rejects.toMatchObject({ code: 'unavailable' });
      await work('ended');
      await expect(process('theirs', { import_supplier_code: 'THIRD' })).rejects.toMatchObject({
        code: 'unavailable',
      });
      const before = await test.countRows(
        `import_process WHERE staging = 'PROCESSING' AND status IN ('PENDING', 'IN_PROGRESS') AND supplier_id = $1`,
        [test.supplier.id],
      );
      await app.get(ImportSuppliers).set('LEGACY', { maxProcessingAccounts: before + 2 });
      for (const number of ['one', 'two', 'three', 'four']) await stage(number);
      const results = await Promise.allSettled(
        ['one', 'two', 'three', 'four'].map(async (number) => process(number)),
      );
      const reasons = results.map((result) =>
        result.status === 'rejected' ? (result.reason as object) : {},
      );
      expect(reasons.filter((reason) => 'retryAfterSeconds' in reason)).toHaveLength(2);
      expect(reasons).toMatchObject(
        reasons.map((reason) => ({ code: 'retryAfterSeconds' in reason ? 'throttled' : 'unavailable' })),
      );
      await app.get(ImportSuppliers).set('LEGACY', { maxProcessingAccounts: null });
      const free = reasons.findIndex((reason) => 'retryAfterSeconds' in reason);
      await expect(process(['one', 'two', 'three', 'four'][free]!)).rejects.toMatchObject({
        code: 'unavailable',
      });
    });

    it('leaves no request behind when its account is erased', async () => {
      await stage('erased');
      await expect(process('erased')).rejects.toMatchObject({ code: 'unavailable' });
      await work('erased');
      const { accountNumber } = await process('erased');
      await test.app.get(EraseAccount).erase(accountNumber, { keepsDocuments: true });
      expect(await requestsOf('erased')).toEqual([]);
    });
  },
);
