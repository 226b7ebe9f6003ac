/**
 * The actions in the audit trail. Each has the name of its command; `account.schedule`, `account.correct` and
 * `submission.open` are requests of API clients.
 */
export const AUDIT_ACTIONS = [
  'account.schedule',
  'account.stage',
  'account.process',
  'account.read',
  'account.erase',
  'account.take_back',
  'account.correct',
  'account.reimport',
  'process.release',
  'process.cancel',
  'process.retry',
  'process.erase',
  'process.read-payload',
  'process.read-correction',
  'submission.open',
  'submission.complete',
  'submission.abort',
  'submission.rollback',
  'webhook.create',
  'webhook.enable',
  'webhook.disable',
  'webhook.rotate-secret',
  'webhook.replay',
  'webhook.test',
  'webhook.verify',
  'webhook.delete',
  'supplier.create',
  'supplier.set',
  'supplier.set-status',
  'instance.set',
  'reference.import',
  'reference.remove',
  'organisation.create',
  'api-key.issue',
  'api-key.revoke',
  'queue.pause',
  'queue.resume',
  'operator.create',
  'operator.set-role',
  'operator.disable',
  'operator.enable',
  'operator.reset-password',
  'operator.change-password',
  'operator.confirm-totp',
  'operator.remove-totp',
  'operator.log-in',
  'operator.log-out',
  'operator.fail-log-in',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Actions that end something. Nothing that a supplier has stored may keep it from them. */
const CONTROL_ACTIONS: ReadonlySet<AuditAction> = new Set([
  'process.cancel',
  'submission.complete',
  'submission.abort',
  'webhook.disable',
  'webhook.rotate-secret',
  'webhook.delete',
]);

/** The quota that limits an action of a supplier; undefined for one that is always allowed. */
export function quotaOfAction(action: AuditAction): 'audit_entries' | 'account_reads' | undefined {
  if (CONTROL_ACTIONS.has(action)) return undefined;
  return action === 'account.read' ? 'account_reads' : 'audit_entries';
}

/** The actor of a command line command. */
export const operatorActor = (name: string): string => `operator:${name}`;

/** The actor of an API request, by the prefix of the API key of the token. */
export const apiKeyActor = (prefix: string): string => `api-key:${prefix}`;

/** True for the actor of an API request: what it does is limited. */
export const isApiKeyActor = (actor: string): boolean => actor.startsWith(apiKeyActor(''));

/**
 * One entry of the audit trail. It contains codes, counts, settings and the supplier's account numbers, never a value of
 * an account, so erasing an account does not change it.
 */
export interface AuditEntry {
  actor: string;
  action: AuditAction;
  /** Supplier code. */
  supplier?: string;
  /**
   * The object of the action: an account number, the prefix of an API key, or the name of a list, organisation or
   * queue.
   */
  subject?: string;
  details?: Record<string, unknown>;
}
