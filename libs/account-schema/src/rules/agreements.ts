import type { MeterPoint } from '../supply/meter-point-union';
import { fieldRule, rule, type Rule } from './engine/rule';
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
    cost: 'sorting',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    reason: 'Exactly one agreement sets the price on each day of supply.',
    checks: {
      meterPoint(point, _facts, report) {
        const problem = describeGapOrOverlap(point);
        if (problem) report('agreements', problem);
      },
    },
  }),
  rule({
    code: 'agreement_start_date_before_supply_start_date',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_from',
    reason: 'An agreement cannot start before the supply.',
    checks: {
      meterPoint({ agreements, supply_start_date: start }, _facts, report) {
        for (const [i, { effective_from: from }] of (agreements ?? []).entries()) {
          if (from < start)
            report(`agreements.${i}.effective_from`, `Supply started on ${start}, after ${from}.`);
        }
      },
    },
  }),
  rule({
    code: 'no_agreement_covering_last_billed_to_date',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    completeness: true,
    reason: 'The first unbilled day needs a price.',
    checks: {
      meterPoint(point, { account }, report) {
        const day = billedToOfPoint(point, account);
        if (day === undefined || !isBillable(point, day)) return;
        if (!point.agreements?.some((one) => isInForceOn(one, day)))
          report('agreements', `No agreement is in force on ${day}, the first unbilled day.`);
      },
    },
  }),
  rule({
    code: 'meter_point_with_no_agreement',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    completeness: true,
    needs: ['clock'],
    reason: 'A meter point on supply needs a price from now on.',
    checks: {
      meterPoint(point, { today, takeoverDate }, report) {
        if (!isBillable(point, today)) return;
        const isStillInForce = point.agreements?.some(
          (one) => takeoverDate === undefined || isInForceAfter(one, takeoverDate),
        );
        if (!isStillInForce)
          report('agreements', 'The meter point is on supply: send an agreement that is still in force.');
      },
    },
  }),
  rule({
    code: 'meterpoint_with_agreement_not_on_supply',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    needs: ['clock'],
    reason: 'Agreements must end when the supply ends.',
    checks: {
      meterPoint(point, { today, takeoverDate = '' }, report) {
        const { supply_end_date: end } = point;
        if (!end || isBillable(point, today)) return;
        const latest = end > takeoverDate ? end : takeoverDate;
        if (point.agreements?.some((one) => isInForceAfter(one, latest)))
          report('agreements', `Supply ended on ${end}: end the agreements by then.`);
      },
    },
  }),
  rule({
    code: 'tariff_code_not_found',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.tariff_code',
    needs: ['reference data: products'],
    reason: 'The tariff must be one that the operator has configured.',
    checks: {
      meterPoint(point, { references, nearest }, report) {
        if (!references.isConfigured('products')) return;
        for (const [i, { tariff_code: code }] of (point.agreements ?? []).entries()) {
          if (!references.tariff(point.supply_type, code))
            report(
              `agreements.${i}.tariff_code`,
              `There is no tariff ${quote(code)} for ${point.supply_type.toLowerCase()}.${nearest.describe(code, references.tariffCodes(point.supply_type))}`,
            );
        }
      },
    },
  }),
  rule({
    code: 'agreement_effective_from_before_product_available_from',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_from',
    needs: ['reference data: products'],
    reason: 'Variable and tracker products have no prices for days before they were sold.',
    checks: {
      meterPoint(point, { references, takeoverDate }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          const product = references.tariff(point.supply_type, one.tariff_code)?.product;
          if (!product || product.kind === 'fixed' || takeoverDate === undefined) continue;
          const available = product.available_from;
          if (takeoverDate < available && one.effective_from < available)
            report(`agreements.${i}.effective_from`, `The product was not sold before ${available}.`);
        }
      },
    },
  }),
  rule({
    code: 'agreement_cannot_start_before_product_available',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_from',
    needs: ['reference data: products'],
    reason: 'A business agreement cannot start before its product was sold.',
    checks: {
      meterPoint(point, { references }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          if (!isGiven(one.business_contract_identifier)) continue;
          const product = references.tariff(point.supply_type, one.tariff_code)?.product;
          if (product?.kind === 'variable' && one.effective_from < product.available_from)
            report(
              `agreements.${i}.effective_from`,
              `The product was not sold before ${product.available_from}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'open_ended_agreement_for_end_dated_product',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_to',
    needs: ['reference data: products'],
    reason: 'An agreement on a product that ends must end as well.',
    checks: {
      meterPoint(point, { references }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          const ends = references.tariff(point.supply_type, one.tariff_code)?.product.ends_on;
          if (isGiven(ends) && !isGiven(one.effective_to))
            report(
              `agreements.${i}.effective_to`,
              `The product ends on ${ends}: send the end of the agreement.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'invalid_period',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_to',
    reason: 'Rate overrides need an agreement that lasts at least one day.',
    checks: {
      agreement({ rate_overrides: overrides, effective_from: from, effective_to: to }, _facts, report) {
        if (isGiven(overrides) && isGiven(to) && to <= from)
          report(
            'effective_to',
            'The agreement has rate overrides but lasts no day: correct its end or leave the overrides out.',
          );
      },
    },
  }),
  rule({
    code: 'rate_band_does_not_exist',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.rate_overrides.<l>.rate_band',
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
  rule({
    code: 'characteristic_code_not_found',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.characteristics.<l>.code',
    needs: ['reference data: product_characteristics'],
    reason: 'The characteristic must be one that the operator has configured.',
    checks: {
      agreement({ characteristics }, { references, nearest }, report) {
        for (const [i, { code }] of (characteristics ?? []).entries()) {
          if (references.has('product_characteristics', code) === false)
            report(
              `characteristics.${i}.code`,
              `${quote(code)} is not a configured characteristic.${nearest.describe(code, references.members('product_characteristics'))}`,
            );
        }
      },
    },
  }),
  rule({
    code: 'invalid_characteristic_value',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.characteristics.<l>.value',
    needs: ['reference data: product_characteristics'],
    reason: 'The value must be one that the operator has configured for the characteristic.',
    checks: {
      agreement({ characteristics }, { references, nearest }, report) {
        for (const [i, { code, value }] of (characteristics ?? []).entries()) {
          const values = references.characteristics.get(code);
          if (values?.has(value) === false)
            report(
              `characteristics.${i}.value`,
              `${quote(value)} is not a configured value of ${quote(code)}.${nearest.describe(value, values)}`,
            );
        }
      },
    },
  }),
  fieldRule({
    code: 'invalid_portfolio_number',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.intermediary.portfolio_number',
    reason: 'A broker is looked up by portfolio number.',
  }),
  rule({
    code: 'no_register_id_or_rate_type_provided_for_bespoke_elec_rate',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.bespoke_tariff_rates.<l>.registers.<m>',
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
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.bespoke_tariff_rates',
    tier: 'gbr',
    reason: 'A meter has one negotiated rate for each way of payment.',
    checks: {
      agreement({ bespoke_tariff_rates: rates }, _facts, report) {
        const repeated = findRepeats<{ meter_serial_number?: string; payment_method?: string | null }>(
          rates,
          (one) => keyOf(one.meter_serial_number, one.payment_method),
        );
        if (repeated.length > 0)
          report('bespoke_tariff_rates', 'Send one rate for each meter and way of payment.');
      },
    },
  }),
  rule({
    code: 'tariff_type_does_not_match_meter_point_type',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.tariff_code',
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
  rule({
    code: 'tariff_type_does_not_match_meter_type',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.tariff_code',
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
