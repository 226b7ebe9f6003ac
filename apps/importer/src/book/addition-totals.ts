import { isJsonObject, type JsonObject } from '@portage/client';
import type { BookItem } from './book-line';
import type { Expected } from './expected';

type Measure = keyof Expected;

const COUNTS: Readonly<Record<string, Measure>> = {
  CHARGE: 'charges',
  SUPPLY_CHARGE: 'supply_charges',
  CREDIT: 'credits',
  PAYMENT: 'payments',
  REPAYMENT: 'repayments',
};

const SUMS: Readonly<Record<string, Measure>> = {
  CHARGE: 'charge_total',
  SUPPLY_CHARGE: 'supply_charge_total',
  CREDIT: 'credit_total',
  PAYMENT: 'payment_total',
  REPAYMENT: 'repayment_total',
};

/** The control totals of additions, summed as the service sums them: amounts exactly, in hundredths. */
export class AdditionTotals {
  private readonly values = new Map<Measure, bigint>();

  add({ addition, payload }: BookItem): void {
    const body = addition === undefined ? undefined : payload[addition];
    this.count('lines');
    if (!isJsonObject(body)) return;
    if (addition === 'notes') this.count('notes', listOf(body['notes']).length);
    if (addition === 'payment_instruction') this.count('payment_instructions');
    if (addition === 'historical_statements') this.addStatements(listOf(body['statements']));
    if (addition === 'transactions') this.addTransactions(listOf(body['transactions']));
  }

  /** The totals that are not zero: counts, minor units, and amounts as decimal text. */
  toExpected(): Expected {
    const totals = [...this.values].map(([measure, value]) => [
      measure,
      Object.values(SUMS).includes(measure) ? decimal(value) : Number(value),
    ]);
    return Object.fromEntries(totals) as Expected;
  }

  private addStatements(statements: readonly JsonObject[]): void {
    this.count('statements', statements.length);
    for (const { gross_amount: amount } of statements) {
      const minor = Math.round(Number(amount ?? 0));
      if (Number.isSafeInteger(minor)) this.sum('statement_total', BigInt(minor));
    }
  }

  private addTransactions(transactions: readonly JsonObject[]): void {
    this.count('transactions', transactions.length);
    for (const { type, amount } of transactions) {
      const [count, sum] = [COUNTS[String(type)], SUMS[String(type)]];
      if (count === undefined || sum === undefined) continue;
      this.count(count);
      this.sum(sum, hundredths(String(amount)));
    }
  }

  private count(measure: Measure, count = 1): void {
    if (count > 0) this.sum(measure, BigInt(count));
  }

  private sum(measure: Measure, value: bigint): void {
    this.values.set(measure, (this.values.get(measure) ?? 0n) + value);
  }
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The service refuses a line with another amount. */
function hundredths(amount: string): bigint {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d{1,17})(?:\.(\d{1,2})0*)?$/.exec(amount) ?? [];
  const value = BigInt(whole + decimals.padEnd(2, '0'));
  return sign === '-' ? -value : value;
}

function decimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
