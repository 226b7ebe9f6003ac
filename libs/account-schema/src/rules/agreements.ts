import type { MeterPoint } from '../contract/meter-points';
import { fieldRule, type Rule, rule, memberRule, customRule } from './engine/rule';
import { isInForceAfter, isInForceOn } from './terms/agreement';
import { isGiven } from './terms/is-given';
import { billedToOfPoint } from './terms/last-billed-to-date';
import { consecutivePairs, sortPeriods } from './terms/period';
import { quote } from './terms/quote';
import { findRepeats, keyOf } from './terms/find-repeats';
import { billedRegisters, isActive, isBillable } from './terms/supply';

/** Rules about agreements: they must be consecutive and use configured products. */
export const AGREEMENT_RULES: readonly Rule[] = [
  rule({
    code: 'gaps_or_overlaps_in_agreement_dates',
    on: 'meterPoint',
    field: 'agreements',
    cost: 'sorting',
    reason: 'Exactly one agreement sets the price on each day of supply.',
    breach: describeGapOrOverlap,
  }),
  memberRule({
    code: 'agreement_start_date_before_supply_start_date',
    on: 'meterPoint',
    each: 'agreements',
    field: 'effective_from',
    reason: 'An agreement cannot start before the supply.',
    breach: ({ effective_from: from }, _facts, { supply_start_date: start }) =>
      from < start && `Supply started on ${start}, after ${from}.`,
  }),
  rule({
    code: 'no_agreement_covering_last_billed_to_date',
    on: 'meterPoint',
    field: 'agreements',
    completeness: true,
    reason: 'The first unbilled day needs a price.',
    breach: (point, { account }) => {
      const day = billedToOfPoint(point, account);
      if (day === undefined || !isBillable(point, day)) return undefined;
      return (
        !point.agreements?.some((one) => isInForceOn(one, day)) &&
        `No agreement is in force on ${day}, the first unbilled day.`
      );
    },
  }),
  rule({
    code: 'meter_point_with_no_agreement',
    on: 'meterPoint',
    field: 'agreements',
    completeness: true,
    needs: ['clock'],
    reason: 'A meter point on supply needs a price from now on.',
    breach: (point, { today, takeoverDate }) => {
      if (!isBillable(point, today)) return undefined;
      const isStillInForce = point.agreements?.some(
        (one) => takeoverDate === undefined || isInForceAfter(one, takeoverDate),
      );
      return !isStillInForce && 'The meter point is on supply: send an agreement that is still in force.';
    },
  }),
  rule({
    code: 'meterpoint_with_agreement_not_on_supply',
    on: 'meterPoint',
    field: 'agreements',
    needs: ['clock'],
    reason: 'Agreements must end when the supply ends.',
    breach: (point, { today, takeoverDate = '' }) => {
      const { supply_end_date: end } = point;
      if (!end || isBillable(point, today)) return undefined;
      const latest = end > takeoverDate ? end : takeoverDate;
      return (
        point.agreements?.some((one) => isInForceAfter(one, latest)) &&
        `Supply ended on ${end}: end the agreements by then.`
      );
    },
  }),
  memberRule({
    code: 'tariff_code_not_found',
    on: 'meterPoint',
    each: 'agreements',
    field: 'tariff_code',
    needs: ['reference data: products'],
    reason: 'The tariff must be one that the operator has configured.',
    breach: ({ tariff_code: code }, { references, nearest }, point) => {
      if (!references.isConfigured('products')) return undefined;
      return (
        !references.tariff(point.supply_type, code) &&
        `There is no tariff ${quote(code)} for ${point.supply_type.toLowerCase()}.${nearest.describe(code, references.tariffCodes(point.supply_type))}`
      );
    },
  }),
  memberRule({
    code: 'agreement_effective_from_before_product_available_from',
    on: 'meterPoint',
    each: 'agreements',
    field: 'effective_from',
    needs: ['reference data: products'],
    reason: 'Variable and tracker products have no prices for days before they were sold.',
    breach: (one, { references, takeoverDate }, point) => {
      const product = references.tariff(point.supply_type, one.tariff_code)?.product;
      if (!product || product.kind === 'fixed' || takeoverDate === undefined) return undefined;
      const available = product.available_from;
      return (
        takeoverDate < available &&
        one.effective_from < available &&
        `The product was not sold before ${available}.`
      );
    },
  }),
  memberRule({
    code: 'agreement_cannot_start_before_product_available',
    on: 'meterPoint',
    each: 'agreements',
    field: 'effective_from',
    needs: ['reference data: products'],
    reason: 'A business agreement cannot start before its product was sold.',
    breach: (one, { references }, point) => {
      if (!isGiven(one.business_contract_identifier)) return undefined;
      const product = references.tariff(point.supply_type, one.tariff_code)?.product;
      return (
        product?.kind === 'variable' &&
        one.effective_from < product.available_from &&
        `The product was not sold before ${product.available_from}.`
      );
    },
  }),
  memberRule({
    code: 'open_ended_agreement_for_end_dated_product',
    on: 'meterPoint',
    each: 'agreements',
    field: 'effective_to',
    needs: ['reference data: products'],
    reason: 'An agreement on a product that ends must end as well.',
    breach: (one, { references }, point) => {
      const ends = references.tariff(point.supply_type, one.tariff_code)?.product.ends_on;
      return (
        isGiven(ends) &&
        !isGiven(one.effective_to) &&
        `The product ends on ${ends}: send the end of the agreement.`
      );
    },
  }),
  rule({
    code: 'invalid_period',
    on: 'agreement',
    field: 'effective_to',
    reason: 'Rate overrides need an agreement that lasts at least one day.',
    breach: ({ rate_overrides: overrides, effective_from: from, effective_to: to }) =>
      isGiven(overrides) &&
      isGiven(to) &&
      to <= from &&
      'The agreement has rate overrides but lasts no day: correct its end or leave the overrides out.',
  }),
  customRule({
    code: 'rate_band_does_not_exist',
    at: ['supply_addresses.<i>.meter_points.<j>.agreements.<k>.rate_overrides.<l>.rate_band'],
    needs: ['reference data: products'],
    reason: 'Only a rate band of the product can be overridden.',
    checks: {
      meterPoint(point, { references, nearest }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          const product = references.tariff(point.supply_type, one.tariff_code)?.product.code;
          const bands = product === undefined ? undefined : references.rateBands.get(product);
          for (const [k, { rate_band: band }] of (one.rate_overrides ?? []).entries()) {
            if (bands?.has(band) === false)
              report(
                `agreements.${i}.rate_overrides.${k}.rate_band`,
                `The product has no rate band ${quote(band)}.${nearest.describe(band, bands)}`,
              );
          }
        }
      },
    },
  }),
  memberRule({
    code: 'characteristic_code_not_found',
    on: 'agreement',
    each: 'characteristics',
    field: 'code',
    needs: ['reference data: product_characteristics'],
    reason: 'The characteristic must be one that the operator has configured.',
    breach: ({ code }, { references, nearest }) =>
      references.has('product_characteristics', code) === false &&
      `${quote(code)} is not a configured characteristic.${nearest.describe(code, references.members('product_characteristics'))}`,
  }),
  memberRule({
    code: 'invalid_characteristic_value',
    on: 'agreement',
    each: 'characteristics',
    field: 'value',
    needs: ['reference data: product_characteristics'],
    reason: 'The value must be one that the operator has configured for the characteristic.',
    breach: ({ code, value }, { references, nearest }) => {
      const values = references.characteristics.get(code);
      return (
        values?.has(value) === false &&
        `${quote(value)} is not a configured value of ${quote(code)}.${nearest.describe(value, values)}`
      );
    },
  }),
  fieldRule({
    code: 'invalid_portfolio_number',
    at: ['supply_addresses.<i>.meter_points.<j>.agreements.<k>.intermediary.portfolio_number'],
    reason: 'A broker is looked up by portfolio number.',
  }),
  customRule({
    code: 'no_register_id_or_rate_type_provided_for_bespoke_elec_rate',
    at: ['supply_addresses.<i>.meter_points.<j>.agreements.<k>.bespoke_tariff_rates.<l>.registers.<m>'],
    tier: 'gbr',
    reason: 'A negotiated rate must say which register or rate type it applies to.',
    checks: {
      electricityMeterPoint({ agreements }, _facts, report) {
        for (const [i, { bespoke_tariff_rates: rates }] of (agreements ?? []).entries()) {
          for (const [k, { registers }] of (rates ?? []).entries())
            for (const [m, register] of registers.entries()) {
              if (!isGiven(register.register_id) && !isGiven(register.rate_type))
                report(
                  `agreements.${i}.bespoke_tariff_rates.${k}.registers.${m}`,
                  'Send a register_id or a rate_type.',
                );
            }
        }
      },
    },
  }),
  rule({
    code: 'duplicate_bespoke_rates',
    on: 'agreement',
    field: 'bespoke_tariff_rates',
    tier: 'gbr',
    reason: 'A meter has one negotiated rate for each way of payment.',
    breach: ({ bespoke_tariff_rates: rates }) => {
      const repeated = findRepeats<{ meter_serial_number?: string; payment_method?: string | null }>(
        rates,
        (one) => keyOf(one.meter_serial_number, one.payment_method),
      );
      return repeated.length > 0 && 'Send one rate for each meter and way of payment.';
    },
  }),
  customRule({
    code: 'tariff_type_does_not_match_meter_point_type',
    at: ['supply_addresses.<i>.meter_points.<j>.agreements.<k>.tariff_code'],
    tier: 'gbr',
    needs: ['reference data: products'],
    reason: 'The tariff must have one rate for each billed register.',
    checks: {
      electricityMeterPoint(point, { references }, report) {
        const billed = billedRegisters(point.meters).length;
        if (billed === 0) return;
        for (const [i, { tariff_code: code }] of (point.agreements ?? []).entries()) {
          const rates = references.tariff(point.supply_type, code)?.rates ?? billed;
          if (rates !== billed)
            report(
              `agreements.${i}.tariff_code`,
              `The tariff has ${rates} rates for ${billed} billed registers.`,
            );
        }
      },
    },
  }),
  customRule({
    code: 'tariff_type_does_not_match_meter_type',
    at: ['supply_addresses.<i>.meter_points.<j>.agreements.<k>.tariff_code'],
    tier: 'gbr',
    needs: ['reference data: products', 'clock'],
    reason: 'Prepayment meters need prepayment tariffs, and other meters need other tariffs.',
    checks: {
      meterPoint(point, { references, today }, report) {
        const active: readonly { is_prepay?: boolean }[] = (point.meters ?? []).filter(isActive);
        for (const [i, agreement] of (point.agreements ?? []).entries()) {
          const tariff = references.tariff(point.supply_type, agreement.tariff_code);
          if (!tariff || !isInForceOn(agreement, today)) continue;
          if (active.some((meter) => (meter.is_prepay === true) !== tariff.prepay))
            report(
              `agreements.${i}.tariff_code`,
              tariff.prepay
                ? 'The tariff is for prepayment, but a meter is not.'
                : 'A meter is for prepayment, but the tariff is not.',
            );
        }
      },
    },
  }),
];

/** Describes the first gap or overlap of a meter point's agreements. Gaps before the start of supply are ignored. */
function describeGapOrOverlap({ agreements, supply_start_date: start }: MeterPoint): string | undefined {
  if (!agreements || agreements.length < 2) return undefined;
  const periods = agreements.map((one) => ({ start: one.effective_from, end: one.effective_to }));
  for (const [before, after] of consecutivePairs(sortPeriods(periods))) {
    if (!before.end || before.end > after.start)
      return `The agreement from ${before.start} still runs when the next one starts on ${after.start}.`;
    if (before.end < after.start && after.start > start)
      return `No agreement is in force from ${before.end} to ${after.start}.`;
  }
  return undefined;
}
