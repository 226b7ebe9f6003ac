import { addDays, type Day, daysIn, firstOfMonth } from './calendar';
import { cost, percentOf, pounds, priceInPounds } from './money';
import { type Random } from './random';
import { type SupplyPoint } from './supply-points';

/** A transaction with what it does to the balance, in pence. */
export interface Entry {
  transaction: Record<string, unknown>;
  signed: number;
}

/** The money side of an account: the last month on a closed statement, and what happened since. */
export interface Money {
  history: Record<string, unknown>[];
  current: Record<string, unknown>[];
  /** Of the closed statement, in pence; credit is positive. */
  statementBalance: number;
  /** Carried over, in pence: the statement's balance and what happened since. */
  balance: number;
  /** Charged for supply in the last month, in pence. */
  charged: number;
  closingDate: Day;
  issueDate: Day;
}

/** @param prefix begins every transaction's id, which is the supplier's own and unique in the account */
export function money(random: Random, points: SupplyPoint[], takeover: Day, prefix: string): Money {
  const from = firstOfMonth(takeover, -1);
  const closingDate = addDays(takeover, -1);
  let count = 0;
  const id = (): string => `${prefix}-${String((count += 1)).padStart(4, '0')}`;

  const charges = points.map((point) => supplyCharge(random, point, from, closingDate, id()));
  const history = [
    payment(id(), from, random.between(40, 260) * 100, 'DD_REGULAR_COLLECTION', 'REGULAR_SCHEDULE'),
    ...charges,
  ];
  const current = since(random, takeover, id);
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

/** A small separate ledger, as for boiler care: a charge not yet paid in full. */
export function services(
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
          amount: pounds(net + vat),
          reason: 'SERVICE_ORDER',
          tax_items: [vatItem(net, vat, '0.2')],
        },
        {
          transaction_id: `${prefix}-S002`,
          transaction_date: addDays(takeover, 19),
          type: 'PAYMENT',
          amount: pounds(paid),
          payment_type: 'CASH',
          reason: 'ACCOUNT_CHARGE_PAYMENT',
        },
      ],
      ledger_balance: pounds(balance),
    },
  };
}

/** A charge for supply from one day to another, both included, made on the last. */
export function supplyCharge(
  random: Random,
  point: Pick<SupplyPoint, 'fuel' | 'product' | 'used' | 'readings'> & { identifier: string | undefined },
  from: Day,
  to: Day,
  id: string,
): Entry {
  const electric = point.fuel === 'ELECTRICITY';
  const unitPrice = electric ? random.between(2200, 2900) : random.between(550, 780);
  const dayPrice = electric ? random.between(4200, 6100) : random.between(2700, 3400);
  const days = daysIn(from, to);
  const used = cost(point.used, unitPrice);
  const standing = cost(days, dayPrice);
  const vat = percentOf(used + standing, 5);
  const period = { start_date: from, end_date: to };
  return {
    signed: -(used + standing + vat),
    transaction: {
      transaction_id: id,
      transaction_date: to,
      type: 'SUPPLY_CHARGE',
      amount: pounds(used + standing + vat),
      product_code: point.product,
      supply_point_identifier: point.identifier,
      line_items: [
        {
          rate_band: 'CONSUMPTION_STANDARD',
          ...period,
          number_of_units: String(point.used),
          price_per_unit: priceInPounds(unitPrice),
          net_amount: pounds(used),
          units: point.readings?.map(String),
        },
        {
          rate_band: 'STANDING_CHARGE',
          ...period,
          number_of_units: String(days),
          price_per_unit: priceInPounds(dayPrice),
          net_amount: pounds(standing),
        },
      ],
      tax_items: [vatItem(used + standing, vat, '0.05')],
    },
  };
}

/** From nothing at all to one of each kind, in order of date. */
function since(random: Random, takeover: Day, id: () => string): Entry[] {
  const entries: Entry[] = [];
  if (random.chance(0.6)) {
    const method = random.pick(['DEBIT_CARD', 'CHEQUE', 'CASH']);
    entries.push(payment(id(), addDays(takeover, 2), random.between(500, 12_000), method, 'GENERAL_CREDIT'));
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
        amount: pounds(back),
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

function payment(id: string, date: Day, pence: number, paymentType: string, reason: string): Entry {
  return {
    signed: pence,
    transaction: {
      transaction_id: id,
      transaction_date: date,
      type: 'PAYMENT',
      amount: pounds(pence),
      payment_type: paymentType,
      reason,
      reference: `PAY-${id}`,
    },
  };
}

function vatItem(net: number, vat: number, rate: string): Record<string, unknown> {
  return { tax_type: 'VAT', unit_type: 'PROPORTION', rate, value_taxed: pounds(net), amount: pounds(vat) };
}

function sum(entries: Entry[]): number {
  return entries.reduce((total, { signed }) => total + signed, 0);
}
