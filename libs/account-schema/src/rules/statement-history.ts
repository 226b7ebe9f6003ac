import { type Transaction } from '../ledger/transaction-union';
import { type Report, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { earliestOf, latestOf, type StatementHolder } from './terms/statement-holder';
import { isPrepayTargeted } from './terms/transaction';

/**
 * Where the last statement of the old system lies in time, and which side of it each transaction is on. The
 * account and each ledger have a statement of their own.
 */
export const STATEMENT_HISTORY_RULES: readonly Rule[] = [
  rule({
    code: 'cannot_determine_responsible_for_billing_from_date',
    path: 'last_billed_to_date',
    completeness: true,
    why: 'The new system must know the first day that it has to bill.',
    checks: {
      account(_account, { takeoverDate }, report) {
        if (takeoverDate === undefined)
          report('last_billed_to_date', 'Say from which day on billing is still to be done.');
      },
    },
  }),
  rule({
    code: 'historical_statement_transactions_without_last_statement_closing_date_or_last_billed_to_date',
    path: 'last_statement_closing_date',
    completeness: true,
    why: 'History goes on a statement, which ended some day.',
    checks: {
      account(account, { earliestBilledTo }, report) {
        if (!given(account.historical_statement_transactions) || given(account.last_statement_closing_date))
          return;
        if (earliestBilledTo === undefined)
          report(
            'last_statement_closing_date',
            'Say on which day the statement of the past transactions closed.',
          );
      },
    },
  }),
  rule({
    code: 'historical_statement_period_end_in_future',
    path: 'last_statement_closing_date | <transactions>.<i>.transaction_date',
    needs: ['clock'],
    why: 'A statement that has closed did not close tomorrow.',
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
    path: '<transactions>.<i>.transaction_date',
    why: 'What was billed happened before what is still to be billed.',
    checks: {
      account(account, _facts, report) {
        reportUnordered(account, report);
      },
      ledger(ledger, _facts, report) {
        reportUnordered(ledger, report);
      },
    },
  }),
  rule({
    code: 'historical_statement_transaction_after_last_statement_closing_date',
    path: '<transactions>.<i>.transaction_date',
    why: 'A statement holds nothing younger than its last day.',
    checks: {
      account(account, { closingDate }, report) {
        reportHistoryAfter(closingDate, account, report);
      },
      ledger(ledger, _facts, report) {
        reportHistoryAfter(ledger.last_statement_closing_date, ledger, report);
      },
    },
  }),
  rule({
    code: 'last_statement_issued_before_closing_date',
    path: 'last_statement_issue_date | ledgers.<i>.last_statement_issue_date',
    why: 'A statement goes out when it has closed.',
    checks: {
      account(account, { closingDate }, report) {
        reportEarlyIssue(closingDate, account, report);
      },
      ledger(ledger, _facts, report) {
        if (given(ledger.historical_statement_transactions))
          reportEarlyIssue(ledger.last_statement_closing_date, ledger, report);
      },
    },
  }),
  rule({
    code: 'current_statement_transaction_before_current_statement_opening_date',
    path: 'current_statement_transactions.<i>.transaction_date',
    why: 'A bill cannot hold what is older than its first day.',
    checks: {
      account(account, { openingDate }, report) {
        const balanced = (one: Transaction) => !isPrepayTargeted(one);
        reportCurrentBefore(openingDate, account, 'before the current statement opens', report, balanced);
      },
    },
  }),
  rule({
    code: 'current_statement_transaction_before_last_billed_to_date',
    path: 'current_statement_transactions.<i>.transaction_date',
    why: 'What lies before the first day to bill has been billed.',
    checks: {
      account(account, { earliestBilledTo }, report) {
        reportCurrentBefore(
          earliestBilledTo,
          account,
          'before the first day that is still to be billed',
          report,
        );
      },
    },
  }),
  rule({
    code: 'current_statement_transaction_before_last_statement_closing_date',
    path: 'ledgers.<i>.current_statement_transactions.<j>.transaction_date',
    why: 'What is dated inside the last statement belongs to it.',
    checks: {
      ledger(ledger, _facts, report) {
        const { last_statement_closing_date: closed, current_statement_transactions: current } = ledger;
        if (!given(closed)) return;
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
    path: 'ledgers.<i>.last_statement_closing_date',
    completeness: true,
    why: 'A balance brought forward was the balance on some day.',
    checks: {
      ledger(ledger, _facts, report) {
        const { last_statement_balance: balance, last_statement_closing_date: closed } = ledger;
        const hasBalance = given(balance) && /[1-9]/.test(balance);
        if (hasBalance && given(ledger.current_statement_transactions) && !given(closed))
          report(
            'last_statement_closing_date',
            'Say on which day the last statement closed with that balance.',
          );
      },
    },
  }),
  rule({
    code: 'historical_statement_transactions_require_last_statement_closing_date',
    path: 'ledgers.<i>.last_statement_closing_date',
    completeness: true,
    why: 'History goes on a statement, which ended some day.',
    checks: {
      ledger(ledger, _facts, report) {
        if (given(ledger.historical_statement_transactions) && !given(ledger.last_statement_closing_date))
          report(
            'last_statement_closing_date',
            'Say on which day the statement of the past transactions closed.',
          );
      },
    },
  }),
];

function reportFutureEnd(holder: StatementHolder, today: string, report: Report): void {
  const { last_statement_closing_date: closed, historical_statement_transactions: history } = holder;
  if (!given(history)) return;
  if (given(closed)) {
    if (closed > today)
      report('last_statement_closing_date', `The statement of the past closes on ${closed}.`);
    return;
  }
  const latest = latestOf(history);
  if (latest && latest.date > today)
    report(
      `historical_statement_transactions.${latest.place}.transaction_date`,
      `${latest.date} is after today, so it is not history.`,
    );
}

function reportUnordered(holder: StatementHolder, report: Report): void {
  const first = earliestOf(holder.current_statement_transactions);
  if (first === undefined) return;
  for (const [i, { transaction_date: date }] of (holder.historical_statement_transactions ?? []).entries()) {
    if (date >= first)
      report(
        `historical_statement_transactions.${i}.transaction_date`,
        `A transaction that is still to be billed is dated ${first}, not after ${date}.`,
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
  if (closed !== undefined && given(issued) && issued < closed)
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
