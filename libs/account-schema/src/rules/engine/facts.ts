import { Account } from '../../account/account';
import { type SchemaContext } from '../../context';
import { type Transaction } from '../../ledger/transaction-union';
import { type ElectricityMeterPoint } from '../../supply/electricity-meter-point';
import { type MeterPoint } from '../../supply/meter-point-union';
import { type InstanceSettings, type SupplierSettings } from '../operator/settings';
import { type References } from '../operator/references';
import { withDefaults } from '../operator/rule-settings';
import {
  isBusinessAccount,
  isDomesticAccount,
  isOccupierAccount,
  isPortfolioLead,
} from '../terms/account-kind';
import { dayIn, momentText } from '../terms/calendar';
import { given } from '../terms/given';
import { earliestBilledTo } from '../terms/last-billed-to-date';
import { type StatementHolder, TRANSACTION_LISTS } from '../terms/statement-holder';
import { closingDate, openingDate, takeoverDate } from '../terms/statement-dates';

/** A meter point and where it stands in the payload. */
export interface PlacedMeterPoint {
  readonly point: MeterPoint;
  readonly address: number;
  readonly path: string;
}

/** A list of transactions and where it stands in the payload. */
export interface PlacedTransactions {
  readonly transactions: readonly Transaction[];
  readonly path: string;
}

/**
 * What rules share about one payload: the operator's settings, the clock, and terms of the glossary that take a
 * look at the whole account. Each is worked out when the first rule asks, and once: an account with a mistake in
 * it may have facts that cannot be known, and then only the rules that ask for those are left out.
 */
export class Facts {
  readonly region: string;
  /** Whether the rules of the British market apply, and those that demand completeness. */
  readonly isBritishMarket: boolean;
  readonly timeZone: string;
  readonly now: string;
  readonly today: string;
  readonly supplier: SupplierSettings;
  readonly instance: InstanceSettings;
  readonly references: References;

  /** @param account the account, or an empty one for bodies that are sent after the import. */
  constructor(
    context: SchemaContext,
    readonly account: Account = new Account(),
  ) {
    const { supplier, instance, references } = withDefaults(context.rules);
    this.region = context.region;
    this.isBritishMarket = context.profile === 'gb-energy';
    this.timeZone = context.timeZone;
    this.now = momentText(context.now);
    this.today = dayIn(context.timeZone, context.now);
    this.supplier = supplier;
    this.instance = instance;
    this.references = references;
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

  private placedPoints: PlacedMeterPoint[] | undefined;

  /** Every meter point of the account, in the order of the payload. */
  get meterPoints(): readonly PlacedMeterPoint[] {
    this.placedPoints ??= placedPointsOf(this.account);
    return this.placedPoints;
  }

  private identifiers: ReadonlySet<string> | undefined;

  /** Identifiers of every meter point of the account. */
  get supplyPointIdentifiers(): ReadonlySet<string> {
    this.identifiers ??= new Set(this.meterPoints.map(({ point }) => point.identifier));
    return this.identifiers;
  }

  private placedLists: PlacedTransactions[] | undefined;

  /** Every list of transactions: the account's own, then those of its ledgers. */
  get transactionLists(): readonly PlacedTransactions[] {
    this.placedLists ??= placedListsOf(this.account);
    return this.placedLists;
  }

  private prepaySerials: ReadonlySet<string> | undefined;

  /** Serial numbers of the meters that have prepay_details. */
  get prepayMeterSerials(): ReadonlySet<string> {
    this.prepaySerials ??= new Set(
      this.meterPoints.flatMap(({ point }) =>
        (point.meters ?? []).flatMap((meter) => (meter.prepay_details ? [meter.meter_serial_number] : [])),
      ),
    );
    return this.prepaySerials;
  }

  private pointsBySerial: ReadonlyMap<string, readonly ElectricityMeterPoint[]> | undefined;

  /** The electricity meter points that a meter of each serial number is on. */
  get electricityPointsBySerial(): ReadonlyMap<string, readonly ElectricityMeterPoint[]> {
    this.pointsBySerial ??= electricityPointsBySerial(this.meterPoints);
    return this.pointsBySerial;
  }

  /** Whether the account was ever billed on a statement, as far as the payload says. */
  get hasStatementHistory(): boolean {
    const { account } = this;
    return (
      given(account.statements) ||
      hasLastStatement(account) ||
      (account.ledgers ?? []).some((ledger) => hasLastStatement(ledger))
    );
  }

  private earliest: { readonly day: string | undefined } | undefined;

  get earliestBilledTo(): string | undefined {
    this.earliest ??= { day: earliestBilledTo(this.account) };
    return this.earliest.day;
  }

  get closingDate(): string | undefined {
    return closingDate(this.account, this.earliestBilledTo);
  }

  get openingDate(): string | undefined {
    return openingDate(this.account, this.earliestBilledTo);
  }

  private takeover: { readonly day: string | undefined } | undefined;

  get takeoverDate(): string | undefined {
    this.takeover ??= { day: takeoverDate(this.account, this.earliestBilledTo) };
    return this.takeover.day;
  }
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
  const place = (holder: StatementHolder, prefix: string) => {
    for (const list of TRANSACTION_LISTS) {
      const transactions = holder[list];
      if (transactions) placed.push({ transactions, path: prefix + list });
    }
  };
  place(account, '');
  for (const [i, ledger] of (account.ledgers ?? []).entries()) place(ledger, `ledgers.${i}.`);
  return placed;
}

function hasLastStatement(holder: StatementHolder): boolean {
  return (
    given(holder.historical_statement_transactions) ||
    given(holder.last_statement_balance) ||
    given(holder.last_statement_closing_date) ||
    given(holder.last_statement_issue_date)
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
