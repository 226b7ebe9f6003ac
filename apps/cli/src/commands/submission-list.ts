import { escapeForLine } from '@portage/platform';
import { InspectSubmissions, type ListedSubmissionView } from '@portage/submissions';
import { show, withApplication } from '../command';
import { print } from '../standard-output';
import { sheet } from '../table';

/** `submission list`. Submissions are printed as they are read. */
export async function listSubmissions({ supplier, json }: { supplier: string; json?: true }): Promise<void> {
  await withApplication(async (app) => {
    const pages = app.get(InspectSubmissions).list(supplier);
    await (json ? printJson(pages) : printLines(pages));
  });
}

async function printJson(pages: AsyncIterable<ListedSubmissionView[]>): Promise<void> {
  let separator = '[';
  for await (const page of pages) {
    const items = page.map((submission) => JSON.stringify(submission));
    if (!(await print(`${separator}\n  ${items.join(',\n  ')}`))) return;
    separator = ',';
  }
  await print(separator === '[' ? '[]\n' : '\n]\n');
}

async function printLines(pages: AsyncIterable<ListedSubmissionView[]>): Promise<void> {
  let count = 0;
  for await (const page of pages) {
    count += page.length;
    const lines = page.map(
      ({ id, status, created_at, reference }) =>
        `${id.padEnd(8)}${status.padEnd(10)}${created_at}  ${escapeForLine(reference)}\n`,
    );
    if (!(await print(lines.join('')))) return;
  }
  await print(count === 0 ? 'There are no submissions.\n' : `${count} submissions\n`);
}

/** `submission show`: a submission with its counts. */
export async function showSubmission(id: string, { json }: { json?: true }): Promise<void> {
  await show(json ?? false, async (app) => {
    const submission = await app.get(InspectSubmissions).show(id);
    const { counts, ...fields } = submission;
    return { json: submission, text: `${sheet(fields)}\n${sheet({ ...counts })}` };
  });
}
