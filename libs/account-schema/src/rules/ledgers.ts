import { type Report, rule, type Rule } from './engine/rule';
import { amountText, type Exact, exact, plus, sum } from './terms/decimal';
import { given } from './terms/given';
import { quote } from './terms/quote';
import { repeats } from './terms/repeats';
import { type StatementHolder } from './terms/statement-holder';
import { balanceOf, signedAmount } from './terms/transaction';

/** Balances that must add up, and ledgers beside each other. Sums are exact. */
export const LEDGER_RULES: readonly Rule[] = [
  rule({
    code: 'ledger_balances_not_equal_to_transfer_balance',
    path: 'transfer_balance',
    why: 'What is carried over is carried over on some ledger.',
    checks: {
      account({ ledgers, transfer_balance: carried }, _facts, report) {
        if (!given(ledgers)) return;
        const total = sum(ledgers, ({ ledger_balance: balance }) => exact(balance));
        if (total !== exact(carried))
          report(
            'transfer_balance',
            `The ledgers carry ${amountText(total)}, not ${amountText(exact(carried))}.`,
          );
      },
    },
  }),
  rule({
    code: 'balance_mismatch_on_transfer_balance',
    path: 'transfer_balance',
    why: 'The last balance and what has happened since make up what is carried over.',
    checks: {
      account(account, { isBritishMarket }, report) {
        const { transfer_balance: carried, current_statement_transactions: current } = account;
        if (given(account.ledgers)) return;
        // An absent balance is zero, but only where accounts must be complete.
        if (!given(carried) && !isBritishMarket) return;
        const total = plus(exact(account.last_statement_balance), balanceOf(current));
        if (total !== exact(carried)) report('transfer_balance', mismatch(total, exact(carried)));
      },
    },
  }),
  rule({
    code: 'balance_mismatch_on_ledger_balance',
    path: 'ledgers.<i>.ledger_balance',
    why: 'The last balance and what has happened since make up the balance of a ledger.',
    checks: {
      ledger(ledger, { isBritishMarket }, report) {
        const { current_statement_transactions: current, ledger_balance: balance } = ledger;
        // Prepayment meters, and transactions sent to them, are of the British market.
        const since = isBritishMarket ? balanceOf(current) : sum(current, signedAmount);
        const total = plus(exact(ledger.last_statement_balance), since);
        if (total !== exact(balance)) report('ledger_balance', mismatch(total, exact(balance)));
      },
    },
  }),
  rule({
    code: 'historical_statement_transactions_balance_mismatch',
    path: 'last_statement_balance | ledgers.<i>.last_statement_balance',
    why: 'The history on the opening statement makes up its balance.',
    checks: {
      account(account, _facts, report) {
        reportHistoryMismatch(account, report);
      },
      ledger(ledger, _facts, report) {
        reportHistoryMismatch(ledger, report);
      },
    },
  }),
  rule({
    code: 'duplicate_ledger_entries_found',
    path: 'ledgers.<i>.ledger_code',
    why: 'An account has one ledger of a type.',
    checks: {
      account({ ledgers }, _facts, report) {
        for (const i of repeats(ledgers, ({ ledger_code: code }) => code ?? ''))
          report(`ledgers.${i}.ledger_code`, 'There is another ledger of this type, or without one.');
      },
    },
  }),
  rule({
    code: 'duplicate_identifiers_entries_found',
    path: 'ledgers.<i>.identifiers',
    why: 'A supply point is billed to one ledger.',
    checks: {
      account({ ledgers }, _facts, report) {
        const named = new Set<string>();
        for (const [i, { identifiers }] of (ledgers ?? []).entries()) {
          let isRepeated = false;
          for (const identifier of identifiers ?? []) {
            isRepeated ||= named.has(identifier);
            named.add(identifier);
          }
          if (isRepeated)
            report(`ledgers.${i}.identifiers`, 'One of these supply points is named a second time.');
        }
      },
    },
  }),
  rule({
    code: 'unknown_ledger_identifiers',
    path: 'ledgers.<i>.identifiers',
    why: 'A ledger bills supply points of the same payload.',
    checks: {
      account({ ledgers }, facts, report) {
        for (const [i, { identifiers }] of (ledgers ?? []).entries()) {
          const unknown = identifiers?.find((one) => !facts.supplyPointIdentifiers.has(one));
          if (unknown !== undefined)
            report(`ledgers.${i}.identifiers`, `No meter point of the payload is called ${quote(unknown)}.`);
        }
      },
    },
  }),
  rule({
    code: 'unbillable_ledger_transactions_in_current_statement_transactions',
    path: 'ledgers.<i>.current_statement_transactions',
    needs: ['reference data: ledger_types'],
    why: 'A ledger that never bills has nothing still to be billed.',
    checks: {
      ledger({ ledger_code: code, current_statement_transactions: current }, { references }, report) {
        if (given(code) && given(current) && references.ledgerType(code)?.billable === false)
          report('current_statement_transactions', `Ledgers of the type ${quote(code)} never issue bills.`);
      },
    },
  }),
];

function reportHistoryMismatch(holder: StatementHolder, report: Report): void {
  const { historical_statement_transactions: history, last_statement_balance: balance } = holder;
  if (!given(history)) return;
  const total = balanceOf(history);
  if (total !== exact(balance)) report('last_statement_balance', mismatch(total, exact(balance)));
}

function mismatch(expected: Exact, found: Exact): string {
  return `The transactions make up ${amountText(expected)}, not ${amountText(found)}.`;
}
