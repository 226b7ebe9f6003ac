import type { Config } from '../config/config';
import type { Statement } from '../database/connection/database';

/** What may be stored in a limited number. */
export interface QuotaKind {
  setting: Extract<keyof Config, `QUOTA_${string}`>;
  /** What an organisation, a supplier or the code of a supplier has stored, for a sentence and for documents. */
  description: string;
  /** How a supplier goes on that has reached the limit. */
  remedy: string;
  /** Which member of a {@link QuotaOwner} has them. */
  owner: keyof QuotaOwner;
  /** Counts those of the owner `$1` up to `$2`. It reads one index, and no more entries of it. */
  count: Statement;
}

/** A supplier, with the organisation that some kinds belong to. */
export interface QuotaOwner {
  supplierId: number;
  supplier: string;
  organisationId: number;
}

/** `found` has one row for each stored thing, and a limit. */
function countStatement(kind: string, ...found: string[]): Statement {
  const counts = found.map((text) => `(SELECT count(*) FROM (${text} LIMIT $2::integer) stored)`);
  return { name: `count-${kind}`, text: `SELECT (${counts.join(' + ')})::integer AS count` };
}

/** The entries of the audit that requests of a supplier have made within a day. Each condition has an index of its own. */
const entriesOfTenant = (condition: string) => `SELECT FROM audit_entry
       WHERE supplier = $1 AND actor LIKE 'api-key:%' AND ${condition} AND occurred_at > now() - interval '24 hours'`;

/** Every kind of thing that a tenant can make the service store without end, besides accounts themselves. */
export const QUOTA_KINDS = {
  open_submissions: {
    setting: 'QUOTA_OPEN_SUBMISSIONS',
    description: 'Open submissions of the supplier.',
    remedy: 'Complete or abort submissions.',
    owner: 'supplierId',
    count: countStatement(
      'open-submissions',
      `SELECT FROM submission WHERE supplier_id = $1 AND status = 'OPEN'`,
    ),
  },
  refused_lines: {
    setting: 'QUOTA_REFUSED_LINES',
    description: 'Refused lines of all submissions of the supplier.',
    remedy: 'Correct them and send the corrected lines alone in their submissions, which replaces them.',
    owner: 'supplierId',
    count: countStatement(
      'refused-lines',
      'SELECT FROM submission_line WHERE refused_supplier_id IS NOT NULL AND refused_supplier_id = $1',
      `SELECT FROM submission_addition WHERE supplier_id = $1 AND status = 'REFUSED'`,
    ),
  },
  staged_accounts: {
    setting: 'QUOTA_STAGED_ACCOUNTS',
    description: 'Staged accounts of the supplier that wait for a request to process them.',
    remedy: 'Process or cancel staged accounts.',
    owner: 'supplierId',
    count: countStatement(
      'staged-accounts',
      `SELECT FROM import_process WHERE supplier_id = $1 AND staging = 'WAITING' AND status = 'PENDING'`,
    ),
  },
  audit_entries: {
    setting: 'QUOTA_AUDIT_ENTRIES_PER_DAY',
    description:
      'Entries of the audit by requests of the supplier that change something, of the last 24 hours.',
    remedy: 'Send fewer requests that stage or process accounts, or that change submissions and webhooks.',
    owner: 'supplier',
    count: countStatement('audit-entries-of-tenants', entriesOfTenant(`action <> 'account.read'`)),
  },
  account_reads: {
    setting: 'QUOTA_ACCOUNT_READS_PER_DAY',
    description: 'Accounts that the supplier has read back, of the last 24 hours. The audit has each.',
    remedy: 'Read accounts later, or fewer of them.',
    owner: 'supplier',
    count: countStatement('account-reads-of-tenants', entriesOfTenant(`action = 'account.read'`)),
  },
  idempotency_keys: {
    setting: 'QUOTA_IDEMPOTENCY_KEYS',
    description: 'Requests with an Idempotency-Key of the organisation whose answers are stored.',
    remedy: 'Send requests without the header, or wait until answers have expired.',
    owner: 'organisationId',
    count: countStatement('idempotency-keys', 'SELECT FROM idempotency_key WHERE organisation_id = $1'),
  },
  webhook_attempts: {
    setting: 'QUOTA_WEBHOOK_ATTEMPTS',
    description:
      'Attempts to deliver webhooks of the supplier. The oldest ones are deleted, and none is refused.',
    remedy: 'Nothing is to be done.',
    owner: 'supplierId',
    count: countStatement(
      'webhook-attempts',
      `SELECT FROM webhook_endpoint endpoint JOIN webhook_attempt attempt ON attempt.endpoint_id = endpoint.id
       WHERE endpoint.supplier_id = $1`,
    ),
  },
} as const satisfies Readonly<Record<string, QuotaKind>>;

export type QuotaName = keyof typeof QUOTA_KINDS;

/** The names of all kinds, in the order in which they are shown. */
export const QUOTA_NAMES = Object.keys(QUOTA_KINDS) as QuotaName[];
