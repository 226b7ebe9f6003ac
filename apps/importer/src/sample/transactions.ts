import type { Account } from './account';
import { addDays, type Day } from './calendar';
import { buildSupplyCharge } from './ledger';
import type { Random } from './random';
import { type SampleRequest, type Subject, transactionsRequest } from './sample-request';

/** One transaction of each type, all dated in the open statement period. */
export function transactionsOfEveryKind(subject: Subject): SampleRequest {
  const { takeover, account, random } = subject;
  const [paid, back] = [random.between(20, 90), random.between(1, 15)];
  const charged = addDays(takeover, 9);
  const { transaction } = buildSupplyCharge(
    random,
    firstSupplyPoint(account, random),
    takeover,
    charged,
    transactionId(subject, 5),
  );
  return transactionsRequest([
    buildPayment(transactionId(subject, 1), addDays(takeover, 12), paid + 0.5),
    {
      transaction_id: transactionId(subject, 2),
      transaction_date: addDays(takeover, 13),
      type: 'CREDIT',
      amount: 3.1,
      reason: 'BALANCE_ADJUSTMENT',
      display_note: 'Rounding put right.',
    },
    {
      transaction_id: transactionId(subject, 3),
      transaction_date: addDays(takeover, 14),
      type: 'CHARGE',
      amount: 18,
      reason: 'RECONNECTION_CHARGE',
      tax_items: [{ tax_type: 'VAT', unit_type: 'PROPORTION', rate: 0.2, value_taxed: 15, amount: 3 }],
    },
    {
      transaction_id: transactionId(subject, 4),
      transaction_date: addDays(takeover, 15),
      type: 'REPAYMENT',
      amount: back + 0.25,
      payment_type: 'DIRECT_CREDIT',
      reason: 'PAYMENT_CORRECTION',
      reference: `RP-${random.digits(4)}`,
    },
    transaction,
  ]);
}

/** Two requests, of which the second repeats a transaction of the first. */
export function repeatedTransaction(subject: Subject): SampleRequest[] {
  const { takeover } = subject;
  const repeated = buildPayment(transactionId(subject, 1), addDays(takeover, 3), 40);
  return [
    transactionsRequest([repeated, buildPayment(transactionId(subject, 2), addDays(takeover, 4), 12.34)]),
    transactionsRequest([repeated, buildPayment(transactionId(subject, 3), addDays(takeover, 5), 56.78)], 1),
  ];
}

/** Three transactions, of which two are dated before the open statement period and are moved into it. */
export function movedTransactions(subject: Subject): SampleRequest {
  return transactionsRequest(buildDatedTransactions(subject));
}

/** The same transactions in a request that forbids moving them, so all three are refused. */
export function unmovableTransactions(subject: Subject): SampleRequest {
  return {
    ...transactionsRequest(buildDatedTransactions(subject)),
    query: { force_add_to_current_statement: false },
    outcome: { refused: 'transaction_outside_open_statement_period' },
  };
}

function buildDatedTransactions(subject: Subject): object[] {
  const { takeover } = subject;
  return [5, -3, -40].map((days, nth) =>
    buildPayment(transactionId(subject, nth + 11), addDays(takeover, days), 10 + nth),
  );
}

function buildPayment(transactionId: string, date: Day, amount: number): object {
  return {
    transaction_id: transactionId,
    transaction_date: date,
    type: 'PAYMENT',
    amount,
    payment_type: 'DEBIT_CARD',
    reason: 'GENERAL_CREDIT',
    reference: `PAY-${transactionId}`,
  };
}

/** A transaction id; the letter distinguishes it from the ids in the account. */
function transactionId({ externalAccountNumber }: Subject, nth: number): string {
  return `${externalAccountNumber}-A${String(nth).padStart(3, '0')}`;
}

interface MeterPoint {
  identifier: string;
  supply_type: 'ELECTRICITY' | 'GAS';
}

/** The first supply point of the account; its identifier is undefined if there is none. */
function firstSupplyPoint(account: Account, random: Random): Parameters<typeof buildSupplyCharge>[1] {
  const [address] = (account['supply_addresses'] ?? []) as { meter_points: MeterPoint[] }[];
  const [point] = address?.meter_points ?? [];
  return {
    identifier: point?.identifier,
    fuel: point?.supply_type ?? 'ELECTRICITY',
    product: account['account_type'] === 'BUSINESS' ? 'TRADE-VAR' : 'HOME-VAR',
    used: random.between(40, 200),
    readings: undefined,
  };
}
