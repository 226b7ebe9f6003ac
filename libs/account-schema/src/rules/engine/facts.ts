import { Account } from '../../contract/account';
import type { SchemaContext } from '../../context';
import type { Transaction } from '../../contract/transactions';
import type { ElectricityMeterPoint, MeterPoint } from '../../contract/meter-points';
import type { InstanceSettings, SupplierSettings } from '../operator/settings';
import type { References } from '../operator/references';
import { withDefaults } from '../operator/rule-settings';
import {
  isBusinessAccount,
  isDomesticAccount,
  isOccupierAccount,
  isPortfolioLead,
} from '../terms/account-kind';
import { dayIn, formatMoment } from '../terms/calendar';
import { isGiven } from '../terms/is-given';
import { earliestBilledTo } from '../terms/last-billed-to-date';
import { type StatementHolder, TRANSACTION_LISTS } from '../terms/statement-holder';
import { NearestCodes } from '../terms/nearest-codes';
import { closingDate, openingDate, takeoverDate } from '../terms/statement-dates';

/** A meter point with its path in the payload and the index of its supply address. */
export interface PlacedMeterPoint {
  readonly point: MeterPoint;
  readonly address: number;
  readonly path: string;
}

/** A list of transactions with its path in the payload. */
export interface PlacedTransactions {
  readonly transactions: readonly Transaction[];
  readonly path: string;
}

/** The result of a computation, which may have read an invalid value. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

function outcomeOf(compute: () => unknown): Outcome {
  try {
    return { value: compute() };
  } catch (error) {
    return { error };
  }
}

/**
 * The data that rules share about one payload: the operator's settings, the current time, and values derived from
 * the whole account. Each derived value is computed once, when the first rule reads it. In an account with field
 * errors some of them cannot be computed; then only the rules that read those are skipped. That is found out once as
 * well: rules about the members of a list would otherwise read the whole account for each member.
 */
export class Facts {
  readonly region: string;
  /** True under the profile `gb-energy`: the rules of the British market and the completeness rules apply. */
  readonly isBritishMarket: boolean;
  readonly timeZone: string;
  /** Compare it only with moments that must have passed: an account stays valid for a day, see `digestContext`. */
  readonly now: string;
  readonly today: string;
  readonly supplier: SupplierSettings;
  readonly instance: InstanceSettings;
  readonly references: References;
  readonly nearest = new NearestCodes();
  private readonly outcomes = new Map<string, Outcome>();

  /** @param account the account; empty for bodies that are sent after the import */
  constructor(
    context: SchemaContext,
    readonly account: Account = new Account(),
  ) {
    const { supplier, instance, references } = withDefaults(context.rules);
    this.region = context.region;
    this.isBritishMarket = context.profile === 'gb-energy';
    this.timeZone = context.timeZone;
    this.now = formatMoment(context.now);
    this.today = dayIn(context.timeZone, context.now);
    this.supplier = supplier;
    this.instance = instance;
    this.references = references;
  }

  /** A value that is derived when it is first read. What that throws is thrown by later reads as well. */
  private once<Value>(name: string, derive: () => Value): Value {
    let outcome = this.outcomes.get(name);
    if (!outcome) {
      outcome = outcomeOf(derive);
      this.outcomes.set(name, outcome);
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value as Value;
  }

  get isDomestic(): boolean {
    return isDomesticAccount(this.account);
  }

  get isBusiness(): boolean {
    return isBusinessAccount(this.account);
  }

  get isOccupier(): boolean {
    return isOccupierAccount(this.account);
  }

  get isPortfolioLead(): boolean {
    return isPortfolioLead(this.account);
  }

  /** Every meter point of the account, in the order of the payload. */
  get meterPoints(): readonly PlacedMeterPoint[] {
    return this.once('meterPoints', () => placedPointsOf(this.account));
  }

  /** Identifiers of every meter point of the account. */
  get supplyPointIdentifiers(): ReadonlySet<string> {
    return this.once(
      'supplyPointIdentifiers',
      () => new Set(this.meterPoints.map(({ point }) => point.identifier)),
    );
  }

  /** All lists of transactions: first the account's own, then those of its ledgers. */
  get transactionLists(): readonly PlacedTransactions[] {
    return this.once('transactionLists', () => placedListsOf(this.account));
  }

  /** Serial numbers of the meters that have prepay_details. */
  get prepayMeterSerials(): ReadonlySet<string> {
    return this.once('prepayMeterSerials', () => prepaySerialsOf(this.meterPoints));
  }

  /** The electricity meter points by the serial numbers of their meters. */
  get electricityPointsBySerial(): ReadonlyMap<string, readonly ElectricityMeterPoint[]> {
    return this.once('electricityPointsBySerial', () => electricityPointsBySerial(this.meterPoints));
  }

  /** True if the payload shows that the account has been billed on a statement. */
  get hasStatementHistory(): boolean {
    return this.once('hasStatementHistory', () => hasStatementHistory(this.account));
  }

  /** The earliest last-billed-to date of the account, or undefined. */
  get earliestBilledTo(): string | undefined {
    return this.once('earliestBilledTo', () => earliestBilledTo(this.account));
  }

  /** See `closingDate` in `terms/statement-dates.ts`. */
  get closingDate(): string | undefined {
    return closingDate(this.account, this.earliestBilledTo);
  }

  /** See `openingDate` in `terms/statement-dates.ts`. */
  get openingDate(): string | undefined {
    return openingDate(this.account, this.earliestBilledTo);
  }

  /** See `takeoverDate` in `terms/statement-dates.ts`. */
  get takeoverDate(): string | undefined {
    return this.once('takeoverDate', () => takeoverDate(this.account, this.earliestBilledTo));
  }
}

function hasStatementHistory(account: Account): boolean {
  return (
    isGiven(account.statements) ||
    hasLastStatement(account) ||
    (account.ledgers ?? []).some((ledger) => hasLastStatement(ledger))
  );
}

function prepaySerialsOf(points: readonly PlacedMeterPoint[]): Set<string> {
  return new Set(
    points.flatMap(({ point }) =>
      (point.meters ?? []).flatMap((meter) => (meter.prepay_details ? [meter.meter_serial_number] : [])),
    ),
  );
}

function placedPointsOf({ supply_addresses: addresses }: Account): PlacedMeterPoint[] {
  const placed: PlacedMeterPoint[] = [];
  for (const [address, { meter_points: points }] of (addresses ?? []).entries()) {
    for (const [i, point] of points.entries())
      placed.push({ point, address, path: `supply_addresses.${address}.meter_points.${i}` });
  }
  return placed;
}

function placedListsOf(account: Account): PlacedTransactions[] {
  const placed: PlacedTransactions[] = [];
  const addLists = (holder: StatementHolder, prefix: string) => {
    for (const list of TRANSACTION_LISTS) {
      const transactions = holder[list];
      if (transactions) placed.push({ transactions, path: prefix + list });
    }
  };
  addLists(account, '');
  for (const [i, ledger] of (account.ledgers ?? []).entries()) addLists(ledger, `ledgers.${i}.`);
  return placed;
}

function hasLastStatement(holder: StatementHolder): boolean {
  return (
    isGiven(holder.historical_statement_transactions) ||
    isGiven(holder.last_statement_balance) ||
    isGiven(holder.last_statement_closing_date) ||
    isGiven(holder.last_statement_issue_date)
  );
}

function electricityPointsBySerial(
  points: readonly PlacedMeterPoint[],
): Map<string, ElectricityMeterPoint[]> {
  const bySerial = new Map<string, ElectricityMeterPoint[]>();
  for (const { point } of points) {
    if (point.supply_type !== 'ELECTRICITY') continue;
    for (const serial of new Set(point.meters?.map((meter) => meter.meter_serial_number))) {
      const sharing = bySerial.get(serial);
      if (sharing) sharing.push(point);
      else bySerial.set(serial, [point]);
    }
  }
  return bySerial;
}
