import { each, eachRepeat, rule, type Rule } from './engine/rule';
import { add, type Exact, formatAmount, parseExact, sum } from './terms/decimal';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
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
  rule({
    code: 'balance_mismatch_on_transfer_balance',
    on: 'account',
    field: 'transfer_balance',
    reason: 'The last balance plus the current transactions must equal the transfer balance.',
    breach: (account, { isBritishMarket }) => {
      const { transfer_balance: carried, current_statement_transactions: current } = account;
      if (isGiven(account.ledgers)) return undefined;
      // An absent balance counts as zero, but only under gb-energy, where accounts must be complete.
      if (!isGiven(carried) && !isBritishMarket) return undefined;
      return describeCarriedMismatch(account, balanceOf(current), carried);
    },
  }),
  rule({
    code: 'balance_mismatch_on_ledger_balance',
    on: 'ledger',
    field: 'ledger_balance',
    reason: 'The last balance plus the current transactions must equal the ledger balance.',
    breach: (ledger, { isBritishMarket }) => {
      const { current_statement_transactions: current, ledger_balance: balance } = ledger;
      // Only the British market has transactions that are sent to prepayment meters.
      const since = isBritishMarket ? balanceOf(current) : sum(current, signedAmount);
      return describeCarriedMismatch(ledger, since, balance);
    },
  }),
  rule({
    code: 'historical_statement_transactions_balance_mismatch',
    on: ['account', 'ledger'],
    field: 'last_statement_balance',
    reason: 'The historical transactions must sum to the last balance.',
    breach: ({ historical_statement_transactions: history, last_statement_balance: balance }) => {
      if (!isGiven(history)) return undefined;
      const total = balanceOf(history);
      const found = parseExact(balance);
      if (total === found) return undefined;
      const missing = formatAmount(add(found, -total));
      return `Expected ${formatAmount(total)} from historical_statement_transactions. Found ${amountOrNone(balance)}. Send what they lack (${missing}) as a transaction before them, or correct the balance.`;
    },
  }),
  rule({
    code: 'duplicate_ledger_entries_found',
    on: 'account',
    field: 'ledgers.<i>.ledger_code',
    reason: 'An account has one ledger of each type.',
    breach: ({ ledgers }) =>
      eachRepeat(
        ledgers,
        ({ ledger_code: code }) => code ?? '',
        (first) => `Repeats ledgers.${first}, which has the same type, or also has none.`,
      ),
  }),
  rule({
    code: 'duplicate_identifiers_entries_found',
    on: 'account',
    field: 'ledgers.<i>.identifiers',
    reason: 'A supply point is billed to one ledger.',
    breach: ({ ledgers }) => {
      const named = new Map<string, string>();
      return each(ledgers, ({ identifiers = [] }, i) => {
        let repeated: string | undefined;
        for (const [j, identifier] of identifiers.entries()) {
          const first = named.get(identifier);
          if (first === undefined) named.set(identifier, `ledgers.${i}.identifiers.${j}`);
          else repeated ??= `Repeats ${first}, which is ${quote(identifier)}: list each supply point once.`;
        }
        return repeated;
      });
    },
  }),
  rule({
    code: 'unknown_ledger_identifiers',
    on: 'account',
    field: 'ledgers.<i>.identifiers',
    reason: 'A ledger bills supply points of the same payload.',
    breach: ({ ledgers }, facts) =>
      each(ledgers, ({ identifiers }) => {
        const unknown = identifiers?.find((one) => !facts.supplyPointIdentifiers.has(one));
        return unknown !== undefined && `No meter point of the payload has the identifier ${quote(unknown)}.`;
      }),
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
      references.entry('ledger_types', code)?.billable === false &&
      `Ledgers of the type ${quote(code)} never issue bills.`,
  }),
];

/**
 * Describes a balance that is not the last balance plus the transactions since then. An account that opens with a balance
 * has it as `last_statement_balance`, which the detail says with the amount.
 */
function describeCarriedMismatch(
  { last_statement_balance: last, current_statement_transactions: current }: StatementHolder,
  since: Exact,
  balance: string | undefined,
): string | undefined {
  const total = add(parseExact(last), since);
  const found = parseExact(balance);
  if (total === found) return undefined;
  const opening = formatAmount(add(found, -since));
  const parts = `last_statement_balance (${amountOrNone(last)}) ${isGiven(current) ? `plus the transactions (${formatAmount(since)})` : 'without transactions'}`;
  const mend = isGiven(current)
    ? `With these transactions, last_statement_balance is ${opening}.`
    : `Send the opening balance ${opening} as last_statement_balance.`;
  return `Expected ${formatAmount(total)}: ${parts}. Found ${amountOrNone(balance)}. ${mend}`;
}

function amountOrNone(amount: string | undefined): string {
  return isGiven(amount) ? formatAmount(parseExact(amount)) : 'not sent';
}
