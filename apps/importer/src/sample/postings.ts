import { type Account } from './account';
import { addDays, type Day } from './calendar';
import { supplyCharge } from './ledger';
import { type Random } from './random';
import { type SampleRequest, type Subject, transactions } from './sample-request';

/** One transaction of each kind, all of them dated in the open statement period. */
export function transactionsOfEveryKind(subject: Subject): SampleRequest {
  const { takeover, account, random } = subject;
  const [paid, back] = [random.between(20, 90), random.between(1, 15)];
  const charged = addDays(takeover, 9);
  const { transaction } = supplyCharge(random, pointOf(account, random), takeover, charged, id(subject, 5));
  return transactions([
    payment(id(subject, 1), addDays(takeover, 12), paid + 0.5),
    {
      transaction_id: id(subject, 2),
      transaction_date: addDays(takeover, 13),
      type: 'CREDIT',
      amount: 3.1,
      reason: 'BALANCE_ADJUSTMENT',
      display_note: 'Rounding put right.',
    },
    {
      transaction_id: id(subject, 3),
      transaction_date: addDays(takeover, 14),
      type: 'CHARGE',
      amount: 18,
      reason: 'RECONNECTION_CHARGE',
      tax_items: [{ tax_type: 'VAT', unit_type: 'PROPORTION', rate: 0.2, value_taxed: 15, amount: 3 }],
    },
    {
      transaction_id: id(subject, 4),
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

/** The second request has a transaction of the first one. */
export function repeatedTransaction(subject: Subject): SampleRequest[] {
  const { takeover } = subject;
  const repeated = payment(id(subject, 1), addDays(takeover, 3), 40);
  return [
    transactions([repeated, payment(id(subject, 2), addDays(takeover, 4), 12.34)]),
    transactions([repeated, payment(id(subject, 3), addDays(takeover, 5), 56.78)], 1),
  ];
}

/** Two of three are dated before the open statement period, and are moved into it. */
export function transactionsThatAreMoved(subject: Subject): SampleRequest {
  return transactions(datedBefore(subject));
}

/** As if the supplier had asked that nothing be moved: all three are refused. */
export function transactionsThatMayNotBeMoved(subject: Subject): SampleRequest {
  return {
    ...transactions(datedBefore(subject)),
    query: { force_add_to_current_statement: false },
    becomes: { refused: 'transaction_outside_open_statement_period' },
  };
}

function datedBefore(subject: Subject): object[] {
  const { takeover } = subject;
  return [5, -3, -40].map((days, nth) => payment(id(subject, nth + 11), addDays(takeover, days), 10 + nth));
}

function payment(transactionId: string, date: Day, amount: number): object {
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

/** Unlike those that come with the account, which have no letter. */
function id({ externalAccountNumber }: Subject, nth: number): string {
  return `${externalAccountNumber}-A${String(nth).padStart(3, '0')}`;
}

interface MeterPoint {
  identifier: string;
  supply_type: 'ELECTRICITY' | 'GAS';
}

/** The account's first supply point, if it has one. */
function pointOf(account: Account, random: Random): Parameters<typeof supplyCharge>[1] {
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
