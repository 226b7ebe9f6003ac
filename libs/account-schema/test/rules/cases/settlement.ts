import { onBusinessAccount, onDomesticAccount, onOccupierAccount, type RuleCase } from '../rule-case';
import { E, G } from './parts';

const METER = `${E}.meters.0`;
const AGENT_CONTRACT = {
  contract_reference: 'C-1',
  service_reference: 'S-1',
  service_level_reference: 'L-1',
};

/** Cases of settlement and market participants. */
export const SETTLEMENT_CASES: readonly RuleCase[] = [
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
  onOccupierAccount(
    'registers_missing_for_active_electricity_meter',
    `${METER}.registers`,
    { [`${METER}.registers.0.tpr`]: undefined },
    { [`${METER}.registers.0.tpr`]: undefined, [`${E}.measurement_class`]: 'C' },
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
