import { rule, type Rule } from './engine/rule';
import { dayIn } from './terms/calendar';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about debts, dunning, deposits and complaints. */
export const DEBT_AND_COMPLAINT_RULES: readonly Rule[] = [
  rule({
    code: 'debt_and_debts_are_defined',
    path: 'debt',
    reason: 'The list `debts` replaces `debt`; with both, a debt could be counted twice.',
    checks: {
      account({ debt, debts }, _facts, report) {
        if (debt && isGiven(debts)) report('debt', 'Send debts or debt, not both.');
      },
    },
  }),
  rule({
    code: 'debt_collection_agency_name_required',
    path: 'debts.<i>.agency_name | debt.agency_name',
    reason: 'A debt with a start of collection needs an agency.',
    checks: {
      debt({ start_date: start, agency_name: agency }, _facts, report) {
        if (isGiven(start) && !isGiven(agency))
          report('agency_name', 'Send the name of the agency that collects the debt.');
      },
    },
  }),
  rule({
    code: 'debt_collection_agency_does_not_exist',
    path: 'debts.<i>.agency_name | debt.agency_name',
    needs: ['reference data: debt_collection_agencies'],
    reason: 'The agency must be one that the operator has configured.',
    checks: {
      debt({ agency_name: agency }, { references, nearest }, report) {
        if (isGiven(agency) && references.has('debt_collection_agencies', agency) === false)
          report(
            'agency_name',
            `There is no debt collection agency called ${quote(agency)}.${nearest.describe(agency, references.members('debt_collection_agencies'))}`,
          );
      },
    },
  }),
  rule({
    code: 'cais_references_not_supported',
    path: 'debts.<i>.cais_reference | debt.cais_reference',
    needs: ['instance: cais_references_enabled'],
    reason: 'CAIS references are stored only if the operator has enabled them.',
    checks: {
      debt({ cais_reference: reference }, { instance }, report) {
        if (isGiven(reference) && !instance.cais_references_enabled)
          report('cais_reference', 'CAIS references are not enabled: leave it out.');
      },
    },
  }),
  rule({
    code: 'dunning_path_not_found',
    path: 'dunning_path.path_name',
    needs: ['reference data: dunning_paths'],
    reason: 'The dunning path must be one that the operator has configured.',
    checks: {
      dunningPath({ path_name: name }, { references, nearest }, report) {
        if (references.has('dunning_paths', name) === false)
          report(
            'path_name',
            `There is no dunning path called ${quote(name)}.${nearest.describe(name, references.members('dunning_paths'))}`,
          );
      },
    },
  }),
  rule({
    code: 'date_in_past',
    path: 'dunning_path.start_date',
    needs: ['clock'],
    reason: 'A dunning path cannot start in the past.',
    checks: {
      dunningPath({ start_date: start }, { today }, report) {
        if (isGiven(start) && start < today)
          report('start_date', `${start} is in the past: start today or later.`);
      },
    },
  }),
  rule({
    code: 'multiple_active_deposits_not_allowed',
    path: 'deposit_agreements',
    reason: 'An account has one security deposit.',
    checks: {
      account({ deposit_agreements: deposits }, _facts, report) {
        if (deposits && deposits.length > 1)
          report(
            'deposit_agreements',
            `An account has at most one deposit agreement, not ${deposits.length}.`,
          );
      },
    },
  }),
  rule({
    code: 'last_interest_date_not_allowed',
    path: 'deposit_agreements.<i>.last_interest_date',
    reason: 'A deposit earns interest only after it has been paid.',
    checks: {
      depositAgreement({ fulfilled_at: paid, last_interest_date: interest }, _facts, report) {
        if (isGiven(interest) && !isGiven(paid))
          report('last_interest_date', 'The deposit has not been paid: leave the interest date out.');
      },
    },
  }),
  rule({
    code: 'fulfilled_at_greater_than_last_interest_date',
    path: 'deposit_agreements.<i>.last_interest_date',
    reason: 'A deposit earns interest only after it has been paid.',
    checks: {
      depositAgreement({ fulfilled_at: paid, last_interest_date: interest }, { timeZone }, report) {
        if (isGiven(paid) && isGiven(interest) && dayIn(timeZone, new Date(paid)) > interest)
          report(
            'last_interest_date',
            `The interest date ${interest} is before the deposit was paid at ${paid}.`,
          );
      },
    },
  }),
  rule({
    code: 'invalid_complaint_type_or_subtype',
    path: 'complaints.<i>.type_of_complaint | complaints.<i>.subtype_of_complaint',
    needs: ['reference data: complaint_types'],
    reason: 'Complaints are reported to the regulator by configured type.',
    checks: {
      complaint({ type_of_complaint: type, subtype_of_complaint: subtype }, { references, nearest }, report) {
        if (references.has('complaint_types', type) === false)
          report(
            'type_of_complaint',
            `${quote(type)} is not a configured type of complaint.${nearest.describe(type, references.members('complaint_types'))}`,
          );
        const subtypes = references.complaintTypes.get(type)?.subtypes;
        if (subtypes?.includes(subtype) === false)
          report(
            'subtype_of_complaint',
            `${quote(subtype)} is not a subtype of ${quote(type)}.${nearest.describe(subtype, new Set(subtypes))}`,
          );
      },
    },
  }),
  rule({
    code: 'invalid_complaint_source',
    path: 'complaints.<i>.complaint_contacts.<j>.communication_source',
    needs: ['reference data: complaint_sources'],
    reason: 'Complaint contacts are counted by configured source.',
    checks: {
      complaintContact({ communication_source: source }, { references, nearest }, report) {
        if (references.has('complaint_sources', source) === false)
          report(
            'communication_source',
            `${quote(source)} is not a configured source of complaints.${nearest.describe(source, references.members('complaint_sources'))}`,
          );
      },
    },
  }),
  rule({
    code: 'invalid_official_organization_or_status',
    path: 'complaints.<i>.official_entity | complaints.<i>.official_status',
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
        const statuses = references.officialBodies.get(entity)?.statuses;
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
    path: 'complaints.<i>.official_reference_number',
    reason: 'An official complaint is identified by body, reference and status together.',
    checks: {
      complaint(complaint, _facts, report) {
        const missing = OFFICIAL_FIELDS.filter((field) => !isGiven(complaint[field]));
        if (missing.length === 1 || missing.length === 2)
          report(
            'official_reference_number',
            `For an official complaint, send ${missing.join(' and ')} too.`,
          );
      },
    },
  }),
  rule({
    code: 'chsr_letter_not_sent',
    path: 'complaints.<i>.has_chsr_letter_been_sent',
    reason: 'The eight-week letter is sent only after the summary letter.',
    checks: {
      complaint(complaint, _facts, report) {
        if (complaint.has_eight_week_letter_been_sent && !complaint.has_chsr_letter_been_sent)
          report(
            'has_chsr_letter_been_sent',
            'The eight-week letter was sent, so the summary letter must have been sent before.',
          );
      },
    },
  }),
];

const OFFICIAL_FIELDS = ['official_entity', 'official_reference_number', 'official_status'] as const;
