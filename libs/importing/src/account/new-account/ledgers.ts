import { type Account, earliestBilledTo, type Ledger, type Transaction } from '@portage/account-schema';
import type { AccountRows, NewChargedPeriod } from '@portage/database';
import {
  balanceAfter,
  type BillingCycle,
  firstPeriods,
  formatMoney,
  type LocalDate,
  readMoney,
} from '@portage/domain';
import { without } from './without';

type LedgerRows = Pick<AccountRows, 'ledger' | 'statement_period' | 'transaction' | 'charged_period'>;

/** The two periods that every ledger begins with. */
const CLOSED = 0;
const OPEN = 1;

const LEDGER_COLUMNS: ReadonlySet<string> = new Set([
  'ledger_code',
  'ledger_identifier',
  'ledger_balance',
  'historical_statement_transactions',
  'current_statement_transactions',
] satisfies (keyof Ledger)[]);

const TRANSACTION_COLUMNS: ReadonlySet<string> = new Set([
  'transaction_id',
  'type',
  'amount',
  'transaction_date',
  'reason',
]);

/** Balances have two more digits than a single amount. */
const BALANCE_DIGITS = 12;

/** When an account is imported, and how it is billed from then on. */
export interface ImportedOn {
  now: Date;
  /** In the supplier's time zone. */
  today: LocalDate;
  cycle: BillingCycle;
}

/**
 * The ledgers with a closed statement period for history and exactly one open one (DESIGN 4), and their transactions:
 * historical ones in the closed period, current ones in the open. An account without ledgers is one ledger itself.
 */
export function ledgerRows(account: Account, on: ImportedOn): LedgerRows {
  const rows: LedgerRows = { ledger: [], statement_period: [], transaction: [], charged_period: [] };
  const billedTo = earliestBilledTo(account);
  for (const [position, ledger] of ledgersOf(account).entries()) {
    rows.ledger.push({
      position,
      ledger_code: ledger.ledger_code,
      ledger_identifier: ledger.ledger_identifier,
      balance: balanceOf(ledger),
      details: without(ledger, LEDGER_COLUMNS),
    });
    rows.statement_period.push(...periodRows(position, ledger, billedTo, on));
    for (const [period, transactions] of [
      [CLOSED, ledger.historical_statement_transactions],
      [OPEN, ledger.current_statement_transactions],
    ] as const)
      for (const transaction of transactions ?? []) {
        rows.transaction.push({
          ledger_position: position,
          period_position: period,
          ...transactionColumns(transaction),
        });
        rows.charged_period.push(...chargedPeriodsOf(transaction));
      }
  }
  return rows;
}

function ledgersOf(account: Account): Ledger[] {
  if (account.ledgers && account.ledgers.length > 0) return account.ledgers;
  const { transfer_balance, last_statement_balance, last_statement_closing_date, last_statement_issue_date } =
    account;
  const { historical_statement_transactions, current_statement_transactions } = account;
  return [
    {
      ...(transfer_balance !== undefined && { ledger_balance: transfer_balance }),
      ...(last_statement_balance !== undefined && { last_statement_balance }),
      ...(last_statement_closing_date !== undefined && { last_statement_closing_date }),
      ...(last_statement_issue_date !== undefined && { last_statement_issue_date }),
      ...(historical_statement_transactions && { historical_statement_transactions }),
      ...(current_statement_transactions && { current_statement_transactions }),
    },
  ];
}

/** What was carried over; where it is not said, what the last statement and the transactions since then make. */
function balanceOf(ledger: Ledger): string {
  if (ledger.ledger_balance !== undefined) return ledger.ledger_balance;
  const last = readMoney(ledger.last_statement_balance ?? '0', BALANCE_DIGITS) ?? 0n;
  return formatMoney(balanceAfter(last, ledger.current_statement_transactions ?? []));
}

function periodRows(
  ledgerPosition: number,
  ledger: Ledger,
  earliestLastBilledToDate: LocalDate | undefined,
  { now, today, cycle }: ImportedOn,
): AccountRows['statement_period'] {
  let earliestHistoricalDate: LocalDate | undefined;
  for (const { transaction_date: date } of ledger.historical_statement_transactions ?? [])
    if (earliestHistoricalDate === undefined || date < earliestHistoricalDate) earliestHistoricalDate = date;
  const { closed, open } = firstPeriods({
    ...(ledger.last_statement_closing_date && {
      lastStatementClosingDate: ledger.last_statement_closing_date,
    }),
    ...(earliestLastBilledToDate && { earliestLastBilledToDate }),
    ...(earliestHistoricalDate && { earliestHistoricalDate }),
    dayOfImport: today,
    cycle,
  });
  return [
    {
      ledger_position: ledgerPosition,
      position: CLOSED,
      start_date: closed.start,
      end_date: closed.end,
      closed_at: now.toISOString(),
      closing_balance: ledger.last_statement_balance,
    },
    {
      ledger_position: ledgerPosition,
      position: OPEN,
      start_date: open.start,
      end_date: open.end,
      closed_at: null,
      closing_balance: null,
    },
  ];
}

/** What of a transaction is stored the same wherever it is on a ledger. */
export function transactionColumns(transaction: Transaction) {
  const { transaction_id, type, amount, transaction_date } = transaction;
  const reason = 'reason' in transaction ? transaction.reason : undefined;
  const details = without(transaction, TRANSACTION_COLUMNS);
  return { transaction_id, type, amount, transaction_date, reason, details };
}

/** Days for which a supply point has been charged: they are charged once. */
export function chargedPeriodsOf(transaction: Transaction): NewChargedPeriod[] {
  if (transaction.type !== 'SUPPLY_CHARGE' || !transaction.supply_point_identifier) return [];
  const { supply_point_identifier } = transaction;
  return transaction.line_items.map(({ start_date, end_date }) => ({
    supply_point_identifier,
    start_date,
    end_date,
  }));
}
