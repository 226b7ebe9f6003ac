import type { ImportProcessStatus } from '@portage/imports';
import { BrowseProcesses, type ProcessSummaryView, ViewProcess } from '@portage/operators';
import { escapeForLine } from '@portage/text';
import { show, withApplication } from '../command';
import { printList, readPages } from '../list-output';
import { sheet, table } from '../table';

interface ListOptions {
  supplier: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  json?: true;
}

/** `process list`: the newest first. */
export async function listProcesses({ supplier, status, errorCode, json }: ListOptions): Promise<void> {
  await withApplication(async (app) => {
    const lists = app.get(BrowseProcesses);
    const pages = readPages(async (page) => lists.list(supplier, { status, errorCode }, page));
    await printList(pages, {
      asJson: json ?? false,
      line: formatLine,
      none: 'There are no matching processes.',
      counted: 'processes',
    });
  });
}

function formatLine({
  status,
  external_account_number,
  platform_account_number,
  error_code,
}: ProcessSummaryView) {
  return `${status.padEnd(18)}${escapeForLine(external_account_number)}  ${platform_account_number ?? error_code ?? ''}`;
}

/** `process show`: one process with its last events, the oldest first. */
export async function showProcess(options: {
  supplier: string;
  externalAccountNumber: string;
  json?: true;
}): Promise<void> {
  const { supplier, externalAccountNumber, json } = options;
  await show(json ?? false, async (app) => {
    const process = await app.get(ViewProcess).readByNumber(supplier, externalAccountNumber);
    const { timeline, error, created, follow_ups, requests, links, ...fields } = process;
    const rows = timeline.map(({ at, event, version, attempt, actor }) => [
      at,
      event,
      version,
      attempt,
      actor ?? '',
    ]);
    return {
      json: process,
      text: [
        sheet({ ...fields, error, created, follow_ups, requests, job: links.job, trace: links.trace }),
        table(['at', 'event', 'version', 'attempt', 'by'], rows, 'No events.'),
      ].join('\n'),
    };
  });
}
