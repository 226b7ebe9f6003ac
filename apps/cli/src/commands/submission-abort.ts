import { ActingOperator } from '@portage/platform';
import { AbortSubmission } from '@portage/submissions';
import { show } from '../command';
import { withInterruption } from '../interruption';
import { refuseUnknown } from './submission-errors';

/**
 * `submission abort`. Accounts that are being imported end by themselves. The first Ctrl-C stops after the accounts that
 * are being cancelled.
 */
export async function abortSubmission(id: string, { json }: { json?: true }): Promise<void> {
  await show(json ?? false, async (app) => {
    const { actor } = app.get(ActingOperator);
    let cancelled = 0;
    const submission = await withInterruption(async (signal) => {
      for (;;) {
        const aborted = await refuseUnknown(id, app.get(AbortSubmission).abortAsOperator(actor, id));
        cancelled += aborted.cancelled;
        if (aborted.cancelled === 0 || signal.aborted) return aborted.submission;
      }
    });
    const { counts } = submission;
    const active = counts.pending + counts.in_progress;
    return {
      json: { cancelled, ...submission },
      text: [
        `The submission ${id} is ABORTED. ${cancelled} accounts were cancelled.`,
        ...(active > 0 ? [`${active} accounts have not ended yet.`] : []),
        ...(counts.processed > 0
          ? [`${counts.processed} accounts were imported. Take them back with: submission rollback ${id}`]
          : []),
      ].join('\n'),
    };
  });
}
