import type { Config } from '../config/config';

/** What may be stored in a limited number. */
export interface QuotaKind {
  setting: Extract<keyof Config, `QUOTA_${string}`>;
  /** What an organisation, a supplier or the code of a supplier has stored, for a sentence and for documents. */
  description: string;
  /** How a supplier goes on that has reached the limit. */
  remedy: string;
  /** Which member of a {@link QuotaOwner} has them. */
  owner: keyof QuotaOwner;
  /** The rows of the owner `:owner` that are counted. Each condition reads one index. */
  counted: readonly { table: string; where: string }[];
}

/** A supplier, with the organisation that some kinds belong to. */
export interface QuotaOwner {
  supplierId: number;
  supplier: string;
  organisationId: number;
}

/** The entries of the audit that requests of a supplier have made within a day. Each condition has an index of its own. */
const entriesOfTenant = (condition: string) => ({
  table: 'audit_entry',
  where: `supplier = :owner AND actor LIKE 'api-key:%' AND ${condition} AND occurred_at > now() - interval '24 hours'`,
});

/** Every kind of thing that a tenant can make the service store without end, besides accounts themselves. */
export const QUOTA_KINDS = {
  open_submissions: {
    setting: 'QUOTA_OPEN_SUBMISSIONS',
    description: 'Open submissions of the supplier.',
    remedy: 'Complete or abort submissions.',
    owner: 'supplierId',
    counted: [{ table: 'submission', where: `supplier_id = :owner AND status = 'OPEN'` }],
  },
  refused_lines: {
    setting: 'QUOTA_REFUSED_LINES',
    description: 'Refused lines of all submissions of the supplier.',
    remedy: 'Correct them and send the corrected lines alone in their submissions, which replaces them.',
    owner: 'supplierId',
    counted: [
      { table: 'submission_line', where: 'refused_supplier_id = :owner' },
      { table: 'submission_addition', where: `supplier_id = :owner AND status = 'REFUSED'` },
    ],
  },
  staged_accounts: {
    setting: 'QUOTA_STAGED_ACCOUNTS',
    description: 'Staged accounts of the supplier that wait for a request to process them.',
    remedy: 'Process or cancel staged accounts.',
    owner: 'supplierId',
    counted: [
      {
        table: 'import_process',
        where: `supplier_id = :owner AND staging = 'WAITING' AND status = 'PENDING'`,
      },
    ],
  },
  audit_entries: {
    setting: 'QUOTA_AUDIT_ENTRIES_PER_DAY',
    description:
      'Entries of the audit by requests of the supplier that change something, of the last 24 hours.',
    remedy: 'Send fewer requests that stage or process accounts, or that change submissions and webhooks.',
    owner: 'supplier',
    counted: [entriesOfTenant(`action <> 'account.read'`)],
  },
  account_reads: {
    setting: 'QUOTA_ACCOUNT_READS_PER_DAY',
    description: 'Accounts that the supplier has read back, of the last 24 hours. The audit has each.',
    remedy: 'Read accounts later, or fewer of them.',
    owner: 'supplier',
    counted: [entriesOfTenant(`action = 'account.read'`)],
  },
  idempotency_keys: {
    setting: 'QUOTA_IDEMPOTENCY_KEYS',
    description: 'Requests with an Idempotency-Key of the organisation whose answers are stored.',
    remedy: 'Send requests without the header, or wait until answers have expired.',
    owner: 'organisationId',
    counted: [{ table: 'idempotency_key', where: 'organisation_id = :owner' }],
  },
  webhook_attempts: {
    setting: 'QUOTA_WEBHOOK_ATTEMPTS',
    description:
      'Attempts to deliver webhooks of the supplier. The oldest ones are deleted, and none is refused.',
    remedy: 'Nothing is to be done.',
    owner: 'supplierId',
    counted: [
      {
        table: 'webhook_attempt',
        where: 'endpoint_id = ANY(ARRAY(SELECT id FROM webhook_endpoint WHERE supplier_id = :owner))',
      },
    ],
  },
} as const satisfies Readonly<Record<string, QuotaKind>>;

export type QuotaName = keyof typeof QUOTA_KINDS;

/** The names of all kinds, in the order in which they are shown. */
export const QUOTA_NAMES = Object.keys(QUOTA_KINDS) as QuotaName[];
