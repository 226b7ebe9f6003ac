import { type SupplyChargeTransaction } from '../ledger/supply-charge-transaction';
import { type Transaction } from '../ledger/transaction-union';
import { type Facts } from './engine/facts';
import { type Report, rule, type Rule } from './engine/rule';
import { AgreementCover } from './terms/agreement-cover';
import { dayAfter } from './terms/calendar';
import { amountText, exact, plus, rounded, roundedProduct, sum } from './terms/decimal';
import { given } from './terms/given';
import { grouped } from './terms/grouped';
import { inOrder, overlapping } from './terms/period';
import { quote } from './terms/quote';
import { keyOf } from './terms/repeats';
import { TRANSACTION_LISTS } from './terms/statement-holder';

/** Charges for supply, line by line. */
export const SUPPLY_CHARGE_RULES: readonly Rule[] = [
  rule({
    code: 'product_code_does_not_exist',
    path: '<transactions>.<i>.product_code',
    needs: ['reference data: products'],
    why: 'What was charged for must be something that is sold.',
    checks: {
      supplyCharge({ product_code: code }, { references }, report) {
        if (references.has('products', code) === false)
          report('product_code', `There is no product ${quote(code)}.`);
      },
    },
  }),
  rule({
    code: 'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    path: '<transactions>.<i>.amount',
    why: 'Lines and taxes are all of a charge.',
    checks: {
      supplyCharge({ amount, line_items: lines, tax_items: taxes }, _facts, report) {
        const total = plus(
          sum(lines, (one) => exact(one.net_amount)),
          sum(taxes, (one) => exact(one.amount)),
        );
        if (total !== exact(amount))
          report(
            'amount',
            `Lines and taxes sum to ${amountText(total)}, not to ${amountText(exact(amount))}.`,
          );
      },
    },
  }),
  rule({
    code: 'supply_point_identifier_required_for_rate_specification_code',
    path: '<transactions>.<i>.supply_point_identifier',
    why: 'A rate specification says nothing without the supply point that it is for.',
    checks: {
      supplyCharge({ line_items: lines, supply_point_identifier: point }, _facts, report) {
        if (!given(point) && lines.some((line) => given(line.rate_specification_code)))
          report('supply_point_identifier', 'A line has a rate specification: say for which supply point.');
      },
    },
  }),
  rule({
    code: 'supply_charge_line_items_not_covered_by_single_agreement',
    path: '<transactions>.<i>.line_items',
    needs: ['reference data: products'],
    why: 'What was charged was charged under one agreement on the product.',
    checks: {
      account(_account, facts, report) {
        reportUncovered(facts, report);
      },
    },
  }),
  rule({
    code: 'gaps_or_overlaps_in_periods',
    path: 'ledgers.<i>.<transactions> | … .capacity_values | … .configuration_periods',
    why: 'A day is charged, agreed or settled once, and none is left out.',
    checks: {
      ledger(ledger, _facts, report) {
        for (const list of TRANSACTION_LISTS) {
          const problem = chargedPeriodProblem(ledger[list]);
          if (problem) report(list, problem);
        }
      },
      electricityMeterPoint(point, { isBritishMarket }, report) {
        if (!isBritishMarket) return;
        for (const list of ['capacity_values', 'configuration_periods'] as const) {
          const periods = (point[list] ?? []).map((one) => ({
            start: one.effective_from_date,
            end: one.effective_to_date,
          }));
          const sorted = inOrder(periods);
          if (sorted.some(({ end }, i) => i + 1 < sorted.length && end !== sorted[i + 1]?.start))
            report(list, 'Each period must end on the day on which the next one starts.');
        }
      },
    },
  }),
  rule({
    code: 'incorrect_line_item_net_amount',
    path: '<transactions>.<i>.line_items.<j>.net_amount',
    why: 'A line costs its price times its units.',
    checks: {
      lineItem({ price_per_unit: price, number_of_units: units, net_amount: net }, _facts, report) {
        if (price === undefined) return;
        const product = roundedProduct(exact(price), exact(units));
        if (product !== rounded(exact(net)))
          report('net_amount', `${price} times ${units} is ${amountText(product)}.`);
      },
    },
  }),
  rule({
    code: 'conflicting_rate_band_specification',
    path: '<transactions>.<i>.line_items.<j>.rate_band',
    why: 'A line has one rate.',
    checks: {
      lineItem(line, _facts, report) {
        const rates = [line.rate_band, line.rate_specification_code, line.time_series_specification_code];
        if (rates.filter(given).length !== 1)
          report(
            'rate_band',
            'Send one of rate_band, rate_specification_code and time_series_specification_code.',
          );
      },
    },
  }),
  rule({
    code: 'line_item_units_must_be_two_values',
    path: '<transactions>.<i>.line_items.<j>.units',
    why: 'Units are read off a meter at the beginning and at the end.',
    checks: {
      lineItem({ units }, _facts, report) {
        if (given(units) && units.length !== 2)
          report('units', `Send the opening and the closing reading, not ${units.length} values.`);
      },
    },
  }),
];

/** A product that does not exist has no agreements; that it does not exist, another rule says. */
function reportUncovered(facts: Facts, report: Report): void {
  const { references, transactionLists } = facts;
  if (!references.isConfigured('products')) return;
  let covers: ((charge: SupplyChargeTransaction) => AgreementCover | undefined) | undefined;
  for (const { path, transactions } of transactionLists) {
    for (const [i, one] of transactions.entries()) {
      if (one.type !== 'SUPPLY_CHARGE' || one.line_items.length === 0) continue;
      if (references.has('products', one.product_code) === false) continue;
      const from = least(one.line_items.map((line) => line.start_date));
      const to = greatest(one.line_items.map((line) => line.end_date));
      covers ??= coversOf(facts);
      const count = covers(one)?.count(from, to) ?? 0;
      if (count === 1) continue;
      const found = count === 0 ? 'No agreement' : 'More than one agreement';
      report(`${path}.${i}.line_items`, `${found} on ${quote(one.product_code)} covers ${from} to ${to}.`);
    }
  }
}

/** Agreements by product, of one supply point and of all. */
function coversOf({
  meterPoints,
  references,
}: Facts): (charge: SupplyChargeTransaction) => AgreementCover | undefined {
  const agreements = meterPoints.flatMap(({ point }) =>
    [...(point.agreements ?? [])].flatMap((agreement) => {
      const product = references.tariff(point.supply_type, agreement.tariff_code)?.product.code;
      return product === undefined ? [] : [{ agreement, product, point: point.identifier }];
    }),
  );
  const ofPoint = grouped(agreements, ({ product, point }) => keyOf(product, point));
  const ofAll = grouped(agreements, ({ product }) => keyOf(product));
  const built = new Map<string, AgreementCover>();
  return ({ product_code: product, supply_point_identifier: point }) => {
    const key = given(point) ? keyOf(product, point) : keyOf(product);
    let cover = built.get(key);
    if (!cover) {
      const members = (given(point) ? ofPoint : ofAll).get(key) ?? [];
      cover = new AgreementCover(members.map(({ agreement }) => agreement));
      built.set(key, cover);
    }
    return cover;
  };
}

interface ChargedLine {
  readonly point: string;
  /** Rate, product and supply point; empty where the line does not name its rate. */
  readonly rate: string;
  readonly start: string;
  readonly end: string;
}

/**
 * What is wrong with the days that one list of transactions charges: a rate charged twice for a day, or a day of
 * a supply point left out. Charges that do not name their supply point cannot be told apart, and are not checked.
 */
function chargedPeriodProblem(transactions: readonly Transaction[] | undefined): string | undefined {
  const lines: ChargedLine[] = [];
  for (const one of transactions ?? []) {
    if (one.type !== 'SUPPLY_CHARGE' || !given(one.supply_point_identifier)) continue;
    const { supply_point_identifier: point } = one;
    for (const { rate_band: band, start_date: start, end_date: end } of one.line_items)
      lines.push({ point, rate: given(band) ? keyOf(point, one.product_code, band) : '', start, end });
  }
  if (lines.length === 0) return undefined;
  for (const [rate, charged] of grouped(lines, (line) => line.rate)) {
    if (rate !== '' && overlapping(charged, true).length > 0)
      return `A rate of ${quote(charged[0]?.point ?? '')} is charged twice for the same days.`;
  }
  for (const [point, charged] of grouped(lines, (line) => line.point)) {
    const missing = firstGap(inOrder(charged));
    if (missing !== undefined) return `Nothing is charged for ${quote(point)} on ${missing}.`;
  }
  return undefined;
}

/** The first day that no period has, between the first and the last. Both ends of a period are included. */
function firstGap(sorted: readonly { readonly start: string; readonly end: string }[]): string | undefined {
  let covered = sorted[0]?.end ?? '';
  for (const { start, end } of sorted) {
    if (start > covered && start > dayAfter(covered)) return dayAfter(covered);
    if (end > covered) covered = end;
  }
  return undefined;
}

function least(days: readonly string[]): string {
  return days.reduce((a, b) => (b < a ? b : a));
}

function greatest(days: readonly string[]): string {
  return days.reduce((a, b) => (b > a ? b : a));
}
