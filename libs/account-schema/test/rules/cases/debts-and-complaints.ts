import { type Edits, onMinimalAccount, type RuleCase } from '../rule-case';
import { COMPLAINT } from './parts';

const DEPOSIT = { deposit_amount: '50.00', reason: 'Two missed payments.' };
const CONTRIBUTION = {
  scheme: 'SOLAR_FUND',
  amount: '2.00',
  interval: 'MONTHLY',
  active_period_start_date: '2024-01-01',
};

function complained(fields: object): Edits {
  return { complaints: [{ ...COMPLAINT, ...fields }] };
}

function contributed(...agreements: object[]): Edits {
  return { contribution_agreements: agreements.map((one) => ({ ...CONTRIBUTION, ...one })) };
}

/** Cases of debts, deposits, complaints and contributions. */
export const DEBT_CASES: readonly RuleCase[] = [
  onMinimalAccount('debt_and_debts_are_defined', 'debt', { debt: {}, debts: [{}] }, { debt: {}, debts: [] }),
  ...onMinimalAccount.rows({}, [
    ['cais_references_not_supported', 'debts.0.cais_reference', 'R', ' '],
    ['multiple_active_deposits_not_allowed', 'deposit_agreements', [DEPOSIT, DEPOSIT], [DEPOSIT]],
  ]),
  onMinimalAccount(
    'debt_collection_agency_name_required',
    'debts.0.agency_name',
    { debts: [{ start_date: '2024-01-01', agency_name: '' }] },
    { debts: [{ start_date: '2024-01-01', agency_name: 'Fernley Collections' }] },
  ),
  onMinimalAccount(
    'debt_collection_agency_does_not_exist',
    'debt.agency_name',
    { debt: { agency_name: 'Fernley' } },
    { debt: { agency_name: 'Fernley Collections' } },
    { references: { debt_collection_agencies: ['Fernley Collections'] } },
  ),
  onMinimalAccount(
    'dunning_path_not_found',
    'dunning_path.path_name',
    { dunning_path: { path_name: 'Harsh reminders' } },
    { dunning_path: { path_name: 'Gentle reminders' } },
    { references: { dunning_paths: ['Gentle reminders'] } },
  ),
  onMinimalAccount(
    'date_in_past',
    'dunning_path.start_date',
    { dunning_path: { path_name: 'Gentle reminders', start_date: '2026-01-14' } },
    { dunning_path: { path_name: 'Gentle reminders', start_date: '2026-01-15' } },
  ),
  onMinimalAccount(
    'last_interest_date_not_allowed',
    'deposit_agreements.0.last_interest_date',
    { deposit_agreements: [{ ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: null }] },
    {
      deposit_agreements: [
        { ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: '2024-02-01T10:00:00Z' },
      ],
    },
  ),
  onMinimalAccount(
    'fulfilled_at_greater_than_last_interest_date',
    'deposit_agreements.0.last_interest_date',
    {
      deposit_agreements: [
        { ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: '2024-02-02T00:00:00Z' },
      ],
    },
    {
      deposit_agreements: [
        { ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: '2024-02-01T23:59:59Z' },
      ],
    },
  ),
  onMinimalAccount(
    'invalid_complaint_type_or_subtype',
    'complaints.0.subtype_of_complaint',
    complained({ subtype_of_complaint: 'NO_BILL' }),
    complained({}),
    { references: { complaint_types: [{ type: 'BILLING', subtypes: ['LATE_BILL'] }] } },
  ),
  onMinimalAccount(
    'invalid_complaint_type_or_subtype',
    'complaints.0.type_of_complaint',
    complained({ type_of_complaint: 'METERING' }),
    complained({}),
    { references: { complaint_types: [{ type: 'BILLING', subtypes: ['LATE_BILL'] }] } },
  ),
  onMinimalAccount(
    'invalid_complaint_source',
    'complaints.0.complaint_contacts.0.communication_source',
    complained({ complaint_contacts: [contact('DOORSTEP')] }),
    complained({ complaint_contacts: [contact('CONTACT_CENTRE')] }),
    { references: { complaint_sources: ['CONTACT_CENTRE'] } },
  ),
  onMinimalAccount(
    'invalid_official_organization_or_status',
    'complaints.0.official_status',
    complained({ official_entity: 'OMBUDSMAN', official_status: 'LOST', official_reference_number: '1' }),
    complained({ official_entity: 'OMBUDSMAN', official_status: 'OPEN', official_reference_number: '1' }),
    { references: { official_bodies: [{ name: 'OMBUDSMAN', statuses: ['OPEN'] }] } },
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
    complained({ official_entity: 'OMBUDSMAN', official_status: 'OPEN' }),
    complained({ official_entity: '', official_status: '' }),
  ),
  onMinimalAccount(
    'official_complaint_field_missing',
    'complaints.0.official_reference_number',
    complained({ official_entity: 'OMBUDSMAN' }),
    complained({ official_entity: 'OMBUDSMAN', official_status: 'OPEN', official_reference_number: '1' }),
  ),
  onMinimalAccount(
    'chsr_letter_not_sent',
    'complaints.0.has_chsr_letter_been_sent',
    complained({ has_eight_week_letter_been_sent: true }),
    complained({ has_eight_week_letter_been_sent: true, has_chsr_letter_been_sent: true }),
  ),
  onMinimalAccount(
    'invalid_contribution_scheme',
    'contribution_agreements.0.scheme',
    contributed({ scheme: 'WIND_FUND' }),
    contributed({}),
    { references: { contribution_schemes: ['SOLAR_FUND'] } },
  ),
  onMinimalAccount(
    'overlapping_contribution_agreements',
    'contribution_agreements',
    contributed({ active_period_end_date: '2024-06-30' }, { active_period_start_date: '2024-06-30' }),
    contributed({ active_period_end_date: '2024-06-29' }, { active_period_start_date: '2024-06-30' }),
  ),
  onMinimalAccount(
    'invalid_contribution_period_start_date',
    'contribution_agreements.0.periods.0.start_date',
    contributed({ periods: [{ start_date: '2023-12-31', end_date: '2024-02-01' }] }),
    contributed({ periods: [{ start_date: '2024-01-01', end_date: '2024-02-01' }] }),
  ),
  onMinimalAccount(
    'invalid_contribution_period_end_date',
    'contribution_agreements.0.periods.0.end_date',
    contributed({
      active_period_end_date: '2024-06-30',
      periods: [{ start_date: '2024-01-01', end_date: '2024-07-01' }],
    }),
    contributed({
      active_period_end_date: '2024-06-30',
      periods: [{ start_date: '2024-01-01', end_date: '2024-06-30' }],
    }),
  ),
  onMinimalAccount(
    'overlapping_contribution_periods',
    'contribution_agreements.0.periods',
    contributed({ periods: months('2024-01-01', '2024-02-02', '2024-02-01', '2024-03-01') }),
    contributed({ periods: months('2024-01-01', '2024-02-01', '2024-02-01', '2024-03-01') }),
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'contribution_agreements.0.active_period_end_date',
    contributed({ active_period_end_date: '2023-12-31' }),
    contributed({ active_period_end_date: '2024-01-01' }),
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'contribution_agreements.0.periods.0.end_date',
    contributed({ periods: [{ start_date: '2024-01-01', end_date: '2023-12-31' }] }),
    contributed({ periods: [{ start_date: '2024-01-01', end_date: '2024-01-01' }] }),
  ),
];

function contact(communication_source: string): object {
  const created_at = '2024-01-01T09:00:00Z';
  return { body: 'x', communication_method: 'POST', communication_source, created_at, status: 'OPEN' };
}

function months(...days: [string, string, string, string]): object[] {
  const [start, end, nextStart, nextEnd] = days;
  return [
    { start_date: start, end_date: end },
    { start_date: nextStart, end_date: nextEnd },
  ];
}
