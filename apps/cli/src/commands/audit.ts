import { type AuditFilter, AuditTrail } from '@portage/operators';
import { AUDIT_ACTIONS, type AuditedAction, escapeForLine, PortageError } from '@portage/platform';
import { Command } from 'commander';
import { command, withApplication } from '../command';
import { print } from '../standard-output';

/** Number of lines that are written in one call: a little more than a terminal shows. */
const LINES_PER_WRITE = 200;

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

interface ListOptions extends AuditFilter {
  limit?: string;
  json?: true;
}

/**
 * Runs `audit list`. Entries are printed as they are read, because there is one for each account that was ever
 * scheduled.
 */
async function listAudit({ limit, json, ...filter }: ListOptions): Promise<void> {
  const maxCount = limit === undefined ? Infinity : Number(limit);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new PortageError('operation_refused', '--limit must be a whole number of at least 1.');
  await withApplication(async (app) => {
    const [begin, between, end, none] = json
      ? ['[\n  ', ',\n  ', '\n]\n', '[]\n']
      : ['', '\n', '\n', NO_ENTRIES];
    let pending: string[] = [];
    let count = 0;
    const flush = async () => {
      const lead = count === pending.length ? begin : between;
      const hasReader = pending.length === 0 || (await print(lead + pending.join(between)));
      pending = [];
      return hasReader;
    };
    for await (const entry of app.get(AuditTrail).list(filter)) {
      pending.push(json ? JSON.stringify(toJson(entry)) : formatLine(entry));
      count += 1;
      if (pending.length === LINES_PER_WRITE && !(await flush())) return;
      if (count === maxCount) break;
    }
    if (await flush()) await print(count === 0 ? none : end);
  });
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
