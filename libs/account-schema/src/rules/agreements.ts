import type { MeterPoint } from '../contract/meter-points';
import { each, fieldRule, rule, type Rule } from './engine/rule';
import { isInForceAfter, isInForceOn } from './terms/agreement';
import { isGiven } from './terms/is-given';
import { billedToOfPoint } from './terms/last-billed-to-date';
import { consecutivePairs, periodsOf, sortPeriods } from './terms/period';
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
  rule({
    code: 'agreement_start_date_before_supply_start_date',
    on: 'meterPoint',
    field: 'agreements.<i>.effective_from',
    reason: 'An agreement cannot start before the supply.',
    breach: ({ agreements, supply_start_date: start }) =>
      each(
        agreements,
        ({ effective_from: from }) => from < start && `Supply started on ${start}, after ${from}.`,
      ),
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
  rule({
    code: 'tariff_code_not_found',
    on: 'meterPoint',
    field: 'agreements.<i>.tariff_code',
    needs: ['reference data: products'],
    reason: 'The tariff must be one that the operator has configured.',
    breach: ({ agreements, supply_type: type }, { references, nearest }) =>
      references.isConfigured('products') &&
      each(
        agreements,
        ({ tariff_code: code }) =>
          !references.tariff(type, code) &&
          `There is no tariff ${quote(code)} for ${type.toLowerCase()}.${nearest.describe(code, references.tariffCodes(type))}`,
      ),
  }),
  rule({
    code: 'agreement_effective_from_before_product_available_from',
    on: 'meterPoint',
    field: 'agreements.<i>.effective_from',
    needs: ['reference data: products'],
    reason: 'Variable and tracker products have no prices for days before they were sold.',
    breach: ({ agreements, supply_type: type }, { references, takeoverDate }) =>
      each(agreements, (one) => {
        const product = references.tariff(type, one.tariff_code)?.product;
        if (!product || product.kind === 'fixed' || takeoverDate === undefined) return undefined;
        const available = product.available_from;
        return (
          takeoverDate < available &&
          one.effective_from < available &&
          `The product was not sold before ${available}.`
        );
      }),
  }),
  rule({
    code: 'agreement_cannot_start_before_product_available',
    on: 'meterPoint',
    field: 'agreements.<i>.effective_from',
    needs: ['reference data: products'],
    reason: 'A business agreement cannot start before its product was sold.',
    breach: ({ agreements, supply_type: type }, { references }) =>
      each(agreements, (one) => {
        if (!isGiven(one.business_contract_identifier)) return undefined;
        const product = references.tariff(type, one.tariff_code)?.product;
        return (
          product?.kind === 'variable' &&
          one.effective_from < product.available_from &&
          `The product was not sold before ${product.available_from}.`
        );
      }),
  }),
  rule({
    code: 'open_ended_agreement_for_end_dated_product',
    on: 'meterPoint',
    field: 'agreements.<i>.effective_to',
    needs: ['reference data: products'],
    reason: 'An agreement on a product that ends must end as well.',
    breach: ({ agreements, supply_type: type }, { references }) =>
      each(agreements, (one) => {
        const ends = references.tariff(type, one.tariff_code)?.product.ends_on;
        return (
          isGiven(ends) &&
          !isGiven(one.effective_to) &&
          `The product ends on ${ends}: send the end of the agreement.`
        );
      }),
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
  rule({
    code: 'rate_band_does_not_exist',
    on: 'meterPoint',
    field: 'agreements.<i>.rate_overrides.<i>.rate_band',
    needs: ['reference data: products'],
    reason: 'Only a rate band of the product can be overridden.',
    breach: ({ agreements, supply_type: type }, { references, nearest }) =>
      each(agreements, (agreement) => {
        const bands = references.tariff(type, agreement.tariff_code)?.product.rate_bands;
        return each(
          agreement.rate_overrides,
          ({ rate_band: band }) =>
            bands?.includes(band) === false &&
            `The product has no rate band ${quote(band)}.${nearest.describe(band, new Set(bands))}`,
        );
      }),
  }),
  rule({
    code: 'characteristic_code_not_found',
    on: 'agreement',
    field: 'characteristics.<i>.code',
    needs: ['reference data: product_characteristics'],
    reason: 'The characteristic must be one that the operator has configured.',
    breach: ({ characteristics }, { references, nearest }) =>
      each(
        characteristics,
        ({ code }) =>
          references.has('product_characteristics', code) === false &&
          `${quote(code)} is not a configured characteristic.${nearest.describe(code, references.members('product_characteristics'))}`,
      ),
  }),
  rule({
    code: 'invalid_characteristic_value',
    on: 'agreement',
    field: 'characteristics.<i>.value',
    needs: ['reference data: product_characteristics'],
    reason: 'The value must be one that the operator has configured for the characteristic.',
    breach: ({ characteristics }, { references, nearest }) =>
      each(characteristics, ({ code, value }) => {
        const values = references.entry('product_characteristics', code);
        return (
          values?.includes(value) === false &&
          `${quote(value)} is not a configured value of ${quote(code)}.${nearest.describe(value, new Set(values))}`
        );
      }),
  }),
  fieldRule({
    code: 'invalid_portfolio_number',
    at: { agreement: ['intermediary.portfolio_number'] },
    reason: 'A broker is looked up by portfolio number.',
  }),
  rule({
    code: 'no_register_id_or_rate_type_provided_for_bespoke_elec_rate',
    on: 'electricityMeterPoint',
    field: 'agreements.<i>.bespoke_tariff_rates.<i>.registers.<i>',
    reason: 'A negotiated rate must say which register or rate type it applies to.',
    breach: ({ agreements }) =>
      each(agreements, ({ bespoke_tariff_rates: rates }) =>
        each(rates, ({ registers }) =>
          each(
            registers,
            ({ register_id: id, rate_type: type }) =>
              !isGiven(id) && !isGiven(type) && 'Send a register_id or a rate_type.',
          ),
        ),
      ),
  }),
  rule({
    code: 'duplicate_bespoke_rates',
    on: 'agreement',
    field: 'bespoke_tariff_rates',
    reason: 'A meter has one negotiated rate for each way of payment.',
    breach: ({ bespoke_tariff_rates: rates }) => {
      const repeated = findRepeats<{ meter_serial_number?: string; payment_method?: string | null }>(
        rates,
        (one) => keyOf(one.meter_serial_number, one.payment_method),
      );
      return repeated.length > 0 && 'Send one rate for each meter and way of payment.';
    },
  }),
  rule({
    code: 'tariff_type_does_not_match_meter_point_type',
    on: 'electricityMeterPoint',
    field: 'agreements.<i>.tariff_code',
    tier: 'gbr',
    needs: ['reference data: products'],
    reason: 'The tariff must have one rate for each billed register.',
    breach: ({ agreements, meters, supply_type: type }, { references }) => {
      const billed = billedRegisters(meters).length;
      if (billed === 0) return undefined;
      return each(agreements, ({ tariff_code: code }) => {
        const rates = references.tariff(type, code)?.rates ?? billed;
        return rates !== billed && `The tariff has ${rates} rates for ${billed} billed registers.`;
      });
    },
  }),
  rule({
    code: 'tariff_type_does_not_match_meter_type',
    on: 'meterPoint',
    field: 'agreements.<i>.tariff_code',
    tier: 'gbr',
    needs: ['reference data: products', 'clock'],
    reason: 'Prepayment meters need prepayment tariffs, and other meters need other tariffs.',
    breach: (point, { references, today }) => {
      const active: readonly { is_prepay?: boolean }[] = (point.meters ?? []).filter(isActive);
      return each(point.agreements, (agreement) => {
        const tariff = references.tariff(point.supply_type, agreement.tariff_code);
        if (!tariff || !isInForceOn(agreement, today)) return undefined;
        if (active.every((meter) => (meter.is_prepay === true) === tariff.prepay)) return undefined;
        return tariff.prepay
          ? 'The tariff is for prepayment, but a meter is not.'
          : 'A meter is for prepayment, but the tariff is not.';
      });
    },
  }),
];

/** Describes the first gap or overlap of a meter point's agreements. Gaps before the start of supply are ignored. */
function describeGapOrOverlap({ agreements, supply_start_date: start }: MeterPoint): string | undefined {
  if (!agreements || agreements.length < 2) return undefined;
  const periods = periodsOf(agreements, 'effective_from', 'effective_to');
  for (const [before, after] of consecutivePairs(sortPeriods(periods))) {
    if (!before.end || before.end > after.start)
      return `The agreement from ${before.start} still runs when the next one starts on ${after.start}.`;
    if (before.end < after.start && after.start > start)
      return `No agreement is in force from ${before.end} to ${after.start}.`;
  }
  return undefined;
}
