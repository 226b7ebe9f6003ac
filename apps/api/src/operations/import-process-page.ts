import type { ProcessDetailView } from '@portage/operators';
import { escapeForLine } from '@portage/platform';

const STYLE =
  'body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse}th,td{text-align:left;padding:.25rem 1.5rem .25rem 0;vertical-align:top}';

/**
 * The HTML page of one import process, for operators. It shows only values that may be logged. Error details may quote
 * personal data, so the page shows the error code, and `process show` on the command line shows the details.
 */
export function importProcessPage(process: ProcessDetailView): string {
  const { import_supplier: supplier, external_account_number: number, timeline } = process;
  const facts: [string, string | number | null][] = [
    ['Status', process.status],
    ['Error', process.error_code],
    ['Account', process.account_number],
    ['External identifier', process.external_identifier],
    ['Version', process.version],
    ['Dry run only', process.is_dry_run ? 'yes' : 'no'],
    ['Window opens', process.schedule_window_start],
    ['Window closes', process.schedule_window_end],
  ];
  const present = facts.filter(([, value]) => value !== null && value !== '');
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(supplier)} ${escapeHtml(number)}</title><link rel="icon" href="/queues/static/images/logo.svg"><style>${STYLE}</style></head>
<body><p><a href="/queues/queue/account-imports">account-imports</a></p>
<h1>${escapeHtml(supplier)} ${escapeHtml(number)}</h1>
<table>${present.map(([label, value]) => `<tr><th scope="row">${label}</th><td>${escapeHtml(value)}</td></tr>`).join('')}</table>
<h2>Events</h2>
<table><tr><th>When</th><th>What</th><th>Version</th><th>Attempt</th><th>Error</th><th>Who</th></tr>
${timeline.map(({ at, event, version, attempt, error_code: error, actor }) => row([at, event, version, attempt, error, actor])).join('\n')}</table>
<p>Everything about it: <code>npm run cli -- process show --supplier ${escapeHtml(shellQuote(supplier))} --external-account-number ${escapeHtml(shellQuote(number))}</code></p>
</body></html>
`;
}

/** The HTML page of the job of a batch: its accounts, with links to their import processes. */
export function importBatchPage(
  jobId: string,
  { supplier, accounts }: { supplier: string; accounts: readonly string[] },
  processUrl: (supplier: string, externalAccountNumber: string) => string,
): string {
  const links = accounts.map(
    (number) => `<li><a href="${escapeHtml(processUrl(supplier, number))}">${escapeHtml(number)}</a></li>`,
  );
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(jobId)}</title><link rel="icon" href="/queues/static/images/logo.svg"><style>${STYLE}</style></head>
<body><p><a href="/queues/queue/account-imports">account-imports</a></p>
<h1>${escapeHtml(supplier)} ${escapeHtml(jobId)}</h1>
<p>The accounts that this job imports. One that fails or ends with an error gets a job of its own.</p>
<ul>${links.join('\n')}</ul>
</body></html>
`;
}

const row = (cells: (string | number | null)[]) =>
  `<tr>${cells.map((cell) => `<td>${escapeHtml(cell ?? '')}</td>`).join('')}</tr>`;

const escapeHtml = (value: string | number | null) =>
  escapeForLine(String(value)).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Quotes a command line argument for a shell. */
const shellQuote = (value: string) =>
  /^[\w.-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
