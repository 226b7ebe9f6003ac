import { type LocalDate } from '../calendar/local-date';
import { type Period } from './billing-cycle';

/** What adjustment looks at in a transaction. */
export interface DatedTransaction {
  readonly transaction_id: string;
  readonly transaction_date: LocalDate;
}

/** A transaction and the day it goes on the ledger. */
export interface Placed<Transaction> {
  readonly transaction: Transaction;
  /** A day of the open period. */
  readonly date: LocalDate;
  /** The supplier's date where it was changed, else null. */
  readonly originalDate: LocalDate | null;
  /** A sentence for the transaction's description where its date was changed, else null. */
  readonly explanation: string | null;
}

export type Adjustment<Transaction> =
  | {
      readonly ok: true;
      readonly transactions: readonly Placed<Transaction>[];
      /** The note to pin to the account; null where nothing was moved. */
      readonly note: string | null;
    }
  /** The first transaction outside the open period, by its place in the list, and why it is refused. */
  | { readonly ok: false; readonly index: number; readonly detail: string };

/**
 * Puts transactions into the open statement period, whose two ends belong to it (contract 4.3). One that is dated
 * outside is moved to the nearer end when `force` is true; when it is false the first such one fails them all.
 *
 * Meant for transactions that are to be added: one that was added before is no reason to fail or to pin a note.
 */
export function adjust<Transaction extends DatedTransaction>(
  transactions: readonly Transaction[],
  open: Period,
  force: boolean,
): Adjustment<Transaction> {
  const placed = transactions.map((transaction) => place(transaction, open));
  const moved = placed.filter(isMoved);
  const [first] = moved;
  if (!first) return { ok: true, transactions: placed, note: null };
  if (!force)
    return {
      ok: false,
      index: placed.indexOf(first),
      detail:
        `The transaction is dated ${first.originalDate}, outside the open statement period from ${open.start} to ` +
        `${open.end}. Date it within the period, or let force_add_to_current_statement be true to have it moved.`,
    };
  return { ok: true, transactions: placed, note: noteOn(moved, open) };
}

type Moved<Transaction> = Placed<Transaction> & { readonly originalDate: LocalDate };

function isMoved<Transaction>(placed: Placed<Transaction>): placed is Moved<Transaction> {
  return placed.originalDate !== null;
}

function place<Transaction extends DatedTransaction>(
  transaction: Transaction,
  { start, end }: Period,
): Placed<Transaction> {
  const given = transaction.transaction_date;
  if (given >= start && given <= end)
    return { transaction, date: given, originalDate: null, explanation: null };
  const [date, edge] = given < start ? [start, 'first'] : [end, 'last'];
  const explanation = `Dated ${given} by the supplier; moved to ${date}, the ${edge} day of the open statement period.`;
  return { transaction, date, originalDate: given, explanation };
}

const MOST_LISTED = 100;
const LONGEST_ID = 64;

function noteOn(moved: readonly Moved<DatedTransaction>[], { start, end }: Period): string {
  const period = `the open statement period from ${start} to ${end}`;
  const lines = moved
    .slice(0, MOST_LISTED)
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

/** Cut short without leaving half a surrogate pair, which cannot be stored. */
function excerpt(id: string): string {
  return id.length <= LONGEST_ID ? id : `${id.slice(0, LONGEST_ID - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
