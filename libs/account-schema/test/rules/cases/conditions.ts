import {
  type Edits,
  onBusinessAccount,
  onDomesticAccount,
  onMinimalAccount,
  onOccupierAccount,
  type RuleCase,
} from '../rule-case';
import {
  ADDRESS,
  AGREEMENT,
  COMPLAINT,
  E,
  G,
  LINE,
  payment,
  PLAN,
  POINT,
  reading,
  REGISTER,
  REVIEW,
  SCHEDULE,
  supplied,
  supplyCharge,
} from './parts';

const METER = `${E}.meters.0`;
const NAMESPACE = { namespace: 'external_user_id', type: 'string' } as const;
const PATTERN = { references: { user_detail_namespaces: [{ ...NAMESPACE, check: 'U-[0-9]+' }] } };
const CONTRIBUTION = {
  scheme: 'SOLAR_FUND',
  amount: '2.00',
  interval: 'MONTHLY',
  active_period_start_date: '2024-01-01',
};
const PARTNER = { organisation_number: 'PO-1', role: 'HOUSING', valid_from: '2024-01-01T00:00:00Z' };
const CHARGE = 'ledgers.0.historical_statement_transactions.1';
const OFF_SUPPLY = 'supply_addresses no_supply_point_on_supply';

const agreed = (...agreements: object[]) =>
  supplied({ agreements: agreements.map((one) => ({ ...AGREEMENT, ...one })) });
const complained = (fields: object): Edits => ({ complaints: [{ ...COMPLAINT, ...fields }] });
const scheduled = (...schedules: object[]): Edits => ({
  payment_schedules: schedules.map((one) => ({ ...SCHEDULE, ...one })),
});
const reviewed = (fields: object): Edits => ({ payment_adequacy_changes: [{ ...REVIEW, ...fields }] });
const detailed = (...values: unknown[]): Edits => ({
  customers: values.map((value) => ({ user_details: [{ namespace: 'external_user_id', value }] })),
});
const history = (...days: string[]): Edits => ({
  historical_statement_transactions: days.map((day, i) => payment(`H${i}`, day)),
  last_statement_balance: `${days.length * 10}.00`,
});
const ledger = (balance: string, fields: object): Edits => ({
  ledgers: [{ ledger_code: 'MAIN', ledger_balance: balance, ...fields }],
  transfer_balance: balance,
});

/**
 * Further cases of rules with several conditions or places: each shows one that the first case of its rule leaves out.
 * Changes to the code that no case had noticed (docs/reliability.md, "Mutations") led to them.
 */
export const CONDITION_CASES: readonly RuleCase[] = [
  // Account types and details
  onMinimalAccount(
    'business_fields_provided_for_domestic_accounts',
    'company_number',
    { company_number: '01234567' },
    { company_number: '01234567', account_type: 'BUSINESS' },
  ),
  onMinimalAccount(
    'business_fields_provided_for_domestic_accounts',
    'business.business_type',
    { business: { business_type: 'LTD' } },
    { business: { business_type: 'LTD' }, account_type: 'BUSINESS' },
  ),
  onDomesticAccount(
    'business_fields_provided_for_domestic_accounts',
    `${G}.agreements.0.bespoke_tariff_rates`,
    {
      [`${G}.agreements.0.bespoke_tariff_rates`]: [
        { meter_serial_number: 'E6S0099187', standing_charge: '61.50', unit_rate: '27.10' },
      ],
    },
    { [`${G}.agreements.0.bespoke_tariff_rates`]: [] },
  ),
  onMinimalAccount(
    'duplicate_account_campaigns',
    'account_campaigns.1',
    { account_campaigns: [{ campaign_name: 'First wave' }, { campaign_name: 'First wave' }] },
    { account_campaigns: [{ campaign_name: 'First wave' }] },
  ),
  onMinimalAccount(
    'dd_reference_for_occupier_account',
    'dd_reference',
    { customers: [{ family_name: 'Quill' }, { family_name: 'The Occupier' }], dd_reference: 'DDM-1' },
    { customers: [{ family_name: 'Quill' }], dd_reference: 'DDM-1' },
    { otherBreaches: ['customers.1.family_name customer_may_not_be_named_the_occupier'] },
  ),
  onMinimalAccount.value(
    'possible_test_email_address',
    'customers.0.email',
    'a@Test.com',
    'test.com@example.org',
  ),
  onMinimalAccount(
    'repeated_values_for_unique_customer_detail_namespace',
    'customers.1.details',
    { customers: [{ details: { external_user_id: 'U-1' } }, { details: { external_user_id: 'U-1' } }] },
    { customers: [{ details: { external_user_id: 'U-1' } }, { details: { external_user_id: 'U-2' } }] },
  ),
  onMinimalAccount(
    'customer_detail_failed_validation',
    'customers.0.user_details.0.value',
    detailed(`U-${'1'.repeat(999)}`),
    detailed(`U-${'1'.repeat(998)}`),
    PATTERN,
  ),
  onMinimalAccount(
    'customer_detail_failed_validation',
    'customers.0.user_details.0.value',
    detailed('xU-1'),
    detailed('U-1'),
    PATTERN,
  ),
  ...(['array', 'object'] as const).map((type) =>
    onMinimalAccount(
      'customer_detail_incorrect_value_type',
      'customers.0.user_details.0.value',
      detailed(type === 'array' ? { a: 1 } : [1]),
      detailed(type === 'array' ? [1] : { a: 1 }),
      { references: { user_detail_namespaces: [{ ...NAMESPACE, type }] } },
    ),
  ),
  onDomesticAccount(
    'temporary_psr_does_not_have_end_date',
    'customers.0.psr.1.effective_to',
    {
      'customers.0.psr.1': { description: 'Temporary: recovering after hospital', gas_industry_code: '08' },
    },
    { 'customers.0.psr.1': { description: 'No sight', gas_industry_code: '08' } },
  ),

  // Supply
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
  ...(
    [
      [
        'contribution_agreements.0.active_period_end_date',
        (end: string) => ({ contribution_agreements: [{ ...CONTRIBUTION, active_period_end_date: end }] }),
      ],
      [
        'contribution_agreements.0.periods.0.end_date',
        (end: string) => ({
          contribution_agreements: [
            { ...CONTRIBUTION, periods: [{ start_date: '2024-01-01', end_date: end }] },
          ],
        }),
      ],
      [
        'partner_organisations.0.valid_to',
        (end: string) => ({ partner_organisations: [{ ...PARTNER, valid_to: `${end}T00:00:00Z` }] }),
      ],
      [
        'statements.0.bill_period_to_date',
        (end: string) => ({
          statements: [
            { statement_id: 'S-1', bill_period_from_date: '2024-01-01', bill_period_to_date: end },
          ],
        }),
      ],
      [
        'current_statement_transactions.0.line_items.0.end_date',
        (end: string) => ({
          current_statement_transactions: [
            supplyCharge({ line_items: [{ ...LINE, start_date: '2024-01-01', end_date: end }] }),
          ],
        }),
      ],
    ] as const
  ).map(([path, ending]) =>
    onMinimalAccount('start_date_later_than_end_date', path, ending('2023-12-31'), ending('2024-01-01'), {
      references: { products: undefined, partner_organisations: ['PO-1'], partner_roles: ['HOUSING'] },
    }),
  ),
  onBusinessAccount.value(
    'start_date_same_as_end_date',
    `${E}.ccl_exemptions.0.effective_to`,
    '2022-07-01',
    '2022-07-02',
  ),
  onOccupierAccount(
    'registers_missing_for_active_electricity_meter',
    `${METER}.registers`,
    { [`${METER}.registers.0.tpr`]: undefined },
    { [`${METER}.registers.0.tpr`]: undefined, [`${E}.measurement_class`]: 'C' },
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
    {
      last_billed_to_date: '2024-06-01',
      supply_addresses: [
        {
          ...ADDRESS,
          customer_at_supply_address_to_date: '2024-06-01',
          meter_points: [POINT, { ...POINT, identifier: '1000000000129', last_billed_to_date: '2024-05-31' }],
        },
      ],
    },
    {
      last_billed_to_date: '2024-06-01',
      supply_addresses: [
        {
          ...ADDRESS,
          customer_at_supply_address_to_date: '2024-06-01',
          meter_points: [POINT, { ...POINT, identifier: '1000000000129' }],
        },
      ],
    },
    { supplier: { import_supply_address_history: true } },
  ),

  // Meters and readings
  onDomesticAccount(
    'smart_details_provided_for_non_smart_meter',
    `${METER}.smart_device_id`,
    { [`${METER}.smart_type`]: 'NONE', [`${METER}.smart_device_id`]: undefined },
    { [`${METER}.smart_device_id`]: undefined },
  ),
  onMinimalAccount(
    'last_billed_to_date_on_new_meter',
    `${E}.meters.1`,
    exchangedRegisters({ last_billed_to_date: '2024-06-01' }),
    exchangedRegisters({}),
  ),
  onOccupierAccount(
    'no_reading_on_supply_end_date',
    METER,
    supplyEnded({ reading_history: [reading('2024-05-09', { register_id: '1', billed: true })] }),
    supplyEnded({
      reading_history: ['2024-05-09', '2024-05-10'].map((day) =>
        reading(day, { register_id: '1', billed: true }),
      ),
    }),
    { otherBreaches: [OFF_SUPPLY], otherBreachesWhenHolding: [OFF_SUPPLY] },
  ),
  onDomesticAccount(
    'transfer_reading_dates_must_match_last_billed_to_date',
    `${G}.meters.0.transfer_readings.0.reading_date`,
    { [`${G}.meters.0.transfer_readings.0.reading_date`]: '2024-06-02' },
    {
      [`${G}.meters.0.transfer_readings.0.reading_date`]: '2024-06-02',
      [`${G}.meters.0.last_billed_to_date`]: '2024-06-02',
    },
  ),
  onDomesticAccount(
    'multiple_non_dmex_meters_with_serial_number',
    `${G}.meters.0.meter_serial_number`,
    newestFirst('2024-06-01'),
    newestFirst('2024-06-02'),
  ),

  // Statements and balances
  onMinimalAccount(
    'historical_statement_period_end_in_future',
    'historical_statement_transactions.1.transaction_date',
    history('2026-01-10', '2026-01-16'),
    history('2026-01-10', '2026-01-15'),
    { otherBreaches: ['historical_statement_transactions.1.transaction_date transaction_in_future'] },
  ),
  onMinimalAccount(
    'historical_statement_period_end_in_future',
    'ledgers.0.last_statement_closing_date',
    ledger('10.00', { ...history('2026-01-10'), last_statement_closing_date: '2026-01-16' }),
    ledger('10.00', { ...history('2026-01-10'), last_statement_closing_date: '2026-01-15' }),
  ),
  onMinimalAccount(
    'last_statement_issued_before_closing_date',
    'ledgers.0.last_statement_issue_date',
    ledger('10.00', {
      ...history('2024-06-01'),
      last_statement_closing_date: '2024-06-02',
      last_statement_issue_date: '2024-06-01',
    }),
    ledger('0.00', { last_statement_closing_date: '2024-06-02', last_statement_issue_date: '2024-06-01' }),
  ),
  onMinimalAccount(
    'unbillable_ledger_transactions_in_current_statement_transactions',
    'ledgers.0.current_statement_transactions',
    ledger('10.00', { current_statement_transactions: [payment('C1', '2024-06-02')] }),
    ledger('0.00', {}),
    { references: { ledger_types: [{ code: 'MAIN', billable: false }] } },
  ),

  // The days of a charge are those of all its lines, in whatever order they are sent.
  onDomesticAccount(
    'supply_charge_line_items_not_covered_by_single_agreement',
    `${CHARGE}.line_items`,
    { ...daysOf('2024-05-11', '2024-05-31', '2024-05-01', '2024-05-10'), ...changedOn('2024-05-05') },
    { ...daysOf('2024-05-11', '2024-05-31', '2024-05-01', '2024-05-10'), ...changedOn('2024-05-01') },
  ),
  onDomesticAccount(
    'supply_charge_line_items_not_covered_by_single_agreement',
    `${CHARGE}.line_items`,
    {
      ...daysOf('2024-05-01', '2024-05-31', '2024-05-01', '2024-05-10'),
      [`${E}.agreements.1.effective_to`]: '2024-05-15',
    },
    daysOf('2024-05-01', '2024-05-31', '2024-05-01', '2024-05-10'),
    {
      otherBreaches: ['no_agreement_covering_last_billed_to_date', 'meter_point_with_no_agreement'].map(
        (code) => `${E}.agreements ${code}`,
      ),
    },
  ),
  onDomesticAccount(
    'gaps_or_overlaps_in_periods',
    'ledgers.0.historical_statement_transactions',
    { ...daysOf('2024-05-01', '2024-05-20', '2024-05-05', '2024-05-10'), ...furtherLine('2024-05-22') },
    { ...daysOf('2024-05-01', '2024-05-20', '2024-05-05', '2024-05-10'), ...furtherLine('2024-05-21') },
  ),

  // Payments, debts and complaints
  onMinimalAccount(
    'payment_adequacy_invalid_dates',
    'payment_adequacy_changes.0.created_at',
    reviewed({ created_at: '2026-01-15T12:00:01Z', applied_at: null, should_not_be_applied_reason: 'x' }),
    reviewed({ created_at: '2026-01-15T12:00:00Z', applied_at: null, should_not_be_applied_reason: 'x' }),
  ),
  onMinimalAccount(
    'payment_adequacy_new_direct_debit_amount_mismatch',
    'payment_adequacy_changes.0.new_direct_debit',
    reviewed({ new_direct_debit: 8101 }),
    reviewed({ new_direct_debit: 7500 }),
  ),
  onMinimalAccount(
    'payment_adequacy_new_direct_debit_amount_mismatch',
    'payment_adequacy_changes.0.new_direct_debit',
    reviewed({ existing_direct_debit_payment: 9000, new_direct_debit: 9001 }),
    reviewed({ existing_direct_debit_payment: 9000, new_direct_debit: 8100 }),
  ),
  onMinimalAccount(
    'payment_adequacy_balance_adjustment_mismatch',
    'payment_adequacy_changes.0.balance_adjustment',
    reviewed({ balance_adjustment: 1, new_direct_debit: 8000 }),
    reviewed({ balance_adjustment: 0, new_direct_debit: 8000 }),
  ),
  onMinimalAccount(
    'fixed_payment_schedule_amount_out_of_range',
    'payment_schedules.0.amount',
    scheduled({ amount: '4.99' }),
    scheduled({ amount: '5.00' }),
    { instance: { payment_schedule_amount_min: '5.00' } },
  ),
  onMinimalAccount(
    'invalid_payment_day_for_payment_schedule',
    'payment_schedules.0.day_of_month',
    scheduled({ day_of_month: 4 }),
    scheduled({ day_of_month: 5 }),
    { instance: { payment_day_min: 5 } },
  ),
  onMinimalAccount(
    'payment_instalments_date_outside_of_payment_schedule_active_period',
    'payment_schedules.0.instalments.0.payment_date',
    scheduled({ trigger: 'PLAN', instalments: [{ payment_date: '2024-01-04', amount: '20.00' }] }),
    scheduled({ trigger: 'PLAN', instalments: [{ payment_date: '2024-01-05', amount: '20.00' }] }),
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'payment_schedules.0.end_date',
    scheduled({ end_date: '2024-01-04' }),
    scheduled({ end_date: '2024-01-05' }),
  ),
  onMinimalAccount(
    'payment_plan_and_payment_schedule_not_allowed_on_same_ledger',
    'payment_schedules',
    { payment_plans: [PLAN], ...scheduled({ ledger_code: 'SERVICES' }, { ledger_code: 'MAIN' }) },
    { payment_plans: [PLAN], ...scheduled({ ledger_code: 'SERVICES' }) },
  ),
  onMinimalAccount(
    'invalid_complaint_type_or_subtype',
    'complaints.0.type_of_complaint',
    complained({ type_of_complaint: 'METERING' }),
    complained({}),
    { references: { complaint_types: [{ type: 'BILLING', subtypes: ['LATE_BILL'] }] } },
  ),
  onMinimalAccount(
    'invalid_official_organization_or_status',
    'complaints.0.official_entity',
    complained({ official_entity: 'COURT', official_status: 'OPEN', official_reference_number: '1' }),
    complained({ official_entity: '' }),
    { references: { official_bodies: [{ name: 'OMBUDSMAN', statuses: ['OPEN'] }] } },
  ),
  onMinimalAccount(
    'official_complaint_field_missing',
    'complaints.0.official_reference_number',
    complained({ official_entity: 'OMBUDSMAN' }),
    complained({ official_entity: 'OMBUDSMAN', official_status: 'OPEN', official_reference_number: '1' }),
  ),
];

/** A meter point whose meter was exchanged on the first unbilled day, with these fields of the new meter's register. */
function exchangedRegisters(fields: object): Edits {
  return supplied({
    last_billed_to_date: '2024-06-01',
    meters: [
      { meter_serial_number: 'M1', removed_on: '2024-06-01', registers: [REGISTER] },
      { meter_serial_number: 'M2', installed_on: '2024-06-01', registers: [{ ...REGISTER, ...fields }] },
    ],
  });
}

/** The occupier's example, billed to the end of its supply, with these fields of its meter. */
function supplyEnded(meter: object): Edits {
  return {
    [`${E}.supply_end_date`]: '2024-05-10',
    [`${E}.supply_start_date`]: '2024-05-01',
    [`${E}.agreements.0.effective_from`]: '2024-05-01',
    [`${E}.agreements.0.effective_to`]: '2024-05-10',
    [METER]: { meter_serial_number: 'S95E30071', registers: [{ ...REGISTER, tpr: '00001' }], ...meter },
  };
}

/** The domestic example, whose gas meter was removed on 1 June and fitted again on this day, with the newest first. */
function newestFirst(installed: string): Edits {
  const meter = {
    meter_serial_number: 'E6S0099187',
    gas_number_of_digits: 5,
    transfer_readings: [reading('2024-06-01')],
  };
  return {
    [`${G}.meters.0`]: { ...meter, installed_on: installed },
    [`${G}.meters.1`]: {
      ...meter,
      installed_on: '2015-07-01',
      removed_on: '2024-06-01',
      last_billed_to_date: '2024-06-01',
    },
  };
}

/** The days of the two lines of the domestic example's electricity charge. */
function daysOf(...[start, end, nextStart, nextEnd]: [string, string, string, string]): Edits {
  return {
    [`${CHARGE}.line_items.0.start_date`]: start,
    [`${CHARGE}.line_items.0.end_date`]: end,
    [`${CHARGE}.line_items.1.start_date`]: nextStart,
    [`${CHARGE}.line_items.1.end_date`]: nextEnd,
  };
}

/** Adds a line from this day to the end of May. */
function furtherLine(start_date: string): Edits {
  const line = { rate_band: 'CONSUMPTION_STANDARD', number_of_units: '0', net_amount: '0.00' };
  return { [`${CHARGE}.line_items.2`]: { ...line, start_date, end_date: '2024-05-31' } };
}

/** The electricity agreement of the domestic example changes on this day. */
function changedOn(day: string): Edits {
  return { [`${E}.agreements.0.effective_to`]: day, [`${E}.agreements.1.effective_from`]: day };
}
