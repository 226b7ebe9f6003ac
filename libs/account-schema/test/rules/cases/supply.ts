import {
  type Edits,
  onBusinessAccount,
  onCompleteAccount,
  onDomesticAccount,
  onMinimalAccount,
  type RuleCase,
} from '../rule-case';
import { ADDRESS, AGREEMENT, E, G, GAS_POINT, OTHER_ADDRESS, POINT, supplied } from './parts';

const OVERRIDE = { rate_band: 'CONSUMPTION_STANDARD', unit_price: '0.2000' };
const ADMINISTRATOR = { role: 'LANDLORD' };
const LEFT = { ...ADDRESS, customer_at_supply_address_to_date: '2024-06-01', meter_points: [POINT] };

function agreed(...agreements: object[]): { supply_addresses: object[] } {
  return supplied({ agreements: agreements.map((one) => ({ ...AGREEMENT, ...one })) });
}

function contracted(from: string): object {
  return {
    ...agreed({ tariff_code: 'E-TRADE-1R', effective_from: from, business_contract_identifier: 'C-1' }),
    'business.business_contract_identifiers': ['C-1'],
  };
}

/** Cases of supply addresses, meter points and agreements. */
export const SUPPLY_CASES: readonly RuleCase[] = [
  onMinimalAccount.value(
    'supply_addresses_provided_while_skip_property_creation_enabled',
    'supply_addresses',
    [ADDRESS],
    [],
    { supplier: { skip_property_creation: true } },
  ),
  onMinimalAccount(
    'supply_points_provided_while_skip_supply_point_creation_enabled',
    'supply_addresses.0.meter_points',
    supplied({}),
    { supply_addresses: [ADDRESS] },
    { supplier: { skip_supply_point_creation: true } },
  ),
  onDomesticAccount(
    'supply_points_not_provided_while_skip_supply_point_creation_disabled',
    'supply_addresses.1.meter_points',
    { 'supply_addresses.1': OTHER_ADDRESS },
    {},
  ),
  onCompleteAccount(
    'no_supply_point_on_supply',
    'supply_addresses',
    {},
    { account_type: 'SYSTEM' },
    { supplier: { skip_supply_point_creation: false } },
  ),
  onMinimalAccount(
    'duplicate_supply_addresses_found',
    'supply_addresses.1',
    {
      supply_addresses: [
        ADDRESS,
        { ...ADDRESS, supply_address1: '4 WEIR COTTAGES', supply_postcode: 'nn999zz' },
      ],
    },
    { supply_addresses: [ADDRESS, OTHER_ADDRESS] },
  ),
  onMinimalAccount(
    'duplicate_property_external_identifiers',
    'supply_addresses.1.property_external_identifier',
    {
      supply_addresses: [ADDRESS, OTHER_ADDRESS].map((one) => ({
        ...one,
        property_external_identifier: 'PROP-1',
      })),
    },
    { supply_addresses: [{ ...ADDRESS, property_external_identifier: 'PROP-1' }, OTHER_ADDRESS] },
  ),
  onMinimalAccount(
    'duplicate_meter_points_provided',
    'supply_addresses.0.meter_points.1.identifier',
    { supply_addresses: [{ ...ADDRESS, meter_points: [POINT, POINT] }] },
    { supply_addresses: [{ ...ADDRESS, meter_points: [POINT, GAS_POINT] }] },
  ),
  onMinimalAccount(
    'duplicate_meter_points_on_different_supply_addresses_provided',
    'supply_addresses.1.meter_points.0.identifier',
    { supply_addresses: [ADDRESS, OTHER_ADDRESS].map((one) => ({ ...one, meter_points: [POINT] })) },
    {
      supply_addresses: [
        { ...ADDRESS, meter_points: [POINT] },
        { ...OTHER_ADDRESS, meter_points: [GAS_POINT] },
      ],
    },
  ),
  onMinimalAccount(
    'multiple_property_administrators',
    'supply_addresses.0.property_administrators',
    { supply_addresses: [{ ...ADDRESS, property_administrators: [ADMINISTRATOR, ADMINISTRATOR] }] },
    { supply_addresses: [{ ...ADDRESS, property_administrators: [ADMINISTRATOR] }] },
  ),
  onMinimalAccount(
    'unbilled_former_supply_address',
    'supply_addresses.0.customer_at_supply_address_to_date',
    { last_billed_to_date: '2024-05-31', supply_addresses: [LEFT] },
    { last_billed_to_date: '2024-06-01', supply_addresses: [LEFT] },
    { supplier: { import_supply_address_history: true } },
  ),
  ...onMinimalAccount.rows(supplied({}), [
    ['invalid_supply_point_identifier', `${E}.identifier`, '1000000000111', '1000000000110'],
    ['loss_in_progress', `${E}.supply_end_date`, '2026-01-16', '2026-01-15'],
    ['start_date_later_than_end_date', `${E}.supply_end_date`, '2021-02-28', '2021-03-01'],
  ]),
  onDomesticAccount.value('invalid_supply_point_identifier', `${G}.identifier`, '9900010108', '9900010107'),
  onDomesticAccount('supply_type_not_recognised', `${E}.supply_type`, { [`${E}.supply_type`]: 'WATER' }, {}),
  onDomesticAccount.value('future_supply_end_date', `${E}.supply_end_date`, '2026-01-16', '2026-01-15', {
    otherBreaches: [`${E}.supply_end_date loss_in_progress`],
    otherBreachesWhenHolding: [
      `${E}.agreements meterpoint_with_agreement_not_on_supply`,
      `${E}.meters.0 no_reading_on_supply_end_date`,
    ],
  }),
  onDomesticAccount.value('future_supply_start_date', `${E}.supply_start_date`, '2026-01-16', '2026-01-15', {
    otherBreaches: [0, 1].map(
      (i) => `${E}.agreements.${i}.effective_from agreement_start_date_before_supply_start_date`,
    ),
    otherBreachesWhenHolding: [0, 1].map(
      (i) => `${E}.agreements.${i}.effective_from agreement_start_date_before_supply_start_date`,
    ),
  }),
  ...onDomesticAccount.rows({}, [
    ['disputed_read_in_progress', `${E}.dr_in_progress`, true, false],
    ['erroneous_transfer_not_in_progress', `${G}.et_in_progress`, true, false],
  ]),
  onDomesticAccount(
    'meter_point_with_no_meters',
    `${E}.meters`,
    { [`${E}.meters`]: [] },
    { [`${E}.meters`]: [], [`${E}.measurement_class`]: 'B' },
  ),
  onDomesticAccount.value(
    'tax_exemptions_provided_for_domestic_account',
    `${G}.ccl_exemptions`,
    [{ effective_from: '2022-07-01', rate: '0.5' }],
    [],
  ),
  onBusinessAccount(
    'multiple_open_ended_tax_exemptions',
    `${E}.ccl_exemptions`,
    { [`${E}.ccl_exemptions.1`]: { effective_from: '2023-01-01', rate: '1.0' } },
    {
      [`${E}.ccl_exemptions.0.effective_to`]: '2023-01-01',
      [`${E}.ccl_exemptions.1`]: { effective_from: '2023-01-01', rate: '1.0' },
    },
    { otherBreaches: [`${E}.ccl_exemptions overlapping_effective_dates_for_tax_exemptions`] },
  ),
  onBusinessAccount(
    'overlapping_effective_dates_for_tax_exemptions',
    `${E}.ccl_exemptions`,
    {
      [`${E}.ccl_exemptions.0.effective_to`]: '2023-01-02',
      [`${E}.ccl_exemptions.1`]: { effective_from: '2023-01-01', rate: '1.0' },
    },
    {
      [`${E}.ccl_exemptions.0.effective_to`]: '2023-01-01',
      [`${E}.ccl_exemptions.1`]: { effective_from: '2023-01-01', rate: '1.0' },
    },
  ),
  onDomesticAccount(
    'smart_refusal_reason_given_for_interest',
    `${G}.smart_refusal_interest.refusal_reason`,
    { [`${G}.smart_refusal_interest.type`]: 'INTERESTED' },
    { [`${G}.smart_refusal_interest.type`]: 'NOT_INTERESTED' },
  ),
  onMinimalAccount(
    'gaps_or_overlaps_in_agreement_dates',
    `${E}.agreements`,
    agreed({ effective_to: '2022-01-01' }, { effective_from: '2022-01-02' }),
    agreed({ effective_to: '2022-01-01' }, { effective_from: '2022-01-01' }),
  ),
  onMinimalAccount(
    'gaps_or_overlaps_in_agreement_dates',
    `${E}.agreements`,
    agreed({ effective_to: null }, { effective_from: '2022-01-01' }),
    agreed({ effective_from: '2022-01-01' }, { effective_to: '2022-01-01' }),
  ),
  onMinimalAccount(
    'agreement_start_date_before_supply_start_date',
    `${E}.agreements.0.effective_from`,
    agreed({ effective_from: '2021-02-28' }),
    agreed({ effective_from: '2021-03-01' }),
  ),
  onDomesticAccount(
    'no_agreement_covering_last_billed_to_date',
    `${G}.agreements`,
    { [`${G}.agreements.0.effective_from`]: '2024-06-02' },
    { [`${G}.agreements.0.effective_from`]: '2024-06-01' },
    {
      otherBreaches: [
        'ledgers.0.historical_statement_transactions.2.line_items supply_charge_line_items_not_covered_by_single_agreement',
      ],
      otherBreachesWhenHolding: [
        'ledgers.0.historical_statement_transactions.2.line_items supply_charge_line_items_not_covered_by_single_agreement',
      ],
    },
  ),
  onDomesticAccount(
    'meter_point_with_no_agreement',
    `${E}.agreements`,
    { [`${E}.agreements.1.effective_to`]: '2024-06-01' },
    { [`${E}.agreements.1.effective_to`]: '2024-06-02' },
    { otherBreaches: [`${E}.agreements no_agreement_covering_last_billed_to_date`] },
  ),
  onMinimalAccount(
    'meterpoint_with_agreement_not_on_supply',
    `${E}.agreements`,
    supplied({ supply_end_date: '2025-01-01', agreements: [{ ...AGREEMENT, effective_to: '2025-01-02' }] }),
    supplied({ supply_end_date: '2025-01-01', agreements: [{ ...AGREEMENT, effective_to: '2025-01-01' }] }),
  ),
  onMinimalAccount(
    'tariff_code_not_found',
    `${E}.agreements.0.tariff_code`,
    agreed({ tariff_code: 'G-VAR' }),
    agreed({ tariff_code: 'E-VAR' }),
  ),
  onMinimalAccount(
    'agreement_effective_from_before_product_available_from',
    `${E}.agreements.0.effective_from`,
    { ...agreed({ tariff_code: 'E-TRADE-1R' }), last_billed_to_date: '2021-12-31' },
    { ...agreed({ tariff_code: 'E-TRADE-1R' }), last_billed_to_date: '2022-01-01' },
  ),
  onMinimalAccount(
    'agreement_cannot_start_before_product_available',
    `${E}.agreements.0.effective_from`,
    { ...contracted('2021-12-31'), last_billed_to_date: '2024-06-01' },
    { ...contracted('2022-01-01'), last_billed_to_date: '2024-06-01' },
  ),
  onMinimalAccount(
    'open_ended_agreement_for_end_dated_product',
    `${E}.agreements.0.effective_to`,
    agreed({ tariff_code: 'E-FIX-21', effective_to: null }),
    agreed({ tariff_code: 'E-FIX-21', effective_to: '2024-01-01' }),
  ),
  onMinimalAccount(
    'invalid_period',
    `${E}.agreements.0.effective_to`,
    agreed({ effective_to: '2021-03-01', rate_overrides: [OVERRIDE] }),
    agreed({ effective_to: '2021-03-02', rate_overrides: [OVERRIDE] }),
  ),
  onMinimalAccount(
    'rate_band_does_not_exist',
    `${E}.agreements.0.rate_overrides.0.rate_band`,
    agreed({ rate_overrides: [{ ...OVERRIDE, rate_band: 'CONSUMPTION_NIGHT' }] }),
    agreed({ rate_overrides: [OVERRIDE] }),
  ),
  onMinimalAccount(
    'characteristic_code_not_found',
    `${E}.agreements.0.characteristics.0.code`,
    agreed({ characteristics: [{ code: 'gbr-electricity.meter-rate-profile', value: 'flat_rate' }] }),
    agreed({ characteristics: [{ code: 'sales_channel', value: 'BROKER' }] }),
  ),
  onMinimalAccount(
    'invalid_characteristic_value',
    `${E}.agreements.0.characteristics.0.value`,
    agreed({ characteristics: [{ code: 'sales_channel', value: 'EVENTS' }] }),
    agreed({ characteristics: [{ code: 'sales_channel', value: 'BROKER' }] }),
  ),
  onMinimalAccount(
    'invalid_portfolio_number',
    `${E}.agreements.0.intermediary.portfolio_number`,
    agreed({ intermediary: { portfolio_number: 'P-0a1b2c3d' } }),
    agreed({ intermediary: { portfolio_number: 'P-0A1B2C3D' } }),
  ),
  onBusinessAccount.value(
    'no_register_id_or_rate_type_provided_for_bespoke_elec_rate',
    `${E}.agreements.0.bespoke_tariff_rates.0.registers.1`,
    { unit_rate: '16.40' },
    { unit_rate: '16.40', register_id: '2' },
  ),
  onBusinessAccount.value(
    'duplicate_bespoke_rates',
    `${E}.agreements.0.bespoke_tariff_rates`,
    bespoke('NDD', 'NDD'),
    bespoke('NDD', undefined),
  ),
  onBusinessAccount.value(
    'tariff_type_does_not_match_meter_point_type',
    `${E}.agreements.1.tariff_code`,
    'E-TRADE-1R',
    'E-TRADE-2R',
  ),
  onDomesticAccount(
    'tariff_type_does_not_match_meter_type',
    `${G}.agreements.0.tariff_code`,
    { [`${G}.meters.0.is_prepay`]: true },
    { [`${G}.meters.0.is_prepay`]: false },
  ),
  onMinimalAccount(
    'start_date_same_as_end_date',
    'account_campaigns.0.expiry_date',
    { account_campaigns: [{ slug: 'first-wave', start_date: '2024-06-01', expiry_date: '2024-06-01' }] },
    { account_campaigns: [{ slug: 'first-wave', start_date: '2024-06-01', expiry_date: '2024-06-02' }] },
  ),
  ...(
    [
      [
        'supply_addresses.0.property_administrators.0.effective_to',
        '2018-12-31T00:00:00Z',
        '2019-01-01T00:00:00Z',
      ],
      [`${E}.agreements.0.effective_to`, '2021-02-28', '2024-01-01'],
      [`${G}.aq_history.0.effective_to`, '2023-03-31', '2024-03-31'],
    ] as const
  ).map(([path, breaks, holds]) =>
    onDomesticAccount.value('start_date_later_than_end_date', path, breaks, holds, {
      ...(path.includes('aq_history') && {
        otherBreaches: [`${G}.aq_history gaps_or_overlaps_in_aq_history`],
      }),
      ...(path.includes('agreements') && {
        otherBreaches: [`${E}.agreements gaps_or_overlaps_in_agreement_dates`],
      }),
    }),
  ),
  onBusinessAccount.value(
    'start_date_later_than_end_date',
    'commission_contracts.0.effective_to',
    '2023-12-31',
    '2024-01-01',
  ),
  onBusinessAccount.value(
    'start_date_same_as_end_date',
    `${E}.ccl_exemptions.0.effective_to`,
    '2022-07-01',
    '2022-07-02',
  ),
  onMinimalAccount(
    'gaps_or_overlaps_in_agreement_dates',
    `${E}.agreements`,
    agreed({ effective_to: '2022-01-02' }, { effective_from: '2022-01-01' }),
    agreed({ effective_to: '2022-01-01' }, { effective_from: '2022-01-01' }),
  ),
  onMinimalAccount(
    'meterpoint_with_agreement_not_on_supply',
    `${E}.agreements`,
    {
      last_billed_to_date: '2025-02-01',
      ...supplied({
        supply_end_date: '2025-01-01',
        agreements: [{ ...AGREEMENT, effective_to: '2025-02-02' }],
      }),
    },
    {
      last_billed_to_date: '2025-02-01',
      ...supplied({
        supply_end_date: '2025-01-01',
        agreements: [{ ...AGREEMENT, effective_to: '2025-02-01' }],
      }),
    },
  ),
  onMinimalAccount(
    'agreement_effective_from_before_product_available_from',
    `${E}.agreements.0.effective_from`,
    { ...agreed({ tariff_code: 'E-TRADE-1R' }), last_billed_to_date: '2021-12-31' },
    {
      ...agreed({ tariff_code: 'E-TRADE-1R', effective_from: '2022-01-01' }),
      last_billed_to_date: '2021-12-31',
    },
  ),
  onMinimalAccount(
    'unbilled_former_supply_address',
    'supply_addresses.0.customer_at_supply_address_to_date',
    leftWithSecondPoint('2024-05-31'),
    leftWithSecondPoint('2024-06-01'),
    { supplier: { import_supply_address_history: true } },
  ),
];

function bespoke(...methods: (string | undefined)[]): object[] {
  return methods.map((payment_method) => ({
    meter_serial_number: 'D10B22019',
    ...(payment_method ? { payment_method } : {}),
    standing_charge: '61.50',
    registers: [{ rate_type: 'STANDARD', unit_rate: '27.10' }],
  }));
}

/** An address that the customer left on 1 June, whose second meter point is billed up to this day. */
function leftWithSecondPoint(last_billed_to_date: string): Edits {
  const second = { ...POINT, identifier: '1000000000129', last_billed_to_date };
  return {
    last_billed_to_date: '2024-06-01',
    supply_addresses: [{ ...LEFT, meter_points: [POINT, second] }],
  };
}
