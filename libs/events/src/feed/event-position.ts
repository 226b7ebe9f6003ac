/**
 * A place in a feed of events. Events are ordered by the transaction that wrote them, then by their source and key. A
 * position is after the event that it names.
 */
export interface EventPosition {
  /** `event_transaction_id()` of the event, as decimal text. */
  transaction: string;
  /** 0: events of import processes; 1: events of submissions, which follow those of their transaction. */
  source: 0 | 1;
  /** The id of the process or submission. */
  id: string;
  /** The version of the process, or the number of the submission's event. */
  version: number;
  /** The attempt of the process; 0 for a submission. */
  attempt: number;
  /** The stored event; empty for a submission. */
  event: string;
}

/** The position before every event of a transaction. */
export function beforeTransaction(transaction: string): EventPosition {
  return { transaction, source: 0, id: '0', version: 0, attempt: 0, event: '' };
}

/** The position before the first event of a feed. */
export const BEGINNING: EventPosition = beforeTransaction('0');
