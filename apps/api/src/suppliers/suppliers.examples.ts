/** What a supplier has stored. */
export const exampleQuotas = {
  open_submissions: { used: 1, limit: 100 },
  refused_lines: { used: 214, limit: 500_000 },
  staged_accounts: { used: 0, limit: 1_000_000 },
  audit_entries: { used: 12, limit: 1_000_000 },
  account_reads: { used: 0, limit: 1_000_000 },
  idempotency_keys: { used: 0, limit: 2_000_000 },
  webhook_attempts: { used: 71, limit: 100_000 },
};
