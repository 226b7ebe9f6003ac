import { type MeterPoint } from '../supply/meter-point-union';
import { fieldRule, rule, type Rule } from './engine/rule';
import { isInForceAfter, isInForceOn } from './terms/agreement';
import { given } from './terms/given';
import { billedToOfPoint } from './terms/last-billed-to-date';
import { inOrder, neighbours } from './terms/period';
import { quote } from './terms/quote';
import { keyOf, repeats } from './terms/repeats';
import { billedRegisters, isActive, isBillable } from './terms/supply';

/** Agreements on the price: one after the other, on products that are sold. */
export const AGREEMENT_RULES: readonly Rule[] = [
  rule({
    code: 'gaps_or_overlaps_in_agreement_dates',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    why: 'On each day of supply there is one price.',
    checks: {
      meterPoint(point, _facts, report) {
        const problem = agreementGap(point);
        if (problem) report('agreements', problem);
      },
    },
  }),
  rule({
    code: 'agreement_start_date_before_supply_start_date',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_from',
    why: 'There is no price for what was not supplied yet.',
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
    why: 'The first day that is still to be billed needs a price.',
    checks: {
      meterPoint(point, { account }, report) {
        const day = billedToOfPoint(point, account);
        if (day === undefined || !isBillable(point, day)) return;
        if (!point.agreements?.some((one) => isInForceOn(one, day)))
          report(
            'agreements',
            `No agreement is in force on ${day}, the first day that is still to be billed.`,
          );
      },
    },
  }),
  rule({
    code: 'meter_point_with_no_agreement',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    completeness: true,
    needs: ['clock'],
    why: 'What goes on being supplied goes on having a price.',
    checks: {
      meterPoint(point, { today, takeoverDate }, report) {
        if (!isBillable(point, today)) return;
        const goesOn = point.agreements?.some(
          (one) => takeoverDate === undefined || isInForceAfter(one, takeoverDate),
        );
        if (!goesOn)
          report('agreements', 'The meter point is on supply, and no agreement is in force from then on.');
      },
    },
  }),
  rule({
    code: 'meterpoint_with_agreement_not_on_supply',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements',
    needs: ['clock'],
    why: 'What is no longer supplied has no price.',
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
    why: 'A price that nobody knows cannot be charged.',
    checks: {
      meterPoint(point, { references }, report) {
        if (!references.isConfigured('products')) return;
        for (const [i, { tariff_code: code }] of (point.agreements ?? []).entries()) {
          if (!references.tariff(point.supply_type, code))
            report(
              `agreements.${i}.tariff_code`,
              `There is no tariff ${quote(code)} for ${point.supply_type.toLowerCase()}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'agreement_effective_from_before_product_available_from',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_from',
    needs: ['reference data: products'],
    why: 'Prices that follow the market are not known before the product was sold.',
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
    why: 'A business contract cannot be on a product that was not sold yet.',
    checks: {
      meterPoint(point, { references }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          if (!given(one.business_contract_identifier)) continue;
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
    why: 'A product that ends takes its agreements with it.',
    checks: {
      meterPoint(point, { references }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          const ends = references.tariff(point.supply_type, one.tariff_code)?.product.ends_on;
          if (given(ends) && !given(one.effective_to))
            report(
              `agreements.${i}.effective_to`,
              `The product ends on ${ends}: say when the agreement does.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'invalid_period',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.effective_to',
    why: 'Prices cannot be replaced for no days.',
    checks: {
      agreement({ rate_overrides: overrides, effective_from: from, effective_to: to }, _facts, report) {
        if (given(overrides) && given(to) && to <= from)
          report('effective_to', 'The agreement has prices of its own but no day on which they hold.');
      },
    },
  }),
  rule({
    code: 'rate_band_does_not_exist',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.rate_overrides.<l>.rate_band',
    needs: ['reference data: products'],
    why: 'Only a price that the product has can be replaced.',
    checks: {
      meterPoint(point, { references }, report) {
        for (const [i, one] of (point.agreements ?? []).entries()) {
          const bands = references.tariff(point.supply_type, one.tariff_code)?.product.rate_bands;
          for (const [k, { rate_band: band }] of (one.rate_overrides ?? []).entries()) {
            if (bands?.includes(band) === false)
              report(
                `agreements.${i}.rate_overrides.${k}.rate_band`,
                `The product has no rate band ${quote(band)}.`,
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
    why: 'A choice that the operator does not offer cannot be made.',
    checks: {
      agreement({ characteristics }, { references }, report) {
        for (const [i, { code }] of (characteristics ?? []).entries()) {
          if (references.has('product_characteristics', code) === false)
            report(`characteristics.${i}.code`, `${quote(code)} is not a configured characteristic.`);
        }
      },
    },
  }),
  rule({
    code: 'invalid_characteristic_value',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.characteristics.<l>.value',
    needs: ['reference data: product_characteristics'],
    why: 'A choice that the operator does not offer cannot be made.',
    checks: {
      agreement({ characteristics }, { references }, report) {
        for (const [i, { code, value }] of (characteristics ?? []).entries()) {
          if (references.characteristicValues(code)?.includes(value) === false)
            report(`characteristics.${i}.value`, `${quote(value)} is not on offer for ${quote(code)}.`);
        }
      },
    },
  }),
  fieldRule({
    code: 'invalid_portfolio_number',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.intermediary.portfolio_number',
    why: 'A broker is found by the number of the portfolio.',
  }),
  rule({
    code: 'no_register_id_or_rate_type_provided_for_bespoke_elec_rate',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.bespoke_tariff_rates.<l>.registers.<m>',
    tier: 'gbr',
    why: 'A price must say what it is the price of.',
    checks: {
      electricityMeterPoint({ agreements }, _facts, report) {
        for (const [i, { bespoke_tariff_rates: rates }] of (agreements ?? []).entries()) {
          for (const [k, { registers }] of (rates ?? []).entries())
            for (const [m, register] of registers.entries()) {
              if (!given(register.register_id) && !given(register.rate_type))
                report(
                  `agreements.${i}.bespoke_tariff_rates.${k}.registers.${m}`,
                  'Say for which register, or for which type of rate, the price is.',
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
    why: 'A meter has one price for a way of payment.',
    checks: {
      agreement({ bespoke_tariff_rates: rates }, _facts, report) {
        const repeated = repeats<{ meter_serial_number?: string; payment_method?: string | null }>(
          rates,
          (one) => keyOf(one.meter_serial_number, one.payment_method),
        );
        if (repeated.length > 0)
          report('bespoke_tariff_rates', 'Two rates are for the same meter and way of payment.');
      },
    },
  }),
  rule({
    code: 'tariff_type_does_not_match_meter_point_type',
    path: 'supply_addresses.<i>.meter_points.<j>.agreements.<k>.tariff_code',
    tier: 'gbr',
    needs: ['reference data: products'],
    why: 'Each register that is billed needs a rate, and each rate a register.',
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
    why: 'Prepayment is a kind of meter and a kind of tariff, and they go together.',
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
                ? 'The tariff is for prepayment, a meter is not.'
                : 'A meter is for prepayment, the tariff is not.',
            );
        }
      },
    },
  }),
];

/** What is wrong with the order of a meter point's agreements; gaps before supply started do no harm. */
function agreementGap({ agreements, supply_start_date: start }: MeterPoint): string | undefined {
  if (!agreements || agreements.length < 2) return undefined;
  const periods = agreements.map((one) => ({ start: one.effective_from, end: one.effective_to }));
  for (const [before, after] of neighbours(inOrder(periods))) {
    if (!before.end || before.end > after.start)
      return `The agreement from ${before.start} still runs when the next one starts on ${after.start}.`;
    if (before.end < after.start && after.start > start)
      return `No agreement is in force from ${before.end} to ${after.start}.`;
  }
  return undefined;
}
