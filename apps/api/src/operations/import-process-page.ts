import type { InspectImportProcesses } from '@portage/importing';

type Shown = Awaited<ReturnType<InspectImportProcesses['show']>>;

const STYLE =
  'body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse}th,td{text-align:left;padding:.25rem 1.5rem .25rem 0;vertical-align:top}';

/**
 * A page about one import process for an operator. Only what may be logged is on it: the sentence behind an error may
 * quote a value, so its code stands alone and `process show` has the rest.
 */
export function importProcessPage(supplier: string, { process, events }: Shown): string {
  const { externalAccountNumber: number } = process;
  const facts: [string, string | number | null][] = [
    ['Status', process.status],
    ['Error', process.errorCode],
    ['Account', process.accountNumber],
    ['External identifier', process.externalIdentifier],
    ['Version', process.version],
    ['Dry run only', process.isDryRun ? 'yes' : 'no'],
    ['Window opens', process.scheduleWindowStart],
    ['Window closes', process.scheduleWindowEnd],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== '');
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${safe(supplier)} ${safe(number)}</title><link rel="icon" href="/queues/static/images/logo.svg"><style>${STYLE}</style></head>
<body><p><a href="/queues/queue/account-imports">account-imports</a></p>
<h1>${safe(supplier)} ${safe(number)}</h1>
<table>${known.map(([what, value]) => `<tr><th scope="row">${what}</th><td>${safe(value)}</td></tr>`).join('')}</table>
<h2>Events</h2>
<table><tr><th>When</th><th>What</th><th>Version</th><th>Attempt</th><th>Error</th><th>Who</th></tr>
${events.map(({ occurredAt, event, version, attempt, errorCode, actor }) => row([occurredAt, event, version, attempt, errorCode, actor])).join('\n')}</table>
<p>Everything about it: <code>npm run cli -- process show --supplier ${safe(quoted(supplier))} --external-account-number ${safe(quoted(number))}</code></p>
</body></html>
`;
}

const row = (cells: (string | number | null)[]) =>
  `<tr>${cells.map((cell) => `<td>${safe(cell ?? '')}</td>`).join('')}</tr>`;

const safe = (value: string | number | null) =>
  String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** For a shell. */
const quoted = (value: string) => (/^[\w.-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`);
