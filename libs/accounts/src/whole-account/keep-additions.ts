import type { Transaction } from '@portage/account-schema';
import { type FieldError, formatMoney, type Money, parseMoney } from '@portage/platform';
import { chargedPeriodsOf } from '../transactions/transaction-columns';
import type { AccountRow, AccountRows, NewAccount } from './account-rows';

/** A statement period as it is stored. Dates and timestamps are PostgreSQL's text. */
export interface StoredPeriod {
  position: number;
  startDate: string | null;
  endDate: string;
  closedAt: string | null;
  closingBalance: string | null;
  /** True if a request has added a transaction to it. */
  hasAdditions: boolean;
}

/** A ledger as it is stored. */
export interface StoredLedger {
  position: number;
  ledgerCode: string | null;
  balance: string;
  /** The effect on the balance of the transactions that requests have added. */
  added: string;
  periods: StoredPeriod[];
}

/** What a correction of an account leaves as it is: what requests and the roll-over have added since its import. */
export interface Additions {
  organisationId: number;
  ledgers: StoredLedger[];
  /** The added transactions that charge supply points, in the contract's shape. */
  charges: Transaction[];
  documents: AccountRow<'document'>[];
}

/** A corrected account that keeps what was added, and why it cannot be stored. */
export interface KeptAdditions {
  account: NewAccount;
  /** Empty if it can be stored. */
  obstacles: FieldError[];
  /** The positions of the ledgers of which a statement period was closed since the import. */
  closedLedgers: Set<number>;
}

/** Digits before the decimal point of balances, and of what was added between two of them, which may have one more. */
const MAX_DIGITS = 14;

/**
 * Joins the rows of a corrected account with what was added since its import. A ledger is found again by its code, and
 * keeps its position, which added transactions refer to; its balance is that of the import plus what was added. A statement
 * period keeps what has become of it.
 */
export function keepAdditions(account: NewAccount, additions: Additions): KeptAdditions {
  const positions = matchLedgers(account.rows.ledger, additions.ledgers);
  const storedAt = new Map(additions.ledgers.map((ledger) => [ledger.position, ledger]));
  const obstacles: FieldError[] = [];
  const closedLedgers = new Set<number>();
  const ledgers: AccountRows['ledger'] = [];
  const periods: AccountRows['statement_period'] = [];
  for (const [index, row] of account.rows.ledger.entries()) {
    const position = positions[index] as number;
    const own = account.rows.statement_period.filter(({ ledgerPosition }) => ledgerPosition === row.position);
    const stored = storedAt.get(position);
    const kept = stored && keepLedger(row, own, stored);
    ledgers.push({ ...row, position, balance: kept?.balance ?? row.balance });
    for (const period of kept?.periods ?? own) periods.push({ ...period, ledgerPosition: position });
    if (kept?.isClosed) closedLedgers.add(position);
    if (kept?.obstacle) obstacles.push({ ...kept.obstacle, attr: `ledgers.${index}` });
  }
  for (const { position, ledgerCode, periods: stored } of additions.ledgers)
    if (!positions.includes(position) && stored.some(({ hasAdditions }) => hasAdditions))
      obstacles.push({
        code: 'ledger_has_additions',
        attr: 'ledgers',
        detail: `Transactions were added to the ledger ${ledgerCode ?? position} since the import, so it stays. Send it as before.`,
      });
  const { rows } = account;
  return {
    account: {
      ...account,
      rows: {
        ...rows,
        ledger: ledgers,
        statement_period: periods,
        transaction: rows.transaction.map((transaction) => ({
          ...transaction,
          ledgerPosition: positions[transaction.ledgerPosition] as number,
        })),
        charged_period: [
          ...rows.charged_period,
          ...additions.charges.flatMap((transaction) =>
            chargedPeriodsOf(transaction).map((period) => ({
              organisationId: additions.organisationId,
              ...period,
            })),
          ),
        ],
        document: mergeDocuments(rows.document, additions.documents),
      },
    },
    obstacles,
    closedLedgers,
  };
}

/**
 * The position of each ledger: that of the stored ledger with its code, or else a free one. Ledgers without a code are
 * found by their place.
 */
function matchLedgers(sent: AccountRows['ledger'], stored: readonly StoredLedger[]): number[] {
  const free = new Set(stored.map(({ position }) => position));
  const positions = sent.map(({ ledgerCode = null }, index) => {
    const found = stored.find(
      (ledger) =>
        free.has(ledger.position) &&
        ledger.ledgerCode === ledgerCode &&
        (ledgerCode !== null || ledger.position === index),
    );
    if (found) free.delete(found.position);
    return found?.position;
  });
  const hasAdditions = ({ periods }: StoredLedger) => periods.some((period) => period.hasAdditions);
  const taken = new Set(positions);
  for (const ledger of stored)
    if (free.has(ledger.position) && hasAdditions(ledger)) taken.add(ledger.position);
  return positions.map((position, index) => {
    if (position !== undefined) return position;
    let next = index;
    while (taken.has(next)) next += 1;
    taken.add(next);
    return next;
  });
}

interface KeptLedger {
  balance: string;
  periods: AccountRows['statement_period'];
  /** True if a period was closed since the import. */
  isClosed: boolean;
  obstacle: Omit<FieldError, 'attr'> | undefined;
}

/** Joins the sent ledger, with its two statement periods, with the stored one. */
function keepLedger(
  sent: AccountRow<'ledger'>,
  sentPeriods: AccountRows['statement_period'],
  stored: StoredLedger,
): KeptLedger {
  const added = moneyOf(stored.added);
  const balance = formatMoney(moneyOf(sent.balance) + added);
  const [history, current] = stored.periods;
  const isClosed = stored.periods.length > 2 || (current !== undefined && current.closedAt !== null);
  const moved = sentPeriods.filter((period) => {
    const before = stored.periods.find(({ position }) => position === period.position);
    return before?.startDate !== (period.startDate ?? null) || before.endDate !== period.endDate;
  });
  const hasOtherClosing = moneyOf(history?.closingBalance) !== moneyOf(sentPeriods[0]?.closingBalance);
  if (isClosed) {
    const hasOtherBalance = moneyOf(stored.balance) - added !== moneyOf(sent.balance);
    return {
      balance: stored.balance,
      periods: stored.periods.map(({ hasAdditions: _, ...period }) => ({
        ...period,
        ledgerPosition: stored.position,
      })),
      isClosed,
      obstacle:
        moved.length > 0 || hasOtherClosing || hasOtherBalance ? closedObstacle(current?.endDate) : undefined,
    };
  }
  const occupied = moved.find(({ position }) =>
    stored.periods.some((period) => period.position === position && period.hasAdditions),
  );
  return {
    balance,
    periods: sentPeriods.map((period) => ({
      ...period,
      closedAt:
        stored.periods.find(({ position }) => position === period.position)?.closedAt ??
        period.closedAt ??
        null,
    })),
    isClosed,
    obstacle: occupied && {
      code: 'statement_period_has_additions',
      detail:
        'Transactions were added to a statement period whose dates would change. Send the dates of the last statement and the billing options as before.',
    },
  };
}

/** The obstacle of a ledger whose statement period was closed since the import. */
export function closedObstacle(endDate: string | undefined): Omit<FieldError, 'attr'> {
  return {
    code: 'statement_period_closed',
    detail: `The statement period that ends on ${endDate ?? 'an earlier day'} was closed since the import, so balance, dates and current transactions of the ledger stay. Send them as before, and add transactions for the difference.`,
  };
}

function mergeDocuments(
  sent: AccountRows['document'],
  added: readonly AccountRow<'document'>[],
): AccountRows['document'] {
  const documents = new Map(
    [...sent, ...added].map(({ path, kind }) => [`${kind} ${path}`, { path, kind }] as const),
  );
  return [...documents.values()];
}

function moneyOf(text: string | null | undefined): Money {
  return parseMoney(text ?? '0', MAX_DIGITS) ?? 0n;
}
