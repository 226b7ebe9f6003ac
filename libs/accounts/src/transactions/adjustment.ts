import type { LocalDate } from '@portage/platform';
import type { Period } from '../statements/billing-cycle';

/** The fields of a transaction that the adjustment reads. */
export interface DatedTransaction {
  readonly transaction_id: string;
  readonly transaction_date: LocalDate;
}

/** A transaction with its date on the ledger. */
export interface AdjustedTransaction<Transaction> {
  readonly transaction: Transaction;
  /** A day in the open period. */
  readonly date: LocalDate;
  /** The supplier's date if it was changed, else null. */
  readonly originalDate: LocalDate | null;
  /** A sentence for the description of the transaction if its date was changed, else null. */
  readonly explanation: string | null;
}

/** The result of {@link adjust}. */
export type Adjustment<Transaction> =
  | {
      readonly ok: true;
      readonly transactions: readonly AdjustedTransaction<Transaction>[];
      /** The note to pin to the account; null if no transaction was moved. */
      readonly note: string | null;
    }
  /** The index of the first transaction outside the open period, and why it is refused. */
  | { readonly ok: false; readonly index: number; readonly detail: string };

/**
 * Adjusts transactions to the open statement period, which includes both its ends (contract, "Add transactions"). With
 * `force`, a transaction outside the period is moved to the nearer end. Without `force`, the first such transaction
 * fails the whole request.
 *
 * @param transactions the transactions that will be added, without those that exist already
 */
export function adjust<Transaction extends DatedTransaction>(
  transactions: readonly Transaction[],
  open: Period,
  force: boolean,
): Adjustment<Transaction> {
  const adjusted = transactions.map((transaction) => moveIntoPeriod(transaction, open));
  const moved = adjusted.filter(isMoved);
  const [first] = moved;
  if (!first) return { ok: true, transactions: adjusted, note: null };
  if (!force)
    return {
      ok: false,
      index: adjusted.indexOf(first),
      detail:
        `The transaction is dated ${first.originalDate}, outside the open statement period from ${open.start} to ` +
        `${open.end}. Date it within the period, or set force_add_to_current_statement to true to have it moved.`,
    };
  return { ok: true, transactions: adjusted, note: noteText(moved, open) };
}

type MovedTransaction<Transaction> = AdjustedTransaction<Transaction> & { readonly originalDate: LocalDate };

function isMoved<Transaction>(
  adjusted: AdjustedTransaction<Transaction>,
): adjusted is MovedTransaction<Transaction> {
  return adjusted.originalDate !== null;
}

function moveIntoPeriod<Transaction extends DatedTransaction>(
  transaction: Transaction,
  { start, end }: Period,
): AdjustedTransaction<Transaction> {
  const originalDay = transaction.transaction_date;
  if (originalDay >= start && originalDay <= end)
    return { transaction, date: originalDay, originalDate: null, explanation: null };
  const [date, edge] = originalDay < start ? [start, 'first'] : [end, 'last'];
  const explanation = `Dated ${originalDay} by the supplier; moved to ${date}, the ${edge} day of the open statement period.`;
  return { transaction, date, originalDate: originalDay, explanation };
}

const MAX_LISTED = 100;
const MAX_ID_LENGTH = 64;

function noteText(moved: readonly MovedTransaction<DatedTransaction>[], { start, end }: Period): string {
  const period = `the open statement period from ${start} to ${end}`;
  const lines = moved
    .slice(0, MAX_LISTED)
    .map(
      ({ transaction, originalDate, date }) =>
        `${excerpt(transaction.transaction_id)}: dated ${originalDate}, moved to ${date}`,
    );
  const more = moved.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  const head =
    moved.length === 1
      ? `1 imported transaction was dated outside ${period}, and was moved into it:`
      : `${moved.length} imported transactions were dated outside ${period}, and were moved into it:`;
  return [head, ...lines].join('\n');
}

/** Truncates an id without splitting a surrogate pair, which could not be stored. */
function excerpt(id: string): string {
  return id.length <= MAX_ID_LENGTH
    ? id
    : `${id.slice(0, MAX_ID_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
