import { addDays, type Day, daysIn, firstOfMonth } from './calendar';
import { costInPence, formatPounds, formatPrice, percentOf } from './money';
import type { Random } from './random';
import type { SupplyPoint } from './supply-points';

/** A transaction with its effect on the balance (`signed`), in pence. */
export interface LedgerEntry {
  transaction: Record<string, unknown>;
  signed: number;
}

/** The balances and transactions of an account: the last month on a closed statement, and later transactions. */
export interface Balances {
  history: Record<string, unknown>[];
  current: Record<string, unknown>[];
  /** Balance of the closed statement, in pence; credit is positive. */
  statementBalance: number;
  /** Balance carried over, in pence: the statement's balance plus later transactions. */
  balance: number;
  /** Supply charges of the last month, in pence. */
  charged: number;
  closingDate: Day;
  issueDate: Day;
}

/** Builds the balances. @param prefix prefix of all transaction ids, which are unique in the account */
export function buildBalances(
  random: Random,
  points: SupplyPoint[],
  takeover: Day,
  prefix: string,
): Balances {
  const from = firstOfMonth(takeover, -1);
  const closingDate = addDays(takeover, -1);
  let count = 0;
  const id = (): string => `${prefix}-${String((count += 1)).padStart(4, '0')}`;

  const charges = points.map((point) => buildSupplyCharge(random, point, from, closingDate, id()));
  const history = [
    buildPayment(id(), from, random.between(40, 260) * 100, 'DD_REGULAR_COLLECTION', 'REGULAR_SCHEDULE'),
    ...charges,
  ];
  const current = buildCurrentEntries(random, takeover, id);
  const statementBalance = sum(history);
  return {
    history: history.map((entry) => entry.transaction),
    current: current.map((entry) => entry.transaction),
    statementBalance,
    balance: statementBalance + sum(current),
    charged: -sum(charges),
    closingDate,
    issueDate: addDays(takeover, 2),
  };
}

/** A small separate ledger, such as for boiler care, with a charge that is not fully paid. */
export function buildServicesLedger(
  random: Random,
  takeover: Day,
  prefix: string,
): { ledger: Record<string, unknown>; balance: number } {
  const net = random.between(10, 60) * 100;
  const vat = percentOf(net, 20);
  const paid = random.between(100, net);
  const balance = paid - net - vat;
  return {
    balance,
    ledger: {
      ledger_code: 'SERVICES',
      ledger_identifier: 'ledger-services',
      current_statement_transactions: [
        {
          transaction_id: `${prefix}-S001`,
          transaction_date: addDays(takeover, 14),
          type: 'CHARGE',
          amount: formatPounds(net + vat),
          reason: 'SERVICE_ORDER',
          tax_items: [buildVatItem(net, vat, '0.2')],
        },
        {
          transaction_id: `${prefix}-S002`,
          transaction_date: addDays(takeover, 19),
          type: 'PAYMENT',
          amount: formatPounds(paid),
          payment_type: 'CASH',
          reason: 'ACCOUNT_CHARGE_PAYMENT',
        },
      ],
      ledger_balance: formatPounds(balance),
    },
  };
}

/** A supply charge from one day to another, both inclusive, dated on the last day. */
export function buildSupplyCharge(
  random: Random,
  point: Pick<SupplyPoint, 'fuel' | 'product' | 'used' | 'readings'> & { identifier: string | undefined },
  from: Day,
  to: Day,
  id: string,
): LedgerEntry {
  const electric = point.fuel === 'ELECTRICITY';
  const unitPrice = electric ? random.between(2200, 2900) : random.between(550, 780);
  const dayPrice = electric ? random.between(4200, 6100) : random.between(2700, 3400);
  const days = daysIn(from, to);
  const used = costInPence(point.used, unitPrice);
  const standing = costInPence(days, dayPrice);
  const vat = percentOf(used + standing, 5);
  const period = { start_date: from, end_date: to };
  return {
    signed: -(used + standing + vat),
    transaction: {
      transaction_id: id,
      transaction_date: to,
      type: 'SUPPLY_CHARGE',
      amount: formatPounds(used + standing + vat),
      product_code: point.product,
      supply_point_identifier: point.identifier,
      line_items: [
        {
          rate_band: 'CONSUMPTION_STANDARD',
          ...period,
          number_of_units: String(point.used),
          price_per_unit: formatPrice(unitPrice),
          net_amount: formatPounds(used),
          units: point.readings?.map(String),
        },
        {
          rate_band: 'STANDING_CHARGE',
          ...period,
          number_of_units: String(days),
          price_per_unit: formatPrice(dayPrice),
          net_amount: formatPounds(standing),
        },
      ],
      tax_items: [buildVatItem(used + standing, vat, '0.05')],
    },
  };
}

/** Up to one transaction of each type after the statement, in order of date. */
function buildCurrentEntries(random: Random, takeover: Day, id: () => string): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  if (random.chance(0.6)) {
    const method = random.pick(['DEBIT_CARD', 'CHEQUE', 'CASH']);
    entries.push(
      buildPayment(id(), addDays(takeover, 2), random.between(500, 12_000), method, 'GENERAL_CREDIT'),
    );
  }
  if (random.chance(0.3)) {
    entries.push({
      signed: 1000,
      transaction: {
        transaction_id: id(),
        transaction_date: addDays(takeover, 4),
        type: 'CREDIT',
        amount: '10.00',
        reason: 'GOODWILL_PAYMENT',
        display_note: 'For the late reply to your letter.',
      },
    });
  }
  if (random.chance(0.2)) {
    const back = random.between(100, 4000);
    entries.push({
      signed: -back,
      transaction: {
        transaction_id: id(),
        transaction_date: addDays(takeover, 9),
        type: 'REPAYMENT',
        amount: formatPounds(back),
        payment_type: 'BACS',
        reason: 'PARTIAL_CREDIT_REFUND',
        reference: `REF-${random.digits(5)}`,
      },
    });
  }
  if (random.chance(0.3)) {
    entries.push({
      signed: -450,
      transaction: {
        transaction_id: id(),
        transaction_date: addDays(takeover, 11),
        type: 'CHARGE',
        amount: '4.50',
        reason: 'PAPER_BILL_FEE',
        note: 'Paper bill asked for by phone.',
      },
    });
  }
  return entries;
}

function buildPayment(
  id: string,
  date: Day,
  pence: number,
  paymentType: string,
  reason: string,
): LedgerEntry {
  return {
    signed: pence,
    transaction: {
      transaction_id: id,
      transaction_date: date,
      type: 'PAYMENT',
      amount: formatPounds(pence),
      payment_type: paymentType,
      reason,
      reference: `PAY-${id}`,
    },
  };
}

function buildVatItem(net: number, vat: number, rate: string): Record<string, unknown> {
  return {
    tax_type: 'VAT',
    unit_type: 'PROPORTION',
    rate,
    value_taxed: formatPounds(net),
    amount: formatPounds(vat),
  };
}

function sum(entries: LedgerEntry[]): number {
  return entries.reduce((total, { signed }) => total + signed, 0);
}
