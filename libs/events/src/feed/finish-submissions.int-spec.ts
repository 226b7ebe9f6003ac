import { AbortSubmission, SubmissionRepository } from '@portage/submissions';
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
