import type { AuditedAction } from '@portage/database';
import { AUDIT_ACTIONS } from '@portage/domain';
import { type AuditFilter, AuditTrail, Refusal } from '@portage/importing';
import { Command } from 'commander';
import { command, withApplication } from '../command';
import { print } from '../standard-output';

/** Written together: as many lines as a terminal shows at once, and some. */
const LINES_AT_ONCE = 200;

const shape = ({ occurredAt, actor, action, supplier, subject, details }: AuditedAction) => ({
  occurred_at: occurredAt,
  actor,
  action,
  import_supplier: supplier,
  subject,
  details,
});

const line = ({ occurredAt, actor, action, supplier, subject, details }: AuditedAction) => {
  const about = [supplier, subject].filter((part) => part !== null).join(' ');
  const more = Object.keys(details).length > 0 ? JSON.stringify(details) : '';
  return [occurredAt.padEnd(30), actor.padEnd(24), action.padEnd(20), about, more].join(' ').trimEnd();
};

interface Asked extends AuditFilter {
  limit?: string;
  json?: true;
}

/** `audit list`: printed as it is read, for there is an entry for each account that was ever scheduled. */
async function listAudit({ limit, json, ...filter }: Asked): Promise<void> {
  const most = limit === undefined ? Infinity : Number(limit);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw new Refusal('--limit is a whole number from 1 on.');
  await withApplication(async (app) => {
    const [begin, between, end, none] = json
      ? ['[\n  ', ',\n  ', '\n]\n', '[]\n']
      : ['', '\n', '\n', NOTHING];
    let waiting: string[] = [];
    let count = 0;
    const flush = async () => {
      const lead = count === waiting.length ? begin : between;
      const isRead = waiting.length === 0 || (await print(lead + waiting.join(between)));
      waiting = [];
      return isRead;
    };
    for await (const entry of app.get(AuditTrail).list(filter)) {
      waiting.push(json ? JSON.stringify(shape(entry)) : line(entry));
      count += 1;
      if (waiting.length === LINES_AT_ONCE && !(await flush())) return;
      if (count === most) break;
    }
    if (await flush()) await print(count === 0 ? none : end);
  });
}

const NOTHING = 'There are no such entries.\n';

export function auditCommands(): Command {
  return new Command('audit').description('Who did what, and when.').addCommand(
    command('list', 'List what was done, the newest first.')
      .option('--since <time>', 'from this moment on, in UTC: 2026-11-21 or 2026-11-21T08:30:00Z')
      .option('--until <time>', 'before this moment')
      .option('--supplier <code>', 'only what was about this supplier')
      .option('--actor <actor>', 'only what this one did: operator:<name> or api-key:<prefix>')
      .option('--action <action>', `only ${AUDIT_ACTIONS.join(', ')}`)
      .option('--limit <count>', 'at most so many')
      .action(listAudit),
  );
}
