import { type OverviewView, ViewOverview } from '@portage/operators';
import { Command } from 'commander';
import { command, show } from '../command';
import { sheet, table } from '../table';

/** `overview show`: what the overview of the console shows. */
export function overviewCommands(): Command {
  return new Command('overview').description('All suppliers at a glance.').addCommand(
    command('show', 'Show the figures of all suppliers, open submissions and health.').action(
      async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const overview = await app.get(ViewOverview).read();
          return { json: overview, text: formatOverview(overview) };
        }),
    ),
  );
}

const SUPPLIER_HEAD = [
  'supplier',
  'state',
  'processed',
  'waiting',
  'errors',
  'accounts a second',
  'oldest waiting since',
  'estimated end',
];

function formatOverview(overview: OverviewView): string {
  const { generated_at, suppliers, submissions_in_progress: submissions, health } = overview;
  const { database, queues, document_store: store, vendors, workers } = health;
  const supplierRows = suppliers.map(({ states, ...one }) => [
    one.code,
    one.status,
    states.PROCESSED,
    states.PENDING + states.IN_PROGRESS,
    one.errored,
    one.processed_per_second,
    one.oldest_waiting_at ?? 'none',
    one.estimated_end_at ?? '-',
  ]);
  const submissionRows = submissions.map((one) => [one.id, one.import_supplier, one.status, one.reference]);
  return [
    sheet({
      'as of': generated_at,
      database: database.detail ?? database.status,
      queues: queues.detail ?? queues.status,
      'document store': `${store.detail ?? store.status}, checked at ${store.checked_at}`,
      'workers alive': `${workers.alive}, last report ${workers.seen[0]?.last_seen_at ?? 'none'}`,
      ...Object.fromEntries(vendors.map(({ name, breaker }) => [name, `breaker ${breaker}`])),
    }),
    table(SUPPLIER_HEAD, supplierRows, 'There are no suppliers.'),
    table(['submission', 'supplier', 'state', 'reference'], submissionRows, 'No submission is in progress.'),
  ].join('\n');
}
