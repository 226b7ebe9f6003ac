import { InspectSubmissions } from '@portage/submissions';
import { show } from '../command';
import { withInterruption } from '../interruption';

/** `submission abort`. Accounts that are being imported end by themselves. */
export async function abortSubmission(id: string, { json }: { json?: true }): Promise<void> {
  await show(json ?? false, async (app) => {
    const { cancelled, submission } = await withInterruption(async (signal) =>
      app.get(InspectSubmissions).abort(id, signal),
    );
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
