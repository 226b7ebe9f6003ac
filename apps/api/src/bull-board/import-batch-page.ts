import { escapeForLine } from '@portage/text';

const STYLE = 'body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}';

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

const escapeHtml = (text: string) =>
  escapeForLine(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
