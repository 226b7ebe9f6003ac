import { escapeForLine } from '@portage/platform';
import { type ListedSubmissionView, Submissions } from '@portage/submissions';
import { ImportSuppliers } from '@portage/tenants';
import type { INestApplicationContext } from '@nestjs/common';
import { show, withApplication } from '../command';
import { print } from '../standard-output';
import { sheet } from '../table';
import { refuseUnknown } from './submission-errors';

/** Submissions that are read at a time. */
const PAGE_ROWS = 500;

/** `submission list`. Submissions are printed as they are read. */
export async function listSubmissions({ supplier, json }: { supplier: string; json?: true }): Promise<void> {
  await withApplication(async (app) => {
    const pages = readSubmissions(app, supplier);
    await (json ? printJson(pages) : printLines(pages));
  });
}

async function* readSubmissions(
  app: INestApplicationContext,
  supplier: string,
): AsyncGenerator<ListedSubmissionView[]> {
  const { organisationId } = await app.get(ImportSuppliers).show(supplier);
  let after: string | undefined;
  do {
    const page = await app.get(Submissions).list(organisationId, supplier, { limit: PAGE_ROWS, after });
    if (page.items.length > 0) yield page.items;
    after = page.next;
  } while (after !== undefined);
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
    const stored = await refuseUnknown(id, app.get(Submissions).require(undefined, id));
    const { counts, ...view } = await app.get(Submissions).view(stored);
    const fields = {
      ...view,
      is_dry_run: stored.isDryRun,
      opened_by: stored.actor,
      expected: stored.expected,
    };
    return { json: { ...fields, counts }, text: `${sheet(fields)}\n${sheet({ ...counts })}` };
  });
}
