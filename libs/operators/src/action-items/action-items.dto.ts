import type { List } from '../console/page.dto';
/** What can wait for an operator, the most urgent first. */
export const ACTION_ITEM_KINDS = [
  'queues_unavailable',
  'worker_missing',
  'queue_without_worker',
  'queue_paused',
  'supplier_paused',
  'accounts_awaiting_release',
  'accounts_errored',
  'dry_runs_errored',
  'lines_refused',
  'payment_instructions_refused',
  'documents_missing',
  'documents_refused',
  'webhook_failing',
  'submission_not_reconciled',
] as const;
export type ActionItemKind = (typeof ACTION_ITEM_KINDS)[number];

/** A state that lasts until an operator acts. */
export interface ActionItemView {
  /**
   * `payment_instructions_refused`: also those that failed for another reason, of the last REQUEST_MEMORY_HOURS, and
   * without a later one of the account that was stored.
   */
  kind: ActionItemKind;
  /** Its code. Null for queues. */
  import_supplier: string | null;
  /** The queue, the id of the webhook endpoint or the reference of the submission. Null for others. */
  subject: string | null;
  /**
   * Accounts, lines, payment instructions, documents or failed attempts; of a queue, the accounts that wait, or its
   * jobs. 1 for a submission.
   */
  count: number;
  /** True if there are more than `count`. */
  is_capped: boolean;
  /** Since when the oldest of them is in this state. Null if it is not known. */
  since: string | null;
  /** Of a submission. Null for others. */
  id: string | null;
}

/** All action items. */
export type ActionItemList = List<ActionItemView>;
