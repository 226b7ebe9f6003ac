import { type Report, type Rule, rule, customRule, memberRule } from './engine/rule';
import { add, type Exact, formatAmount, parseExact, sum } from './terms/decimal';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { findRepeats } from './terms/find-repeats';
import type { StatementHolder } from './terms/statement-holder';
import { balanceOf, signedAmount } from './terms/transaction';

/** Rules about balances and ledgers. Sums are exact. */
export const LEDGER_RULES: readonly Rule[] = [
  rule({
    code: 'ledger_balances_not_equal_to_transfer_balance',
    on: 'account',
    field: 'transfer_balance',
    reason: 'The balances of all ledgers must sum to the transfer balance.',
    breach: ({ ledgers, transfer_balance: carried }) => {
      if (!isGiven(ledgers)) return undefined;
      const total = sum(ledgers, ({ ledger_balance: balance }) => parseExact(balance));
      return (
        total !== parseExact(carried) &&
        `The fields ledger_balance of the ledgers sum to ${formatAmount(total)}, not ${formatAmount(parseExact(carried))}.`
      );
    },
  }),
  customRule({
    code: 'balance_mismatch_on_transfer_balance',
    at: ['transfer_balance'],
    reason: 'The last balance plus the current transactions must equal the transfer balance.',
    checks: {
      account(account, { isBritishMarket }, report) {
        const { transfer_balance: carried, current_statement_transactions: current } = account;
        if (isGiven(account.ledgers)) return;
        // An absent balance counts as zero, but only under gb-energy, where accounts must be complete.
        if (!isGiven(carried) && !isBritishMarket) return;
        reportCarriedMismatch(account, balanceOf(current), carried, (detail) => {
          report('transfer_balance', detail);
        });
      },
    },
  }),
  customRule({
    code: 'balance_mismatch_on_ledger_balance',
    at: ['ledgers.<i>.ledger_balance'],
    reason: 'The last balance plus the current transactions must equal the ledger balance.',
    checks: {
      ledger(ledger, { isBritishMarket }, report) {
        const { current_statement_transactions: current, ledger_balance: balance } = ledger;
        // Only the British market has transactions that are sent to prepayment meters.
        const since = isBritishMarket ? balanceOf(current) : sum(current, signedAmount);
        reportCarriedMismatch(ledger, since, balance, (detail) => {
          report('ledger_balance', detail);
        });
      },
    },
  }),
  customRule({
    code: 'historical_statement_transactions_balance_mismatch',
    at: ['last_statement_balance', 'ledgers.<i>.last_statement_balance'],
    reason: 'The historical transactions must sum to the last balance.',
    checks: {
      account(account, _facts, report) {
        reportHistoryMismatch(account, report);
      },
      ledger(ledger, _facts, report) {
        reportHistoryMismatch(ledger, report);
      },
    },
  }),
  customRule({
    code: 'duplicate_ledger_entries_found',
    at: ['ledgers.<i>.ledger_code'],
    reason: 'An account has one ledger of each type.',
    checks: {
      account({ ledgers }, _facts, report) {
        for (const { index, first } of findRepeats(ledgers, ({ ledger_code: code }) => code ?? ''))
          report(
            `ledgers.${index}.ledger_code`,
            `Repeats ledgers.${first}, which has the same type, or also has none.`,
          );
      },
    },
  }),
  customRule({
    code: 'duplicate_identifiers_entries_found',
    at: ['ledgers.<i>.identifiers'],
    reason: 'A supply point is billed to one ledger.',
    checks: {
      account({ ledgers }, _facts, report) {
        const named = new Map<string, string>();
        for (const [i, { identifiers }] of (ledgers ?? []).entries()) {
          let repeated: string | undefined;
          for (const [j, identifier] of (identifiers ?? []).entries()) {
            const first = named.get(identifier);
            if (first === undefined) named.set(identifier, `ledgers.${i}.identifiers.${j}`);
            else repeated ??= `Repeats ${first}, which is ${quote(identifier)}: list each supply point once.`;
          }
          if (repeated !== undefined) report(`ledgers.${i}.identifiers`, repeated);
        }
      },
    },
  }),
  memberRule({
    code: 'unknown_ledger_identifiers',
    on: 'account',
    each: 'ledgers',
    field: 'identifiers',
    reason: 'A ledger bills supply points of the same payload.',
    breach: ({ identifiers }, facts) => {
      const unknown = identifiers?.find((one) => !facts.supplyPointIdentifiers.has(one));
      return unknown !== undefined && `No meter point of the payload has the identifier ${quote(unknown)}.`;
    },
  }),
  rule({
    code: 'unbillable_ledger_transactions_in_current_statement_transactions',
    on: 'ledger',
    field: 'current_statement_transactions',
    needs: ['reference data: ledger_types'],
    reason: 'A ledger that never issues bills cannot have unbilled transactions.',
    breach: ({ ledger_code: code, current_statement_transactions: current }, { references }) =>
      isGiven(code) &&
      isGiven(current) &&
      references.ledgerTypes.get(code)?.billable === false &&
      `Ledgers of the type ${quote(code)} never issue bills.`,
  }),
];

function reportHistoryMismatch(holder: StatementHolder, report: Report): void {
  const { historical_statement_transactions: history, last_statement_balance: balance } = holder;
  if (!isGiven(history)) return;
  const total = balanceOf(history);
  const found = parseExact(balance);
  if (total === found) return;
  const missing = formatAmount(add(found, -total));
  report(
    'last_statement_balance',
    `Expected ${formatAmount(total)} from historical_statement_transactions. Found ${amountOrNone(balance)}. Send what they lack (${missing}) as a transaction before them, or correct the balance.`,
  );
}

/**
 * Reports a balance that is not the last balance plus the transactions since then. An account that opens with a balance
 * has it as `last_statement_balance`, which the detail says with the amount.
 */
function reportCarriedMismatch(
  { last_statement_balance: last, current_statement_transactions: current }: StatementHolder,
  since: Exact,
  balance: string | undefined,
  report: (detail: string) => void,
): void {
  const total = add(parseExact(last), since);
  const found = parseExact(balance);
  if (total === found) return;
  const opening = formatAmount(add(found, -since));
  const parts = `last_statement_balance (${amountOrNone(last)}) ${isGiven(current) ? `plus the transactions (${formatAmount(since)})` : 'without transactions'}`;
  const mend = isGiven(current)
    ? `With these transactions, last_statement_balance is ${opening}.`
    : `Send the opening balance ${opening} as last_statement_balance.`;
  report(`Expected ${formatAmount(total)}: ${parts}. Found ${amountOrNone(balance)}. ${mend}`);
}

function amountOrNone(amount: string | undefined): string {
  return isGiven(amount) ? formatAmount(parseExact(amount)) : 'not sent';
}
