import { ViewSubmissions } from '@portage/operators';
import { escapeForLine } from '@portage/text';
import { show, withApplication } from '../command';
import { printList, readPages } from '../list-output';
import { sheet } from '../table';
import { refuseUnknown } from './submission-errors';

/** `submission list`: the newest first. */
export async function listSubmissions({ supplier, json }: { supplier: string; json?: true }): Promise<void> {
  await withApplication(async (app) => {
    const pages = readPages(async (page) => app.get(ViewSubmissions).list(supplier, page));
    await printList(pages, {
      asJson: json ?? false,
      line: ({ id, status, created_at, reference }) =>
        `${id.padEnd(8)}${status.padEnd(18)}${created_at}  ${escapeForLine(reference)}`,
      none: 'There are no submissions.',
      counted: 'submissions',
    });
  });
}

/** `submission show`: a submission with its counts. */
export async function showSubmission(id: string, { json }: { json?: true }): Promise<void> {
  await show(json ?? false, async (app) => {
    const submission = await refuseUnknown(id, app.get(ViewSubmissions).read(id));
    const { counts, ...fields } = submission;
    return { json: submission, text: `${sheet(fields)}\n${sheet({ ...counts })}` };
  });
}
