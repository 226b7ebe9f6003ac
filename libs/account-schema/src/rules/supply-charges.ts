import type { SupplyChargeTransaction, Transaction } from '../contract/transactions';
import type { Facts } from './engine/facts';
import { listRule } from './engine/list-rule';
import { customRule, type Report, rule, type Rule } from './engine/rule';
import { AgreementCover } from './terms/agreement-cover';
import { dayAfter } from './terms/calendar';
import { add, formatAmount, multiplyAndRound, parseExact, round, sum } from './terms/decimal';
import { isGiven } from './terms/is-given';
import { groupBy } from './terms/group-by';
import { findOverlaps, periodsOf, sortPeriods } from './terms/period';
import { quote } from './terms/quote';
import { keyOf } from './terms/find-repeats';
import { TRANSACTION_LISTS } from './terms/statement-holder';

/** Rules about supply charges and their line items. */
export const SUPPLY_CHARGE_RULES: readonly Rule[] = [
  listRule({
    code: 'product_code_does_not_exist',
    lists: { products: (code) => `There is no product ${code}.` },
    reason: 'The product must be one that the operator has configured.',
  }),
  rule({
    code: 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    on: 'supplyCharge',
    field: 'amount',
    reason: 'The line items and taxes must sum to the amount of the charge.',
    breach: ({ amount, line_items: lines, tax_items: taxes }) => {
      const total = add(
        sum(lines, (one) => parseExact(one.net_amount)),
        sum(taxes, (one) => parseExact(one.amount)),
      );
      return (
        total !== parseExact(amount) &&
        `Line items and taxes sum to ${formatAmount(total)}, not to ${formatAmount(parseExact(amount))}.`
      );
    },
  }),
  rule({
    code: 'supply_point_identifier_required_for_rate_specification_code',
    on: 'supplyCharge',
    field: 'supply_point_identifier',
    reason: 'A rate specification applies to a supply point, so the charge must name it.',
    breach: ({ line_items: lines, supply_point_identifier: point }) =>
      !isGiven(point) &&
      lines.some((line) => isGiven(line.rate_specification_code)) &&
      'A line item has a rate specification: send the supply point.',
  }),
  customRule({
    code: 'supply_charge_line_items_not_covered_by_single_agreement',
    at: { supplyCharge: ['line_items'] },
    cost: 'sorting',
    needs: ['reference data: products'],
    reason: 'A charge must fall within exactly one agreement on its product.',
    checks: {
      account(_account, facts, report) {
        reportUncovered(facts, report);
      },
    },
  }),
  customRule({
    code: 'gaps_or_overlaps_in_periods',
    at: {
      ledger: TRANSACTION_LISTS,
      electricityMeterPoint: ['capacity_values', 'configuration_periods'],
    },
    cost: 'sorting',
    reason: 'Consecutive periods must cover every day exactly once.',
    checks: {
      ledger(ledger, _facts, report) {
        for (const list of TRANSACTION_LISTS) {
          const problem = describePeriodProblem(ledger[list]);
          if (problem) report(list, problem);
        }
      },
      electricityMeterPoint(point, _facts, report) {
        for (const list of ['capacity_values', 'configuration_periods'] as const) {
          const sorted = sortPeriods(periodsOf(point[list], 'effective_from_date', 'effective_to_date'));
          if (sorted.some(({ end }, i) => i + 1 < sorted.length && end !== sorted[i + 1]?.start))
            report(list, 'Each period must end on the day on which the next one starts.');
        }
      },
    },
  }),
  rule({
    code: 'incorrect_line_item_net_amount',
    on: 'lineItem',
    field: 'net_amount',
    reason: 'The net amount of a line is its price times its units.',
    breach: ({ price_per_unit: price, number_of_units: units, net_amount: net }) => {
      if (price === undefined) return undefined;
      const product = multiplyAndRound(parseExact(price), parseExact(units));
      return product !== round(parseExact(net)) && `${price} times ${units} is ${formatAmount(product)}.`;
    },
  }),
  rule({
    code: 'conflicting_rate_band_specification',
    on: 'lineItem',
    field: 'rate_band',
    reason: 'A line item has exactly one rate.',
    breach: (line) => {
      const rates = [line.rate_band, line.rate_specification_code, line.time_series_specification_code];
      return (
        rates.filter(isGiven).length !== 1 &&
        'Send one of rate_band, rate_specification_code and time_series_specification_code.'
      );
    },
  }),
  rule({
    code: 'line_item_units_must_be_two_values',
    on: 'lineItem',
    field: 'units',
    reason: 'A line item has an opening and a closing meter reading.',
    breach: ({ units }) =>
      isGiven(units) &&
      units.length !== 2 &&
      `Send the opening and the closing reading, not ${units.length} values.`,
  }),
];

/** Reports charges outside a single agreement. Unknown products are skipped; `product_code_does_not_exist` reports them. */
function reportUncovered(facts: Facts, report: Report): void {
  const { references, transactionLists } = facts;
  if (!references.isConfigured('products')) return;
  let covers: ((charge: SupplyChargeTransaction) => AgreementCover | undefined) | undefined;
  for (const { path, transactions } of transactionLists) {
    for (const [i, one] of transactions.entries()) {
      if (one.type !== 'SUPPLY_CHARGE' || one.line_items.length === 0) continue;
      if (references.has('products', one.product_code) === false) continue;
      const from = minDay(one.line_items.map((line) => line.start_date));
      const to = maxDay(one.line_items.map((line) => line.end_date));
      covers ??= agreementCoversOf(facts);
      const count = covers(one)?.count(from, to) ?? 0;
      if (count === 1) continue;
      const found = count === 0 ? 'No agreement' : 'More than one agreement';
      report(`${path}.${i}.line_items`, `${found} on ${quote(one.product_code)} covers ${from} to ${to}.`);
    }
  }
}

/** Finds the agreements for a charge: by product and, if the charge names one, by supply point. */
function agreementCoversOf({
  meterPoints,
  references,
}: Facts): (charge: SupplyChargeTransaction) => AgreementCover | undefined {
  const agreements = meterPoints.flatMap(({ point }) =>
    [...(point.agreements ?? [])].flatMap((agreement) => {
      const product = references.tariff(point.supply_type, agreement.tariff_code)?.product.code;
      return product === undefined ? [] : [{ agreement, product, point: point.identifier }];
    }),
  );
  const ofPoint = groupBy(agreements, ({ product, point }) => keyOf(product, point));
  let ofAll: typeof ofPoint | undefined;
  const built = new Map<string, AgreementCover>();
  return ({ product_code: product, supply_point_identifier: point }) => {
    const key = isGiven(point) ? keyOf(product, point) : keyOf(product);
    let cover = built.get(key);
    if (!cover) {
      const byKey = isGiven(point)
        ? ofPoint
        : (ofAll ??= groupBy(agreements, ({ product: one }) => keyOf(one)));
      const members = byKey.get(key) ?? [];
      cover = new AgreementCover(members.map(({ agreement }) => agreement));
      built.set(key, cover);
    }
    return cover;
  };
}

interface ChargedLine {
  readonly point: string;
  /** Key of supply point, product and rate band; empty if the line has no rate band. */
  readonly rate: string;
  readonly start: string;
  readonly end: string;
}

/**
 * Describes the first problem with the charged days of one list of transactions: a rate charged twice for a day, or
 * a day of a supply point that is not charged. Charges without a supply point are not checked.
 */
function describePeriodProblem(transactions: readonly Transaction[] | undefined): string | undefined {
  const lines: ChargedLine[] = [];
  for (const one of transactions ?? []) {
    if (one.type !== 'SUPPLY_CHARGE' || !isGiven(one.supply_point_identifier)) continue;
    const { supply_point_identifier: point } = one;
    for (const { rate_band: band, start_date: start, end_date: end } of one.line_items)
      lines.push({ point, rate: isGiven(band) ? keyOf(point, one.product_code, band) : '', start, end });
  }
  if (lines.length === 0) return undefined;
  for (const [rate, charged] of groupBy(lines, (line) => line.rate)) {
    if (rate !== '' && findOverlaps(charged, true).length > 0)
      return `A rate of ${quote(charged[0]?.point ?? '')} is charged twice for the same days.`;
  }
  for (const [point, charged] of groupBy(lines, (line) => line.point)) {
    const missing = findFirstGap(sortPeriods(charged));
    if (missing !== undefined) return `Nothing is charged for ${quote(point)} on ${missing}.`;
  }
  return undefined;
}

/** The first day between the first and the last period that no period covers. Ends are inclusive. */
function findFirstGap(
  sorted: readonly { readonly start: string; readonly end: string }[],
): string | undefined {
  let covered = sorted[0]?.end ?? '';
  for (const { start, end } of sorted) {
    if (start > covered && start > dayAfter(covered)) return dayAfter(covered);
    if (end > covered) covered = end;
  }
  return undefined;
}

function minDay(days: readonly string[]): string {
  return days.reduce((a, b) => (b < a ? b : a));
}

function maxDay(days: readonly string[]): string {
  return days.reduce((a, b) => (b > a ? b : a));
}
