/**
 * What is put on record of those who steer and configure: named as the command is. What the API is asked for is
 * `account.schedule`.
 */
export const AUDIT_ACTIONS = [
  'account.schedule',
  'account.erase',
  'process.release',
  'process.cancel',
  'process.retry',
  'supplier.create',
  'supplier.set',
  'supplier.set-status',
  'instance.set',
  'reference.import',
  'reference.remove',
  'organisation.create',
  'api-key.issue',
  'api-key.revoke',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did something with the command line. */
export const operatorActor = (name: string): string => `operator:${name}`;

/** Who asked the API for something, by the prefix of the key behind the token. */
export const apiKeyActor = (prefix: string): string => `api-key:${prefix}`;

/**
 * One thing that somebody did. It holds codes, counts, settings and the supplier's account numbers, never a value of
 * an account: an erasure leaves it alone.
 */
export interface AuditEntry {
  actor: string;
  action: AuditAction;
  /** The code of the supplier that it was about. */
  supplier?: string;
  /** What it was done to: an account number, a prefix of a key, the name of a list or an organisation. */
  subject?: string;
  details?: Record<string, unknown>;
}
