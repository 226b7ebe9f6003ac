import { addDays, FIRST_DAY, type LocalDate } from '../calendar/local-date';
import { type BillingCycle, type Period, periodContaining } from './billing-cycle';

/** The closed period that an account's history is in; `start` is null where nobody knows how far it goes back. */
export interface HistoryPeriod {
  readonly start: LocalDate | null;
  readonly end: LocalDate;
}

/** What the first periods of an imported ledger follow from. */
export interface ImportedHistory {
  readonly lastStatementClosingDate?: LocalDate | null;
  readonly earliestLastBilledToDate?: LocalDate | null;
  /** Day of the oldest thing known of the past, such as a historical transaction. */
  readonly earliestHistoricalDate?: LocalDate | null;
  /** In the supplier's time zone. */
  readonly dayOfImport: LocalDate;
  readonly cycle: BillingCycle;
}

/** The first day that can have a day of history before it. */
const EARLIEST_START = addDays(FIRST_DAY, 1);

/**
 * The statement periods that a ledger begins with: one closed, one open, with no day between them (DESIGN 4).
 *
 * The open one starts the day after the last statement closed, else at the earliest last_billed_to_date, else on the
 * day of import, and ends with the cycle that contains the day of import. A start after that cycle (a statement that
 * closes in the future) takes the end of its own cycle, so that the open period is never empty.
 */
export function firstPeriods(history: ImportedHistory): { closed: HistoryPeriod; open: Period } {
  const { lastStatementClosingDate: closing, earliestHistoricalDate: earliest, dayOfImport, cycle } = history;
  const wanted = closing ? addDays(closing, 1) : (history.earliestLastBilledToDate ?? dayOfImport);
  const start = later(wanted, EARLIEST_START);
  const before = addDays(start, -1);
  return {
    closed: { start: earliest && earliest <= before ? earliest : null, end: before },
    open: { start, end: periodContaining(later(start, dayOfImport), cycle).end },
  };
}

/** Ten years of months: more than any outage, and few enough for one transaction. */
const MOST_CLOSED_AT_ONCE = 120;

/**
 * Which periods are to be closed because they have ended, oldest first, and which one is open then. Each new one
 * starts on the day after the last; with nothing to close, the answer is the open period as it is.
 *
 * At most `most` are closed at once; the open one may have ended then too, and rolling over again goes on from there.
 */
export function rollOver(
  openPeriod: Period,
  cycle: BillingCycle,
  today: LocalDate,
  most = MOST_CLOSED_AT_ONCE,
): { closed: Period[]; open: Period } {
  const closed: Period[] = [];
  let open = openPeriod;
  while (open.end < today && closed.length < most) {
    closed.push(open);
    const start = addDays(open.end, 1);
    open = { start, end: periodContaining(start, cycle).end };
  }
  return { closed, open };
}

function later(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}
