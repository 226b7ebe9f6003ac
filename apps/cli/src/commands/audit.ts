import { type AuditSearch, SearchAudit } from '@portage/operators';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditedAction,
  escapeForLine,
  parseUtcDatetime,
  PortageError,
} from '@portage/platform';
import { Command } from 'commander';
import { command, withApplication } from '../command';
import { print } from '../standard-output';

const NO_ENTRIES = 'There are no matching entries.\n';

const toJson = ({ occurredAt, actor, action, supplier, subject, details }: AuditedAction) => ({
  occurred_at: occurredAt,
  actor,
  action,
  import_supplier: supplier,
  subject,
  details,
});

const formatLine = ({ occurredAt, actor, action, supplier, subject, details }: AuditedAction) => {
  const target = [supplier, subject].filter((part) => part !== null).join(' ');
  const detailText = Object.keys(details).length > 0 ? JSON.stringify(details) : '';
  return escapeForLine(
    [occurredAt.padEnd(30), actor.padEnd(24), action.padEnd(20), target, detailText].join(' ').trimEnd(),
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
  let left = limit === undefined ? Infinity : Number(limit);
  await withApplication(async (app) => {
    const [begin, between, end, none] = json
      ? ['[\n  ', ',\n  ', '\n]\n', '[]\n']
      : ['', '\n', '\n', NO_ENTRIES];
    let isFirst = true;
    for await (const entries of app.get(SearchAudit).list(search)) {
      const shown = entries.slice(0, left);
      const lines = shown.map((entry) => (json ? JSON.stringify(toJson(entry)) : formatLine(entry)));
      if (!(await print((isFirst ? begin : between) + lines.join(between)))) return;
      isFirst = false;
      left -= shown.length;
      if (left === 0) break;
    }
    await print(isFirst ? none : end);
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
