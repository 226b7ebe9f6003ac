import { addDays, FIRST_DAY, type LocalDate } from '@portage/platform';
import { type BillingCycle, type Period, periodContaining } from './billing-cycle';

/** The closed period of an account's history. `start` is null if the first day of the history is unknown. */
export interface HistoryPeriod {
  readonly start: LocalDate | null;
  readonly end: LocalDate;
}

/** The facts that determine the first periods of an imported ledger. */
export interface ImportedHistory {
  readonly lastStatementClosingDate?: LocalDate | null;
  readonly earliestLastBilledToDate?: LocalDate | null;
  /** Date of the oldest historical record, such as a transaction. */
  readonly earliestHistoricalDate?: LocalDate | null;
  /** In the supplier's time zone. */
  readonly dayOfImport: LocalDate;
  readonly cycle: BillingCycle;
}

/** The first day that leaves a day for the closed period. */
const EARLIEST_START = addDays(FIRST_DAY, 1);

/**
 * The first statement periods of an imported ledger: a closed one and an open one that starts on the next day.
 *
 * The open period starts on the day after the last closed statement, or else at the earliest last_billed_to_date, or
 * else on the day of import. It ends with the billing cycle that contains the day of import. If it starts after this
 * cycle, because a statement closes in the future, it ends with the cycle that contains its start, so it is never empty.
 */
export function initialPeriods(history: ImportedHistory): { closed: HistoryPeriod; open: Period } {
  const { lastStatementClosingDate: closing, earliestHistoricalDate: earliest, dayOfImport, cycle } = history;
  const desiredStart = closing ? addDays(closing, 1) : (history.earliestLastBilledToDate ?? dayOfImport);
  const start = later(desiredStart, EARLIEST_START);
  const before = addDays(start, -1);
  return {
    closed: { start: earliest && earliest <= before ? earliest : null, end: before },
    open: { start, end: periodContaining(later(start, dayOfImport), cycle).end },
  };
}

/** Ten years of monthly periods: more than any outage, and few enough for one transaction. */
const MAX_CLOSED_PERIODS = 120;

/**
 * Closes the periods that have ended before `today`, oldest first, and returns the new open period. Consecutive periods
 * have no gap. If no period has ended, the open period is unchanged.
 *
 * One call closes at most `maxClosed` periods. If the returned open period has ended too, call it again.
 */
export function rollOver(
  openPeriod: Period,
  cycle: BillingCycle,
  today: LocalDate,
  maxClosed = MAX_CLOSED_PERIODS,
): { closed: Period[]; open: Period } {
  const closed: Period[] = [];
  let open = openPeriod;
  while (open.end < today && closed.length < maxClosed) {
    closed.push(open);
    const start = addDays(open.end, 1);
    open = { start, end: periodContaining(start, cycle).end };
  }
  return { closed, open };
}

function later(a: LocalDate, b: LocalDate): LocalDate {
  return a > b ? a : b;
}
