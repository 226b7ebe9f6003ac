import type { ReferenceData } from '../../../src/rules/operator/reference-data';
import {
  onBusinessAccount,
  onDomesticAccount,
  onMinimalAccount,
  onOccupierAccount,
  type RuleCase,
} from '../rule-case';
import { example } from '../settings';
import { E, EXCHANGED, G, GAS_POINT, metered, reading, REGISTER, supplied } from './parts';

/** Turns off the rules about products, which would also require a prepayment tariff. */
const ANY_TARIFF = { references: { products: undefined } as Partial<ReferenceData> };
const OFF_SUPPLY = 'supply_addresses no_supply_point_on_supply';
const METER = `${E}.meters.0`;
const PREPAY = { [`${METER}.is_prepay`]: true, [`${METER}.prepay_customer_reference_number`]: '12 34' };

function vendedOn(day: string): object {
  return { credit_balance: '12.40', debt_balance: '0.00', transfer_vend_read_date: day };
}

/** Edits of the occupier example: supply ended on the first unbilled day, so everything is billed. */
const BILLED_TO_THE_END = {
  [`${E}.supply_end_date`]: '2024-05-10',
  [`${E}.supply_start_date`]: '2024-05-01',
  [`${E}.agreements.0.effective_from`]: '2024-05-01',
  [`${E}.agreements.0.effective_to`]: '2024-05-10',
  [`${METER}.transfer_readings`]: [],
  [`${METER}.reading_history`]: [reading('2024-05-10', { register_id: '1', billed: true })],
};

/** Edits that repeat the occupier's meter point with other identifiers, so that one meter is on several points. */
function sameMeterOn(...identifiers: string[]): Record<string, unknown> {
  const [address] = example('04-unknown-occupier').supply_addresses as { meter_points: object[] }[];
  const points = identifiers.map((identifier) => ({ ...address?.meter_points[0], identifier }));
  return { 'supply_addresses.0.meter_points': points, [`${E}.export_type`]: 'IMPORT_EXPORT' };
}

const AGENT_CONTRACT = {
  contract_reference: 'C-1',
  service_reference: 'S-1',
  service_level_reference: 'L-1',
};

/** Cases of meters, readings, settlement and market participants. */
export const METER_CASES: readonly RuleCase[] = [
  onDomesticAccount('blank', `${METER}.meter_serial_number`, { [`${METER}.meter_serial_number`]: ' ' }, {}),
  ...onDomesticAccount.rows({}, [
    ['invalid_meter_serial_number', `${METER}.meter_serial_number`, 'Z21A0044101', 'z21a004410'],
    ['import_meter_not_found_for_export_meter', `${E}.export_type`, 'IMPORT_EXPORT', 'EXPORT_ONLY'],
    ['future_smart_meter_commission_date', `${METER}.smart_commissioned_on`, '2026-01-16', '2026-01-15'],
  ]),
  onOccupierAccount(
    'last_billed_to_date_not_found',
    METER,
    { last_billed_to_date: undefined, last_statement_closing_date: '2024-05-09' },
    { last_billed_to_date: undefined },
  ),
  onDomesticAccount(
    'no_last_billed_to_date_on_exchanged_meter',
    `${G}.meters.0`,
    { ...EXCHANGED, [`${G}.meters.0.last_billed_to_date`]: undefined },
    EXCHANGED,
  ),
  onDomesticAccount(
    'last_billed_to_date_on_new_meter',
    `${G}.meters.1`,
    { ...EXCHANGED, [`${G}.meters.1.last_billed_to_date`]: '2024-06-01' },
    EXCHANGED,
  ),
  onMinimalAccount(
    'meter_with_duplicate_register_ids',
    `${METER}.registers.1.register_id`,
    metered({ registers: [REGISTER, REGISTER] }),
    metered({ registers: [REGISTER, { ...REGISTER, register_id: '01' }] }),
  ),
  onDomesticAccount(
    'multiple_non_dmex_meters_with_serial_number',
    `${G}.meters.1.meter_serial_number`,
    { ...EXCHANGED, [`${G}.meters.1.meter_serial_number`]: 'E6S0099187' },
    {
      ...EXCHANGED,
      [`${G}.meters.1.meter_serial_number`]: 'E6S0099187',
      [`${G}.meters.1.installed_on`]: '2024-06-02',
    },
  ),
  onOccupierAccount(
    'unexpected_number_of_meter_points_found_for_meter',
    `${METER}.meter_serial_number`,
    sameMeterOn('1000000000147', '1000000000156', '1000000000165'),
    sameMeterOn('1000000000147', '1000000000156'),
    {
      references: { twin_element_meters: [] },
      otherBreaches: [`${E}.export_type import_meter_not_found_for_export_meter`],
    },
  ),
  onDomesticAccount(
    'smart_details_provided_for_non_smart_meter',
    `${METER}.smart_device_id`,
    { [`${METER}.smart_type`]: 'NONE' },
    { [`${METER}.smart_type`]: 'SMETS1' },
  ),
  onDomesticAccount.value(
    'invalid_smart_device_id',
    `${METER}.smart_device_id`,
    '00-0B-6B-FF-12-34-56',
    '00-0b-6b-ff-12-34-56-78',
  ),
  onDomesticAccount(
    'prepay_details_on_non_prepay_meter',
    `${G}.meters.0.prepay_details`,
    { [`${G}.meters.0.prepay_customer_reference_number`]: '1234' },
    { [`${G}.meters.0.prepay_customer_reference_number`]: '1234', [`${G}.meters.0.is_prepay`]: true },
    ANY_TARIFF,
  ),
  onOccupierAccount(
    'prepay_details_on_fully_billed_meter',
    `${METER}.prepay_details`,
    { ...BILLED_TO_THE_END, ...PREPAY, [`${METER}.prepay_details`]: vendedOn('2024-05-09') },
    { ...BILLED_TO_THE_END, ...PREPAY },
    { ...ANY_TARIFF, otherBreaches: [OFF_SUPPLY], otherBreachesWhenHolding: [OFF_SUPPLY] },
  ),
  onOccupierAccount(
    'transfer_vend_read_date_must_match_last_billed_to_date',
    `${METER}.prepay_details.transfer_vend_read_date`,
    { ...PREPAY, [`${METER}.prepay_details`]: vendedOn('2024-05-10') },
    { ...PREPAY, [`${METER}.prepay_details`]: vendedOn('2024-05-09') },
    ANY_TARIFF,
  ),
  onOccupierAccount(
    'electricity_prepay_meter_without_customer_reference_number',
    `${METER}.prepay_customer_reference_number`,
    { [`${METER}.is_prepay`]: true },
    PREPAY,
    ANY_TARIFF,
  ),
  onOccupierAccount(
    'invalid_prepay_customer_reference_number',
    `${METER}.prepay_customer_reference_number`,
    { ...PREPAY, [`${METER}.prepay_customer_reference_number`]: '12-34' },
    PREPAY,
    ANY_TARIFF,
  ),
  onMinimalAccount(
    'reading_without_register_id',
    `${METER}.transfer_readings.0.register_id`,
    metered({ transfer_readings: [reading('2024-06-01')] }),
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '1' })] }),
  ),
  onMinimalAccount(
    'reading_register_id_not_recognised',
    `${METER}.transfer_readings.0.register_id`,
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '01' })] }),
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '1' })] }),
  ),
  onMinimalAccount(
    'no_register_id_for_reading',
    `${METER}.reading_history.0.register_id`,
    metered({ reading_history: [reading('2024-06-01', { billed: true })] }),
    metered({ reading_history: [reading('2024-06-01', { billed: true, register_id: '1' })] }),
  ),
  onMinimalAccount(
    'historical_reading_register_id_not_recognised',
    `${METER}.reading_history.0.register_id`,
    metered({ reading_history: [reading('2024-06-01', { billed: true, register_id: '01' })] }),
    metered({ reading_history: [reading('2024-06-01', { billed: true, register_id: '1' })] }),
  ),
  onMinimalAccount(
    'transfer_reading_dates_must_match_last_billed_to_date',
    `${METER}.transfer_readings.0.reading_date`,
    metered({ transfer_readings: [reading('2024-06-02', { register_id: '1' })] }),
    metered({
      registers: [{ ...REGISTER, last_billed_to_date: '2024-06-02' }],
      transfer_readings: [reading('2024-06-02', { register_id: '1' })],
    }),
  ),
  onMinimalAccount(
    'billed_reading_after_last_billed_to_date',
    `${METER}.reading_history.0.reading_date`,
    metered({ reading_history: [reading('2024-06-02', { billed: true, register_id: '1' })] }),
    metered({
      reading_history: [
        reading('2024-06-01', { billed: true, register_id: '1' }),
        reading('2024-06-02', { billed: false, register_id: '1' }),
      ],
    }),
  ),
  onDomesticAccount(
    'active_gas_meter_without_transfer_reading',
    `${G}.meters.0.transfer_readings`,
    { [`${G}.meters.0.transfer_readings`]: [] },
    {},
  ),
  onMinimalAccount(
    'active_gas_meter_with_multiple_transfer_readings',
    `${METER}.transfer_readings`,
    gasMeter({ transfer_readings: [reading('2024-06-01'), reading('2024-06-01')] }),
    gasMeter({ transfer_readings: [reading('2024-06-01')] }),
  ),
  onDomesticAccount(
    'missing_transfer_reading_for_register',
    `${METER}.transfer_readings`,
    { [`${METER}.transfer_readings`]: [] },
    { [`${METER}.transfer_readings`]: [], [`${E}.measurement_class`]: 'C' },
  ),
  onMinimalAccount(
    'multiple_transfer_readings_for_register',
    `${METER}.transfer_readings`,
    metered({ transfer_readings: ['1', '1'].map((id) => reading('2024-06-01', { register_id: id })) }),
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '1' })] }),
  ),
  onMinimalAccount(
    'reading_meter_fully_billed',
    `${METER}.transfer_readings`,
    metered(
      { transfer_readings: [reading('2024-06-01', { register_id: '1' })] },
      { supply_end_date: '2024-06-01' },
    ),
    metered(
      { transfer_readings: [reading('2024-06-01', { register_id: '1' })] },
      { supply_end_date: '2024-06-02' },
    ),
  ),
  onDomesticAccount(
    'no_transfer_reading_on_exchanged_meter',
    `${G}.meters.0.transfer_readings`,
    {
      ...EXCHANGED,
      [`${G}.meters.0.transfer_readings`]: [],
      [`${G}.meters.0.reading_history`]: [reading('2024-06-01', { billed: true })],
    },
    EXCHANGED,
  ),
  onDomesticAccount(
    'no_reading_on_removed_on',
    `${G}.meters.0`,
    { ...EXCHANGED, [`${G}.meters.0.removed_on`]: '2024-05-31' },
    EXCHANGED,
  ),
  onOccupierAccount(
    'no_reading_on_supply_end_date',
    METER,
    { ...BILLED_TO_THE_END, [`${METER}.reading_history.0.reading_date`]: '2024-05-09' },
    BILLED_TO_THE_END,
    { otherBreaches: [OFF_SUPPLY], otherBreachesWhenHolding: [OFF_SUPPLY] },
  ),
  onBusinessAccount.value(
    'zero_length_periods',
    `${E}.capacity_values`,
    capacities(['2022-07-01', '2022-07-01'], ['2022-07-01']),
    capacities(['2022-07-01', '2022-07-02'], ['2022-07-02']),
  ),
  onBusinessAccount.value(
    'gaps_or_overlaps_in_periods',
    `${E}.capacity_values`,
    capacities(['2022-07-01', '2022-07-02'], ['2022-07-03']),
    capacities(['2022-07-01', '2022-07-02'], ['2022-07-02']),
  ),
  onDomesticAccount(
    'configuration_period_starts_in_future',
    `${E}.configuration_periods.0.effective_from_date`,
    { [`${E}.configuration_periods`]: [{ effective_from_date: '2026-01-16' }] },
    { [`${E}.configuration_periods`]: [{ effective_from_date: '2026-01-15' }] },
  ),
  onDomesticAccount(
    'latest_configuration_period_not_open_ended',
    `${E}.configuration_periods.0.effective_to_date`,
    {
      [`${E}.configuration_periods`]: [
        { effective_from_date: '2022-01-01', effective_to_date: '2023-01-01' },
        { effective_from_date: '2021-03-01', effective_to_date: '2022-01-01' },
      ],
    },
    {
      [`${E}.configuration_periods`]: [
        { effective_from_date: '2022-01-01' },
        { effective_from_date: '2021-03-01', effective_to_date: '2022-01-01' },
      ],
    },
  ),
  onDomesticAccount(
    'repeated_eac_for_tpr',
    `${E}.eac_history`,
    { [`${E}.eac_history.1.effective_from`]: '2023-04-01' },
    { [`${E}.eac_history.1.effective_from`]: '2023-04-02' },
  ),
  onDomesticAccount(
    'missing_eacs_for_active_register_tpr',
    `${E}.eac_history`,
    { [`${E}.eac_history`]: [] },
    {
      [`${E}.eac_history`]: [],
      [`${METER}.registers.0.is_settlement`]: false,
      [`${METER}.transfer_readings`]: [],
    },
  ),
  onDomesticAccount(
    'tpr_not_found',
    `${METER}.registers.0.tpr`,
    { [`${METER}.registers.0.tpr`]: '00002', [`${E}.eac_history.0.tpr`]: '00002' },
    { [`${METER}.registers.0.tpr`]: '00043', [`${E}.eac_history.0.tpr`]: '00043' },
  ),
  onDomesticAccount(
    'registers_have_duplicate_tprs',
    `${METER}.registers.1.tpr`,
    {
      [`${METER}.registers.1`]: {
        register_id: '02',
        tpr: '00001',
        number_of_digits: 5,
        is_settlement: false,
      },
    },
    {
      [`${METER}.registers.1`]: {
        register_id: '02',
        tpr: '00043',
        number_of_digits: 5,
        is_settlement: false,
      },
    },
  ),
  onDomesticAccount(
    'registers_have_duplicate_tprs',
    `${METER}.registers.2.tpr`,
    { [`${METER}.registers`]: sharing('01229', '01229', '01229') },
    { [`${METER}.registers`]: sharing('01229', '01229', '01201') },
    { references: { tprs: undefined } },
  ),
  // Only the odd time patterns from 01201 to 01229 are shared.
  ...['01202', '01199', '01231', '101203', '012031'].map((tpr) =>
    onDomesticAccount(
      'registers_have_duplicate_tprs',
      `${METER}.registers.1.tpr`,
      { [`${METER}.registers`]: sharing(tpr, tpr) },
      { [`${METER}.registers`]: sharing('01201', '01201') },
      { references: { tprs: undefined } },
    ),
  ),
  onOccupierAccount(
    'registers_missing_for_active_electricity_meter',
    `${METER}.registers`,
    { [`${METER}.registers`]: [], [`${METER}.transfer_readings`]: [] },
    {},
  ),
  onDomesticAccount(
    'no_current_or_future_aq_entry_found',
    `${G}.aq_history`,
    { [`${G}.aq_history.1.effective_to`]: '2026-01-14' },
    { [`${G}.aq_history.1.effective_to`]: '2026-01-15' },
  ),
  onDomesticAccount(
    'multiple_open_ended_aqs_in_meterpoint_aq_history',
    `${G}.aq_history`,
    { [`${G}.aq_history.0.effective_to`]: null },
    {},
    { otherBreaches: [`${G}.aq_history gaps_or_overlaps_in_aq_history`] },
  ),
  onDomesticAccount(
    'gaps_or_overlaps_in_aq_history',
    `${G}.aq_history`,
    { [`${G}.aq_history.0.effective_to`]: '2024-04-01' },
    { [`${G}.aq_history.0.effective_to`]: '2024-03-31' },
  ),
  onDomesticAccount.value('market_participant_not_found', `${E}.mpid`, 'XGS', 'XSUP'),
  onDomesticAccount.value('agents_supplied_for_non_on_market_switch', `${E}.mop_to_appoint`, 'XSUP', null),
  onDomesticAccount(
    'agents_and_mpids_to_appoint_provided',
    `${E}.agents`,
    { [`${E}.agents`]: {}, [`${E}.dc_to_appoint`]: 'XSUP' },
    { [`${E}.agents`]: null, [`${E}.dc_to_appoint`]: 'XSUP' },
    { supplier: { send_registration_flows: true } },
  ),
  onDomesticAccount(
    'agent_contract_reference_does_not_exist',
    `${E}.agents`,
    { [`${E}.agents.dc_contract`]: { ...AGENT_CONTRACT, service_reference: 'S-2' } },
    { [`${E}.agents.dc_contract`]: AGENT_CONTRACT },
    { references: { agent_contracts: [{ ...AGENT_CONTRACT, active: true }] } },
  ),
  onDomesticAccount(
    'multiple_active_agent_contract_references',
    `${E}.agents`,
    { [`${E}.agents.da_contract`]: AGENT_CONTRACT },
    { [`${E}.agents.da_contract`]: { ...AGENT_CONTRACT, agent_mpid: 'XSUP' } },
    {
      references: {
        agent_contracts: [
          { ...AGENT_CONTRACT, agent_mpid: 'XSUP', active: true },
          { ...AGENT_CONTRACT, agent_mpid: 'XTWO', active: true },
        ],
      },
    },
  ),
  onBusinessAccount.value(
    'affiliate_organisation_does_not_exist',
    'commission_contracts.0.affiliate_organisation_name',
    'Quayside',
    'Quayside Brokers',
  ),
  onBusinessAccount(
    'commission_type_requires_value',
    'commission_contracts.0.unit_rate_uplift',
    {
      'commission_contracts.0.unit_rate_uplift': undefined,
      'commission_contracts.0.standing_charge_uplift': undefined,
    },
    { 'commission_contracts.0.unit_rate_uplift': undefined },
  ),
  onBusinessAccount(
    'uplift_and_value_conflict',
    'commission_contracts.0.value',
    { 'commission_contracts.0.value': '1.00', 'commission_contracts.0.unit_rate_uplift': undefined },
    {
      'commission_contracts.0.value': '1.00',
      'commission_contracts.0.unit_rate_uplift': undefined,
      'commission_contracts.0.standing_charge_uplift': undefined,
    },
  ),
];

function gasMeter(fields: object): { supply_addresses: object[] } {
  const meter = { meter_serial_number: 'G1', gas_number_of_digits: 5, ...fields };
  return supplied({ last_billed_to_date: '2024-06-01', meters: [meter] }, GAS_POINT);
}

function capacities(...periods: (readonly [string, string?])[]): object[] {
  return periods.map(([effective_from_date, effective_to_date]) => ({
    effective_from_date,
    ...(effective_to_date ? { effective_to_date } : {}),
    value: '69.00',
  }));
}

/** Registers with these time patterns; the first one is billed as in the example. */
function sharing(...tprs: string[]): object[] {
  return tprs.map((tpr, i) => ({
    register_id: `0${i + 1}`,
    tpr,
    number_of_digits: 5,
    is_settlement: false,
  }));
}
