import { integer } from '../validators';

/** A limit of what is counted in an index up to the limit. */
const quota = (value: number, desc: string) => integer({ min: 1, max: 10_000_000, default: value, desc });

/** What a supplier or an organisation may have stored. `limits/quota-kinds.ts` says how each kind is counted. */
export const quotaSettings = {
  QUOTA_OPEN_SUBMISSIONS: quota(100, 'Submissions of one supplier that are open at the same time.'),
  QUOTA_REFUSED_LINES: quota(500_000, 'Refused lines of all submissions of one supplier that are stored.'),
  QUOTA_STAGED_ACCOUNTS: quota(
    1_000_000,
    'Staged accounts of one supplier that wait for a request to process them.',
  ),
  QUOTA_AUDIT_ENTRIES_PER_DAY: quota(
    1_000_000,
    'Entries of the audit that requests of one supplier make in 24 hours. Those that only end something are not refused.',
  ),
  QUOTA_ACCOUNT_READS_PER_DAY: quota(1_000_000, 'Accounts that one supplier reads back in 24 hours.'),
  QUOTA_IDEMPOTENCY_KEYS: quota(
    2_000_000,
    'Requests of one organisation with an Idempotency-Key whose answers are stored.',
  ),
  QUOTA_WEBHOOK_ATTEMPTS: quota(
    100_000,
    'Attempts to deliver webhooks that are stored of one supplier, a twentieth of them of each endpoint. The oldest ones are deleted.',
  ),
};
