import { type Account, type Ledger } from '@portage/account-schema';
import { earliestBilledTo } from '@portage/account-schema/service';
import { formatMoney, type LocalDate, parseMoney } from '@portage/platform';
import { chargedPeriodsOf, transactionColumns } from '../transactions/transaction-columns';
import type { AccountRows } from './account-rows';
import { BALANCE_DIGITS, balanceAfter } from '../transactions/balance';
import type { BillingCycle } from '../statements/billing-cycle';
import { initialPeriods } from '../statements/statement-period';
import { omitFields } from '../account/omit-fields';

type LedgerRows = Pick<AccountRows, 'ledger' | 'statement_period' | 'transaction' | 'charged_period'>;

/** Positions of the two statement periods of a new ledger. */
export const CLOSED = 0;
const OPEN = 1;

const LEDGER_COLUMNS: ReadonlySet<string> = new Set([
  'ledger_code',
  'ledger_identifier',
  'ledger_balance',
  'historical_statement_transactions',
  'current_statement_transactions',
] satisfies (keyof Ledger)[]);

/** The time of an import, and the billing cycle of the account from that day on. */
export interface ImportTime {
  now: Date;
  /** In the supplier's time zone. */
  today: LocalDate;
  cycle: BillingCycle;
}

/**
 * Builds the rows of ledgers, each with one closed statement period for history and one open period, and of their
 * transactions: historical ones in the closed period, current ones in the open. An account without ledgers has one
 * ledger, made of its own fields.
 */
export function ledgerRows(account: Account, organisationId: number, importTime: ImportTime): LedgerRows {
  const rows: LedgerRows = { ledger: [], statement_period: [], transaction: [], charged_period: [] };
  const billedTo = earliestBilledTo(account);
  for (const [position, ledger] of ledgersOf(account).entries()) {
    rows.ledger.push({
      position,
      ledgerCode: ledger.ledger_code,
      ledgerIdentifier: ledger.ledger_identifier,
      balance: balanceOf(ledger),
      details: omitFields(ledger, LEDGER_COLUMNS),
    });
    for (const row of periodRows(position, ledger, billedTo, importTime)) rows.statement_period.push(row);
    for (const [period, transactions] of [
      [CLOSED, ledger.historical_statement_transactions],
      [OPEN, ledger.current_statement_transactions],
    ] as const)
      for (const transaction of transactions ?? []) {
        rows.transaction.push({
          ledgerPosition: position,
          periodPosition: period,
          ...transactionColumns(transaction),
        });
        for (const period of chargedPeriodsOf(transaction))
          rows.charged_period.push({ organisationId, ...period });
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

/** The balance that was sent; without one, the last statement's balance plus the transactions since then. */
function balanceOf(ledger: Ledger): string {
  if (ledger.ledger_balance !== undefined) return ledger.ledger_balance;
  const last = parseMoney(ledger.last_statement_balance ?? '0', BALANCE_DIGITS) ?? 0n;
  return formatMoney(balanceAfter(last, ledger.current_statement_transactions ?? []));
}

function periodRows(
  ledgerPosition: number,
  ledger: Ledger,
  earliestLastBilledToDate: LocalDate | undefined,
  { now, today, cycle }: ImportTime,
): AccountRows['statement_period'] {
  let earliestHistoricalDate: LocalDate | undefined;
  for (const { transaction_date: date } of ledger.historical_statement_transactions ?? [])
    if (earliestHistoricalDate === undefined || date < earliestHistoricalDate) earliestHistoricalDate = date;
  const { closed, open } = initialPeriods({
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
      ledgerPosition,
      position: CLOSED,
      startDate: closed.start,
      endDate: closed.end,
      closedAt: now.toISOString(),
      closingBalance: ledger.last_statement_balance,
    },
    {
      ledgerPosition,
      position: OPEN,
      startDate: open.start,
      endDate: open.end,
      closedAt: null,
      closingBalance: null,
    },
  ];
}
