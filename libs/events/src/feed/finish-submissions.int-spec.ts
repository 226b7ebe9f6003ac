import { CancelImport, ImportAccounts, SteerImportProcesses } from '@portage/imports';
import { Database } from '@portage/platform';
import { AbortSubmission, SubmissionRepository, Submissions } from '@portage/submissions';
import { ImportSuppliers } from '@portage/tenants';
import { until } from '@portage/testing';
import { TestSubmission, useApplication } from '@portage/testing/application';
import { SubmissionEventRepository } from './submission-event.repository';
import { FinishSubmissions } from './finish-submissions';
import { ReadEvents } from './read-events';

const test = useApplication();

/** The types and data of the events of submissions with this reference, once there are as many as expected. */
async function endsOf(
  reference: string,
  count: number,
): Promise<{ id: string; type: string; data: unknown }[]> {
  const types = ['data_import.submission.finished-v1', 'data_import.submission.aborted-v1'] as const;
  const request = {
    organisationId: test.organisationId,
    supplierCode: test.supplier.code,
    after: undefined,
    types,
    limit: 100,
    waitMs: 0,
  };
  let found: { id: string; type: string; data: unknown }[] = [];
  await until(
    async () => {
      const { events } = await test.app.get(ReadEvents).read(request, new AbortController().signal);
      found = events.filter(({ data }) => data.submission?.reference === reference);
      return found.length === count;
    },
    () => JSON.stringify(found),
  );
  return found;
}

describe('the end of a submission', () => {
  it('is shown with its counts and whether it is reconciled', async () => {
    const submission = await TestSubmission.open(test, 'FINISHED', { accounts: 2 });
    await submission.account('A-1');
    await submission.ended('A-2', 'ERRORED');
    await submission.complete();
    await test.app.get(FinishSubmissions).run();
    expect(await endsOf('FINISHED', 1)).toMatchObject([
      {
        id: `evt_submission_${submission.id}_1`,
        type: 'data_import.submission.finished-v1',
        data: {
          import_supplier: test.supplier.code,
          submission: { id: submission.id, reference: 'FINISHED' },
          counts: { received: 2, processed: 1, errored: 1, refused: 0, repeated: 0 },
          reconciled: false,
        },
      },
    ]);
    await test.app.get(FinishSubmissions).run();
    expect(await endsOf('FINISHED', 1)).toHaveLength(1);
  });

  it('is shown for an aborted one when its last account has ended', async () => {
    const submission = await TestSubmission.open(test, 'ABORTED');
    await submission.account('B-1', {}, {}, { isImported: false });
    const caller = { organisationId: test.organisationId, actor: 'api-key:test' };
    // Its process has no batch, as one that was sent by itself: the request cancels it.
    await test.app.get(AbortSubmission).abort(caller, submission.id);
    await test.app.get(FinishSubmissions).run();
    expect(await endsOf('ABORTED', 1)).toMatchObject([
      {
        type: 'data_import.submission.aborted-v1',
        data: { counts: { received: 1, cancelled: 1, pending: 0 } },
      },
    ]);
  });

  it('is reconciled neither for an aborted one that agrees, nor for one that has imported nothing', async () => {
    const aborted = await TestSubmission.open(test, 'ABORTED-IMPORTED', { accounts: 1 });
    await aborted.account('G-1');
    await test.app.get(AbortSubmission).abort(test.caller, aborted.id);
    const refused = await TestSubmission.open(test, 'REFUSED');
    await refused.refused('G-2', [{ code: 'required', detail: 'Words.', attr: 'customers' }]);
    await refused.complete();
    await (await TestSubmission.open(test, 'EMPTY')).complete();
    await test.app.get(FinishSubmissions).run();
    for (const reference of ['ABORTED-IMPORTED', 'REFUSED', 'EMPTY'])
      expect(await endsOf(reference, 1)).toMatchObject([{ data: { reconciled: false } }]);
  });

  it('is not shown while staged accounts wait for their release', async () => {
    const submission = await TestSubmission.open(test, 'STAGED', { accounts: 1 });
    const imported = await submission.account('D-1', {}, {}, { isImported: false });
    await submission.sql(`UPDATE import_process SET status = 'DRY_RUN_SUCCEEDED' WHERE id = $1`, [imported]);
    await submission.ended('D-2', 'DRY_RUN_SUCCEEDED');
    await submission.complete();
    const shown = async () => test.app.get(Submissions).read(test.organisationId, submission.id);
    const listed = async () =>
      (
        await test.app
          .get(Submissions)
          .list(test.organisationId, test.supplier.code, { limit: 1, after: undefined, reference: 'STAGED' })
      ).items[0]?.status;
    await test.app.get(FinishSubmissions).run();
    expect(await shown()).toMatchObject({ status: 'AWAITING_RELEASE', finished_at: null });
    expect(await listed()).toBe('AWAITING_RELEASE');
    expect(await endsOf('STAGED', 0)).toEqual([]);
    // In part: one is cancelled by its supplier, the other is released.
    expect(await test.app.get(CancelImport).cancel(test.caller, test.supplier.code, 'D-2')).toMatchObject({
      status: 'CANCELLED',
    });
    await test.app.get(SteerImportProcesses).steerOne('release', test.supplier.code, 'D-1');
    await test.app.get(ImportAccounts).import([{ processId: imported, version: 2 }]);
    await test.app.get(FinishSubmissions).run();
    expect([(await shown()).status, await listed()]).toEqual(['FINISHED', 'FINISHED']);
    expect(await endsOf('STAGED', 1)).toMatchObject([
      { data: { counts: { processed: 1, cancelled: 1 }, reconciled: true } },
    ]);
  });

  it('is shown after an abort, which cancels staged accounts that wait for their release', async () => {
    const submission = await TestSubmission.open(test, 'DROPPED');
    await submission.ended('E-1', 'DRY_RUN_SUCCEEDED');
    await submission.ended('E-2', 'DRY_RUN_SUCCEEDED');
    await submission.account('E-3', {}, {}, { isImported: false });
    await submission.complete();
    expect(await test.app.get(AbortSubmission).abort(test.caller, submission.id)).toMatchObject({
      cancelled: 3,
      submission: { status: 'ABORTED', counts: { cancelled: 3, dry_run_succeeded: 0 } },
    });
    await test.app.get(FinishSubmissions).run();
    expect(await endsOf('DROPPED', 1)).toMatchObject([
      { data: { counts: { cancelled: 3 }, reconciled: false } },
    ]);
  });

  it('a rehearsal ends without waiting, and its abort leaves what has ended', async () => {
    const submission = await TestSubmission.open(test, 'REHEARSAL');
    await submission.sql('UPDATE submission SET is_dry_run = true WHERE id = $1', [submission.id]);
    for (const number of ['F-1', 'F-2']) await submission.ended(number, 'DRY_RUN_SUCCEEDED');
    await submission.sql('UPDATE import_process SET is_dry_run = true WHERE submission_id = $1', [
      submission.id,
    ]);
    await expect(
      test.app.get(CancelImport).cancel(test.caller, test.supplier.code, 'F-1'),
    ).rejects.toMatchObject({ code: 'import_process_not_pending' });
    expect(await test.app.get(AbortSubmission).abort(test.caller, submission.id)).toMatchObject({
      cancelled: 0,
      submission: { status: 'ABORTED', counts: { dry_run_succeeded: 2 } },
    });
  });

  it('is stored once, of the submission alone, and neither while it is open nor with something pending', async () => {
    const references = ['ENDED', 'OTHER', 'OPEN', 'PENDING', 'CORRECTED', 'ADDED'];
    const opened: TestSubmission[] = [];
    for (const reference of references) {
      const submission = await TestSubmission.open(test, reference);
      const options = { isImported: reference !== 'PENDING' };
      const id = await submission.account(`S-${reference}`, {}, {}, options);
      // What has ended of another submission is neither counted nor waited for.
      const end = reference === 'OTHER' ? '2100-01-01' : null;
      if (end !== null) {
        await submission.refused('S-REFUSED', [{ code: 'required', detail: 'Words.', attr: 'customers' }]);
        await submission.sql('UPDATE submission_upload SET repeated = 3 WHERE submission_id = $1', [
          submission.id,
        ]);
        await submission.sql('UPDATE import_process SET modified_at = $2 WHERE id = $1', [id, end]);
      }
      if (reference !== 'OPEN') await submission.complete();
      if (reference === 'CORRECTED' || end !== null)
        await submission.sql(
          `INSERT INTO import_process_correction (process_id, version, supplier_id, submission_id, is_dry_run,
             payload_hash, change_count, actor, status, ended_at)
           VALUES ($1, 2, $2, $3, false, 'x', 0, 'api-key:test', $4, $5)`,
          [id, test.supplier.id, submission.id, end === null ? 'PENDING' : 'SUCCEEDED', end],
        );
      if (reference === 'ADDED' || end !== null)
        await submission.sql(
          `INSERT INTO submission_addition (submission_id, upload_number, line, supplier_id, shard, kind,
             external_account_number, digest, status, input, size, measures, ended_at)
           VALUES ($1, 1, 1, $2, 0, 'notes', 'S-ADDED', 'x', $3, $4, 2, '{}', $5)`,
          [
            submission.id,
            test.supplier.id,
            end === null ? 'PENDING' : 'PROCESSED',
            end === null ? '{}' : null,
            end,
          ],
        );
      opened.push(submission);
    }
    const repository = test.app.get(SubmissionRepository);
    const [ended, other, ...unfinished] = opened as [TestSubmission, TestSubmission];
    const endedAt = await repository.finish(ended.id);
    expect(new Date(endedAt!).getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await repository.finish(ended.id)).toBeUndefined();
    for (const { id } of unfinished as TestSubmission[]) expect(await repository.finish(id)).toBeUndefined();
    expect((await repository.find(undefined, other.id))?.finishedAt).toBeNull();
    expect(await repository.finish(other.id)).toBeDefined();
    const events = await test.sql(
      'SELECT submission_id AS id, number, counts FROM submission_event WHERE submission_id = ANY($1) ORDER BY 1',
      [opened.map(({ id }) => id)],
    );
    const counts = { PROCESSED: 1, refused: 1, CORRECTION_SUCCEEDED: 1, repeated: 3 };
    expect(events).toEqual([
      { id: ended.id, number: 1, counts: { PROCESSED: 1, repeated: 0 } },
      { id: other.id, number: 1, counts },
    ]);
    for (const { id } of unfinished as TestSubmission[]) {
      const aborting = test.app.get(Database).transaction(async (executor) => repository.abort(id, executor));
      expect(await aborting).toBe(true);
    }
  });

  it('is shown after an abort also while an account waits for its release', async () => {
    const submission = await TestSubmission.open(test, 'STAGED-ABORTED');
    await submission.ended('H-1', 'DRY_RUN_SUCCEEDED');
    await submission.sql(`UPDATE submission SET status = 'ABORTED' WHERE id = $1`, [submission.id]);
    expect(await test.app.get(SubmissionRepository).finish(submission.id)).toBeDefined();
  });

  /** Two open submissions, and between them three complete ones: one is pending, one awaits its release, and one is done. */
  async function openEach(prefix: string) {
    const open = async (name: string) => TestSubmission.open(test, `${prefix}-${name}`);
    const submissions = {
      opened: await open('OPENED'),
      pending: await open('PENDING'),
      waiting: await open('WAITING'),
      done: await open('DONE'),
      untouched: await open('UNTOUCHED'),
    };
    const { opened, pending, waiting, done, untouched } = submissions;
    for (const submission of [opened, pending, untouched])
      await submission.account(submission.reference, {}, {}, { isImported: false });
    await waiting.ended(waiting.reference, 'DRY_RUN_SUCCEEDED');
    await done.account(done.reference);
    for (const submission of [pending, waiting, done]) await submission.complete();
    return submissions;
  }

  it('is an abort once, while something is left to cancel, and of its own submission alone', async () => {
    const { opened, pending, waiting, done, untouched } = await openEach('ABORT');
    const repository = test.app.get(SubmissionRepository);
    const all = [opened, pending, waiting, done, untouched];
    expect(await Promise.all(all.map(async ({ id }) => repository.awaitsRelease(id)))).toEqual(
      all.map((submission) => submission === waiting),
    );
    const aborted: boolean[] = [];
    for (const { id } of [opened, opened, pending, waiting, done])
      await test.app.get(Database).transaction(async (executor) => {
        aborted.push(await repository.abort(id, executor));
      });
    expect(aborted).toEqual([true, false, true, true, false]);
    expect((await repository.find(undefined, untouched.id))?.status).toBe('OPEN');
  });

  it('is an abort also if accounts become active while it waits for the submission', async () => {
    const submission = await TestSubmission.open(test, 'MEANWHILE');
    const id = await submission.ended('M-1', 'ERRORED');
    const database = test.app.get(Database);
    const aborting = await database.transaction(async ({ manager }) => {
      await manager.query(
        `UPDATE import_process SET status = 'PENDING', error_code = NULL, error_detail = NULL WHERE id = $1`,
        [id],
      );
      await manager.query(`UPDATE submission SET status = 'RECEIVED', completed_at = now() WHERE id = $1`, [
        submission.id,
      ]);
      const aborted = database.transaction(async (executor) =>
        test.app.get(SubmissionRepository).abort(submission.id, executor),
      );
      await test.untilWaiting();
      return [aborted];
    });
    expect(await Promise.all(aborting)).toEqual([true]);
  });

  it('is looked for in the order of creation, of what is not open and has no known end', async () => {
    const { opened, pending, waiting, done } = await openEach('LISTED');
    const repository = test.app.get(SubmissionRepository);
    const listed = async (after: string, rows: number) =>
      (await repository.listUnfinished(after, rows)).map(({ id }) => id);
    expect(await listed(opened.id, 2)).toEqual([pending.id, waiting.id]);
    expect(await listed(pending.id, 10)).toEqual([waiting.id, done.id]);
    await repository.finish(done.id);
    expect(await listed(pending.id, 10)).toEqual([waiting.id]);
  });

  it('is found by its own organisation and by operators alone', async () => {
    const { id } = await TestSubmission.open(test, 'OWN');
    const repository = test.app.get(SubmissionRepository);
    const found = [test.organisationId, undefined, test.organisationId + 1].map(async (organisation) =>
      repository.find(organisation, id),
    );
    expect((await Promise.all(found)).map((one) => one?.id)).toEqual([id, id, undefined]);
  });

  it('is listed among those of its supplier, reference and kind, the newest first', async () => {
    const other = await test.app.get(ImportSuppliers).create('LISTS', 'Supplier Ltd', {});
    const opened: string[] = [];
    for (const reference of ['LIST-1', 'LIST-2', 'LIST-3', 'LIST-4'])
      opened.push((await TestSubmission.open(test, reference)).id);
    const [first, second, third, ofOther] = opened as [string, string, string, string];
    await test.sql(`UPDATE submission SET supplier_id = $2, reference = 'LIST-1' WHERE id = $1`, [
      ofOther,
      other.id,
    ]);
    await test.sql(`UPDATE submission SET kind = 'additions' WHERE id = $1`, [second]);
    await test.sql(`UPDATE submission SET status = 'RECEIVED', completed_at = now() WHERE id = $1`, [third]);
    const repository = test.app.get(SubmissionRepository);
    const listed = async (filter: object, before?: string, rows = 10) =>
      (await repository.list(filter, before, rows)).flatMap(({ id }) => (opened.includes(id) ? [id] : []));
    const supplierId = test.supplier.id;
    expect(await listed({})).toEqual([ofOther, third, second, first]);
    expect(await listed({}, undefined, 2)).toEqual([ofOther, third]);
    expect(await listed({ supplierId })).toEqual([third, second, first]);
    expect(await listed({ supplierId }, third)).toEqual([second, first]);
    expect(await listed({ reference: 'LIST-1' })).toEqual([ofOther, first]);
    expect(await listed({ supplierId, kind: 'additions' })).toEqual([second]);
    const found = [supplierId, other.id].map(async (id) => repository.findByReference(id, 'LIST-1'));
    expect((await Promise.all(found)).map((one) => one?.id)).toEqual([first, ofOther]);
    expect((await repository.findByReference(supplierId, 'LIST-2'))?.id).toBe(second);
    await test.sql(
      `INSERT INTO submission_event (submission_id, number, supplier_id, event, counts, reconciled, transaction_id)
       SELECT $1, number, $2, 'FINISHED', '{}', number = 2, 1 FROM generate_series(1, 2) AS number`,
      [second, supplierId],
    );
    const shown = await repository.list({ supplierId }, undefined, 3);
    expect(shown.map(({ reconciled }) => reconciled)).toEqual([null, true, null]);
    const inProgress = async (rows: number) => (await repository.listInProgress(rows)).map(({ id }) => id);
    expect(await inProgress(4)).toEqual([ofOther, third, second, first]);
    expect(await inProgress(2)).toEqual([ofOther, third]);
  });

  it('is not shown if accounts were retried before it was announced, and is shown after them', async () => {
    const submission = await TestSubmission.open(test, 'RETRIED');
    const id = await submission.ended('C-1', 'ERRORED');
    await submission.complete();
    expect(await test.app.get(SubmissionRepository).finish(submission.id)).toBeDefined();
    await submission.sql(
      `UPDATE import_process SET status = 'PENDING', error_code = NULL, error_detail = NULL WHERE id = $1`,
      [id],
    );
    await submission.sql('UPDATE submission SET finished_at = NULL WHERE id = $1', [submission.id]);
    await test.app.get(FinishSubmissions).run();
    expect(await endsOf('RETRIED', 0)).toEqual([]);
    expect(await test.app.get(SubmissionEventRepository).listUnannounced('0', 10)).toEqual([]);
    await submission.sql(`UPDATE import_process SET status = 'CANCELLED' WHERE id = $1`, [id]);
    await test.app.get(FinishSubmissions).run();
    expect(await endsOf('RETRIED', 1)).toMatchObject([{ data: { counts: { cancelled: 1 } } }]);
  });
});
