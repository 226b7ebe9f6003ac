import { listRule } from './engine/list-rule';
import { customRule, rule, type Rule } from './engine/rule';
import { dayIn } from './terms/calendar';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about debts, dunning, deposits and complaints. */
export const DEBT_AND_COMPLAINT_RULES: readonly Rule[] = [
  rule({
    code: 'debt_and_debts_are_defined',
    on: 'account',
    field: 'debt',
    reason: 'The list `debts` replaces `debt`; with both, a debt could be counted twice.',
    breach: ({ debt, debts }) => debt && isGiven(debts) && 'Send debts or debt, not both.',
  }),
  rule({
    code: 'debt_collection_agency_name_required',
    on: 'debt',
    field: 'agency_name',
    reason: 'A debt with a start of collection needs an agency.',
    breach: ({ start_date: start, agency_name: agency }) =>
      isGiven(start) && !isGiven(agency) && 'Send the name of the agency that collects the debt.',
  }),
  listRule({
    code: 'debt_collection_agency_does_not_exist',
    lists: { debt_collection_agencies: (name) => `There is no debt collection agency called ${name}.` },
    reason: 'The agency must be one that the operator has configured.',
  }),
  rule({
    code: 'cais_references_not_supported',
    on: 'debt',
    field: 'cais_reference',
    needs: ['instance: cais_references_enabled'],
    reason: 'CAIS references are stored only if the operator has enabled them.',
    breach: ({ cais_reference: reference }, { instance }) =>
      isGiven(reference) &&
      !instance.cais_references_enabled &&
      'CAIS references are not enabled: leave it out.',
  }),
  listRule({
    code: 'dunning_path_not_found',
    lists: { dunning_paths: (name) => `There is no dunning path called ${name}.` },
    reason: 'The dunning path must be one that the operator has configured.',
  }),
  rule({
    code: 'date_in_past',
    on: 'dunningPath',
    field: 'start_date',
    needs: ['clock'],
    reason: 'A dunning path cannot start in the past.',
    breach: ({ start_date: start }, { today }) =>
      isGiven(start) && start < today && `${start} is in the past: start today or later.`,
  }),
  rule({
    code: 'multiple_active_deposits_not_allowed',
    on: 'account',
    field: 'deposit_agreements',
    reason: 'An account has one security deposit.',
    breach: ({ deposit_agreements: deposits }) =>
      deposits &&
      deposits.length > 1 &&
      `An account has at most one deposit agreement, not ${deposits.length}.`,
  }),
  rule({
    code: 'last_interest_date_not_allowed',
    on: 'depositAgreement',
    field: 'last_interest_date',
    reason: 'A deposit earns interest only after it has been paid.',
    breach: ({ fulfilled_at: paid, last_interest_date: interest }) =>
      isGiven(interest) && !isGiven(paid) && 'The deposit has not been paid: leave the interest date out.',
  }),
  rule({
    code: 'fulfilled_at_greater_than_last_interest_date',
    on: 'depositAgreement',
    field: 'last_interest_date',
    reason: 'A deposit earns interest only after it has been paid.',
    breach: ({ fulfilled_at: paid, last_interest_date: interest }, { timeZone }) =>
      isGiven(paid) &&
      isGiven(interest) &&
      dayIn(timeZone, new Date(paid)) > interest &&
      `The interest date ${interest} is before the deposit was paid at ${paid}.`,
  }),
  customRule({
    code: 'invalid_complaint_type_or_subtype',
    at: { complaint: ['type_of_complaint', 'subtype_of_complaint'] },
    needs: ['reference data: complaint_types'],
    reason: 'Complaints are reported to the regulator by configured type.',
    checks: {
      complaint({ type_of_complaint: type, subtype_of_complaint: subtype }, { references, nearest }, report) {
        if (references.has('complaint_types', type) === false)
          report(
            'type_of_complaint',
            `${quote(type)} is not a configured type of complaint.${nearest.describe(type, references.members('complaint_types'))}`,
          );
        const subtypes = references.entry('complaint_types', type)?.subtypes;
        if (subtypes?.includes(subtype) === false)
          report(
            'subtype_of_complaint',
            `${quote(subtype)} is not a subtype of ${quote(type)}.${nearest.describe(subtype, new Set(subtypes))}`,
          );
      },
    },
  }),
  listRule({
    code: 'invalid_complaint_source',
    lists: { complaint_sources: (code) => `${code} is not a configured source of complaints.` },
    reason: 'Complaint contacts are counted by configured source.',
  }),
  customRule({
    code: 'invalid_official_organization_or_status',
    at: { complaint: ['official_entity', 'official_status'] },
    needs: ['reference data: official_bodies'],
    reason: 'The official body and its status must be ones that the operator has configured.',
    checks: {
      complaint({ official_entity: entity, official_status: status }, { references, nearest }, report) {
        if (!isGiven(entity)) return;
        if (references.has('official_bodies', entity) === false)
          report(
            'official_entity',
            `${quote(entity)} is not a configured official body.${nearest.describe(entity, references.members('official_bodies'))}`,
          );
        const statuses = references.entry('official_bodies', entity)?.statuses;
        if (isGiven(status) && statuses?.includes(status) === false)
          report(
            'official_status',
            `${quote(status)} is not a status that ${quote(entity)} uses.${nearest.describe(status, new Set(statuses))}`,
          );
      },
    },
  }),
  rule({
    code: 'official_complaint_field_missing',
    on: 'complaint',
    field: 'official_reference_number',
    reason: 'An official complaint is identified by body, reference and status together.',
    breach: (complaint) => {
      const missing = OFFICIAL_FIELDS.filter((field) => !isGiven(complaint[field]));
      return (
        (missing.length === 1 || missing.length === 2) &&
        `For an official complaint, send ${missing.join(' and ')} too.`
      );
    },
  }),
  rule({
    code: 'chsr_letter_not_sent',
    on: 'complaint',
    field: 'has_chsr_letter_been_sent',
    reason: 'The eight-week letter is sent only after the summary letter.',
    breach: (complaint) =>
      complaint.has_eight_week_letter_been_sent &&
      !complaint.has_chsr_letter_been_sent &&
      'The eight-week letter was sent, so the summary letter must have been sent before.',
  }),
];

const OFFICIAL_FIELDS = ['official_entity', 'official_reference_number', 'official_status'] as const;
