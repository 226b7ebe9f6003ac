import type { Facts } from './engine/facts';
import { customRule, each, type Report, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { earliestOf, latestOf, type StatementHolder } from './terms/statement-holder';
import { isPrepayTargeted } from './terms/transaction';

const CLOSING_DAYS = [
  'last_statement_closing_date',
  'historical_statement_transactions.<i>.transaction_date',
] as const;

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
    at: { account: CLOSING_DAYS, ledger: CLOSING_DAYS },
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
  rule({
    code: 'historical_statement_transaction_after_current_statement_transaction',
    on: ['account', 'ledger'],
    field: 'historical_statement_transactions.<i>.transaction_date',
    reason: 'Billed transactions must be older than unbilled ones.',
    breach: (holder) => {
      const first = earliestOf(holder.current_statement_transactions);
      return (
        first !== undefined &&
        each(
          holder.historical_statement_transactions,
          ({ transaction_date: date }) =>
            date >= first && `A current transaction is dated ${first}, which is not after ${date}.`,
        )
      );
    },
  }),
  rule({
    code: 'historical_statement_transaction_after_last_statement_closing_date',
    on: ['account', 'ledger'],
    field: 'historical_statement_transactions.<i>.transaction_date',
    reason: 'A statement contains no transaction after its closing date.',
    breach: (holder, facts) => {
      const closed = closingDateOf(holder, facts);
      return (
        closed !== undefined &&
        each(
          holder.historical_statement_transactions,
          ({ transaction_date: date }) =>
            date > closed && `The last statement closed on ${closed}; ${date} is after that.`,
        )
      );
    },
  }),
  rule({
    code: 'last_statement_issued_before_closing_date',
    on: ['account', 'ledger'],
    field: 'last_statement_issue_date',
    reason: 'A statement is issued after it has closed.',
    breach: (holder, facts) => {
      if (holder !== facts.account && !isGiven(holder.historical_statement_transactions)) return undefined;
      const closed = closingDateOf(holder, facts);
      const { last_statement_issue_date: issued } = holder;
      return (
        closed !== undefined &&
        isGiven(issued) &&
        issued < closed &&
        `The statement closed on ${closed}, after ${issued}.`
      );
    },
  }),
  rule({
    code: 'current_statement_transaction_before_current_statement_opening_date',
    on: 'account',
    field: 'current_statement_transactions.<i>.transaction_date',
    reason: 'A statement contains no transaction before its opening date.',
    breach: ({ current_statement_transactions: current }, { openingDate: day }) =>
      day !== undefined &&
      each(
        current,
        (one) =>
          one.transaction_date < day &&
          !isPrepayTargeted(one) &&
          `${one.transaction_date} is before the current statement opens, ${day}.`,
      ),
  }),
  rule({
    code: 'current_statement_transaction_before_last_billed_to_date',
    on: 'account',
    field: 'current_statement_transactions.<i>.transaction_date',
    reason: 'Transactions before the first unbilled day have been billed already.',
    breach: ({ current_statement_transactions: current }, { earliestBilledTo: day }) =>
      day !== undefined &&
      each(
        current,
        ({ transaction_date: date }) => date < day && `${date} is before the first unbilled day, ${day}.`,
      ),
  }),
  rule({
    code: 'current_statement_transaction_before_last_statement_closing_date',
    on: 'ledger',
    field: 'current_statement_transactions.<i>.transaction_date',
    reason: "A transaction within the last statement's period belongs to that statement.",
    breach: ({ current_statement_transactions: current, last_statement_closing_date: closed }) =>
      isGiven(closed) &&
      each(
        current,
        ({ transaction_date: date }) =>
          date <= closed && `The last statement closed on ${closed}; ${date} is not after that.`,
      ),
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

/** The closing date of the last statement of the account, or of a ledger. */
function closingDateOf(holder: StatementHolder, { account, closingDate }: Facts): string | undefined {
  return holder === account ? closingDate : holder.last_statement_closing_date;
}
