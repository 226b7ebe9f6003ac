import type { Transaction } from '../contract/transactions';
import { type Report, type Rule, rule, customRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { earliestOf, latestOf, type StatementHolder } from './terms/statement-holder';
import { isPrepayTargeted } from './terms/transaction';

/**
 * Rules about the dates of the old system's last statement and of the transactions before and after it. The account
 * and each ledger have their own last statement.
 */
export const STATEMENT_HISTORY_RULES: readonly Rule[] = [
  rule({
    code: 'cannot_determine_responsible_for_billing_from_date',
    on: 'account',
    field: 'last_billed_to_date',
    completeness: true,
    reason: 'The new system must know the first day that it has to bill.',
    breach: (_account, { takeoverDate }) =>
      takeoverDate === undefined && 'Send last_billed_to_date, the first day that has not been billed.',
  }),
  rule({
    code: 'historical_statement_transactions_without_last_statement_closing_date_or_last_billed_to_date',
    on: 'account',
    field: 'last_statement_closing_date',
    completeness: true,
    reason: 'Historical transactions go on a statement, which needs a closing date.',
    breach: (account, { earliestBilledTo }) => {
      if (!isGiven(account.historical_statement_transactions) || isGiven(account.last_statement_closing_date))
        return undefined;
      return (
        earliestBilledTo === undefined &&
        'Send the closing date of the statement with the historical transactions.'
      );
    },
  }),
  customRule({
    code: 'historical_statement_period_end_in_future',
    at: ['last_statement_closing_date', '<transactions>.<i>.transaction_date'],
    needs: ['clock'],
    reason: 'The historical statement must have closed already.',
    checks: {
      account(account, { today }, report) {
        reportFutureEnd(account, today, report);
      },
      ledger(ledger, { today }, report) {
        reportFutureEnd(ledger, today, report);
      },
    },
  }),
  customRule({
    code: 'historical_statement_transaction_after_current_statement_transaction',
    at: ['<transactions>.<i>.transaction_date'],
    reason: 'Billed transactions must be older than unbilled ones.',
    checks: {
      account(account, _facts, report) {
        reportHistoryAfterCurrent(account, report);
      },
      ledger(ledger, _facts, report) {
        reportHistoryAfterCurrent(ledger, report);
      },
    },
  }),
  customRule({
    code: 'historical_statement_transaction_after_last_statement_closing_date',
    at: ['<transactions>.<i>.transaction_date'],
    reason: 'A statement contains no transaction after its closing date.',
    checks: {
      account(account, { closingDate }, report) {
        reportHistoryAfter(closingDate, account, report);
      },
      ledger(ledger, _facts, report) {
        reportHistoryAfter(ledger.last_statement_closing_date, ledger, report);
      },
    },
  }),
  customRule({
    code: 'last_statement_issued_before_closing_date',
    at: ['last_statement_issue_date', 'ledgers.<i>.last_statement_issue_date'],
    reason: 'A statement is issued after it has closed.',
    checks: {
      account(account, { closingDate }, report) {
        reportEarlyIssue(closingDate, account, report);
      },
      ledger(ledger, _facts, report) {
        if (isGiven(ledger.historical_statement_transactions))
          reportEarlyIssue(ledger.last_statement_closing_date, ledger, report);
      },
    },
  }),
  customRule({
    code: 'current_statement_transaction_before_current_statement_opening_date',
    at: ['current_statement_transactions.<i>.transaction_date'],
    reason: 'A statement contains no transaction before its opening date.',
    checks: {
      account(account, { openingDate }, report) {
        const balanced = (one: Transaction) => !isPrepayTargeted(one);
        reportCurrentBefore(openingDate, account, 'before the current statement opens', report, balanced);
      },
    },
  }),
  customRule({
    code: 'current_statement_transaction_before_last_billed_to_date',
    at: ['current_statement_transactions.<i>.transaction_date'],
    reason: 'Transactions before the first unbilled day have been billed already.',
    checks: {
      account(account, { earliestBilledTo }, report) {
        reportCurrentBefore(earliestBilledTo, account, 'before the first unbilled day', report);
      },
    },
  }),
  customRule({
    code: 'current_statement_transaction_before_last_statement_closing_date',
    at: ['ledgers.<i>.current_statement_transactions.<j>.transaction_date'],
    reason: "A transaction within the last statement's period belongs to that statement.",
    checks: {
      ledger(ledger, _facts, report) {
        const { last_statement_closing_date: closed, current_statement_transactions: current } = ledger;
        if (!isGiven(closed)) return;
        for (const [i, { transaction_date: date }] of (current ?? []).entries()) {
          if (date <= closed)
            report(
              `current_statement_transactions.${i}.transaction_date`,
              `The last statement closed on ${closed}; ${date} is not after that.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'historical_statement_without_last_statement_closing_date',
    on: 'ledger',
    field: 'last_statement_closing_date',
    completeness: true,
    reason: 'A balance brought forward needs the date of the statement that it comes from.',
    breach: (ledger) => {
      const { last_statement_balance: balance, last_statement_closing_date: closed } = ledger;
      const hasBalance = isGiven(balance) && /[1-9]/.test(balance);
      return (
        hasBalance &&
        isGiven(ledger.current_statement_transactions) &&
        !isGiven(closed) &&
        'Send the closing date of the last statement.'
      );
    },
  }),
  rule({
    code: 'historical_statement_transactions_require_last_statement_closing_date',
    on: 'ledger',
    field: 'last_statement_closing_date',
    completeness: true,
    reason: 'Historical transactions go on a statement, which needs a closing date.',
    breach: (ledger) =>
      isGiven(ledger.historical_statement_transactions) &&
      !isGiven(ledger.last_statement_closing_date) &&
      'Send the closing date of the statement with the historical transactions.',
  }),
];

function reportFutureEnd(holder: StatementHolder, today: string, report: Report): void {
  const { last_statement_closing_date: closed, historical_statement_transactions: history } = holder;
  if (!isGiven(history)) return;
  if (isGiven(closed)) {
    if (closed > today)
      report('last_statement_closing_date', `The last statement closes on ${closed}, after today.`);
    return;
  }
  const latest = latestOf(history);
  if (latest && latest.date > today)
    report(
      `historical_statement_transactions.${latest.index}.transaction_date`,
      `${latest.date} is after today, so the transaction is not historical.`,
    );
}

function reportHistoryAfterCurrent(holder: StatementHolder, report: Report): void {
  const first = earliestOf(holder.current_statement_transactions);
  if (first === undefined) return;
  for (const [i, { transaction_date: date }] of (holder.historical_statement_transactions ?? []).entries()) {
    if (date >= first)
      report(
        `historical_statement_transactions.${i}.transaction_date`,
        `A current transaction is dated ${first}, which is not after ${date}.`,
      );
  }
}

function reportHistoryAfter(closed: string | undefined, holder: StatementHolder, report: Report): void {
  if (closed === undefined) return;
  for (const [i, { transaction_date: date }] of (holder.historical_statement_transactions ?? []).entries()) {
    if (date > closed)
      report(
        `historical_statement_transactions.${i}.transaction_date`,
        `The last statement closed on ${closed}; ${date} is after that.`,
      );
  }
}

function reportEarlyIssue(closed: string | undefined, holder: StatementHolder, report: Report): void {
  const { last_statement_issue_date: issued } = holder;
  if (closed !== undefined && isGiven(issued) && issued < closed)
    report('last_statement_issue_date', `The statement closed on ${closed}, after ${issued}.`);
}

function reportCurrentBefore(
  day: string | undefined,
  holder: StatementHolder,
  what: string,
  report: Report,
  counts: (one: Transaction) => boolean = () => true,
): void {
  if (day === undefined) return;
  for (const [i, one] of (holder.current_statement_transactions ?? []).entries()) {
    if (one.transaction_date < day && counts(one))
      report(
        `current_statement_transactions.${i}.transaction_date`,
        `${one.transaction_date} is ${what}, ${day}.`,
      );
  }
}
