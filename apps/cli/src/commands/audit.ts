import { type AuditEntryView, type AuditSearch, SearchAudit } from '@portage/operators';
import { AUDIT_ACTIONS, type AuditAction, parseUtcDatetime, PortageError } from '@portage/platform';
import { escapeForLine } from '@portage/text';
import { Command } from 'commander';
import { command, withApplication } from '../command';
import { printList, readPages, takeFirst } from '../list-output';

const formatLine = ({ occurred_at, actor, action, import_supplier, subject, details }: AuditEntryView) => {
  const target = [import_supplier, subject].filter((part) => part !== null).join(' ');
  const detailText = Object.keys(details).length > 0 ? JSON.stringify(details) : '';
  return escapeForLine(
    [occurred_at.padEnd(30), actor.padEnd(24), action.padEnd(20), target, detailText].join(' ').trimEnd(),
  );
};

interface ListOptions {
  since?: string;
  until?: string;
  supplier?: string;
  actor?: string;
  action?: string;
  limit?: string;
  json?: true;
}

/**
 * Runs `audit list`. Entries are printed as they are read, because there is one for each account that was ever
 * scheduled.
 */
async function listAudit({ limit, json, ...filters }: ListOptions): Promise<void> {
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new PortageError('operation_refused', '--limit must be a whole number of at least 1.');
  const search = parseSearch(filters);
  const max = limit === undefined ? Infinity : Number(limit);
  await withApplication(async (app) => {
    const entries = readPages(async (page) => app.get(SearchAudit).search(search, page));
    await printList(takeFirst(max, entries), {
      asJson: json ?? false,
      line: formatLine,
      none: 'There are no matching entries.',
    });
  });
}

function parseSearch({ since, until, supplier, actor, action }: ListOptions): AuditSearch {
  if (action !== undefined && !AUDIT_ACTIONS.includes(action as AuditAction))
    throw new PortageError('operation_refused', `--action is one of ${AUDIT_ACTIONS.join(', ')}.`);
  return {
    supplier,
    actor,
    action: action as AuditAction | undefined,
    since: since === undefined ? undefined : parseMoment('--since', since),
    until: until === undefined ? undefined : parseMoment('--until', until),
  };
}

function parseMoment(option: string, text: string): Date {
  const read = parseUtcDatetime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (read) return read;
  throw new PortageError(
    'operation_refused',
    `${option} is a day such as 2026-11-21, or a moment such as 2026-11-21T08:30:00Z, in UTC.`,
  );
}

/** `audit list`. */
export function auditCommands(): Command {
  return new Command('audit').description('The audit: which changes were made, by whom and when.').addCommand(
    command('list', 'List the recorded changes, the newest first.')
      .option('--since <time>', 'since this time, in UTC: 2026-11-21 or 2026-11-21T08:30:00Z')
      .option('--until <time>', 'before this time')
      .option('--supplier <code>', 'only changes of this supplier')
      .option('--actor <actor>', 'only changes by this actor: operator:<name> or api-key:<prefix>')
      .option('--action <action>', `only ${AUDIT_ACTIONS.join(', ')}`)
      .option('--limit <count>', 'at most this many entries')
      .action(listAudit),
  );
}
