import { rule, type Rule } from './engine/rule';
import { dayIn } from './terms/calendar';
import { given } from './terms/given';
import { quote } from './terms/quote';

/** What is overdue, deposited or in dispute. */
export const DEBT_AND_COMPLAINT_RULES: readonly Rule[] = [
  rule({
    code: 'debt_and_debts_are_defined',
    path: 'debt',
    why: 'The list replaces the single record; with both, a debt may count twice.',
    checks: {
      account({ debt, debts }, _facts, report) {
        if (debt && given(debts)) report('debt', 'Send debts or debt, not both.');
      },
    },
  }),
  rule({
    code: 'debt_collection_agency_name_required',
    path: 'debts.<i>.agency_name | debt.agency_name',
    why: 'Collecting has begun, so somebody is collecting.',
    checks: {
      debt({ start_date: start, agency_name: agency }, _facts, report) {
        if (given(start) && !given(agency)) report('agency_name', 'Say which agency has been collecting.');
      },
    },
  }),
  rule({
    code: 'debt_collection_agency_does_not_exist',
    path: 'debts.<i>.agency_name | debt.agency_name',
    needs: ['reference data: debt_collection_agencies'],
    why: 'An agency that the operator does not work with collects nothing.',
    checks: {
      debt({ agency_name: agency }, { references }, report) {
        if (given(agency) && references.has('debt_collection_agencies', agency) === false)
          report('agency_name', `There is no debt collection agency called ${quote(agency)}.`);
      },
    },
  }),
  rule({
    code: 'cais_references_not_supported',
    path: 'debts.<i>.cais_reference | debt.cais_reference',
    needs: ['instance: cais_references_enabled'],
    why: 'A reference for an exchange that the operator takes no part in would be lost.',
    checks: {
      debt({ cais_reference: reference }, { instance }, report) {
        if (given(reference) && !instance.cais_references_enabled)
          report('cais_reference', 'References of the credit data exchange are not kept here: leave it out.');
      },
    },
  }),
  rule({
    code: 'dunning_path_not_found',
    path: 'dunning_path.path_name',
    needs: ['reference data: dunning_paths'],
    why: 'A path that is not configured leads nowhere.',
    checks: {
      dunningPath({ path_name: name }, { references }, report) {
        if (references.has('dunning_paths', name) === false)
          report('path_name', `There is no dunning path called ${quote(name)}.`);
      },
    },
  }),
  rule({
    code: 'date_in_past',
    path: 'dunning_path.start_date',
    needs: ['clock'],
    why: 'Reminders cannot be sent yesterday.',
    checks: {
      dunningPath({ start_date: start }, { today }, report) {
        if (given(start) && start < today) report('start_date', `${start} is past: start today or later.`);
      },
    },
  }),
  rule({
    code: 'multiple_active_deposits_not_allowed',
    path: 'deposit_agreements',
    why: 'An account has one security deposit.',
    checks: {
      account({ deposit_agreements: deposits }, _facts, report) {
        if (deposits && deposits.length > 1)
          report(
            'deposit_agreements',
            `An account has one deposit agreement at most, not ${deposits.length}.`,
          );
      },
    },
  }),
  rule({
    code: 'last_interest_date_not_allowed',
    path: 'deposit_agreements.<i>.last_interest_date',
    why: 'A deposit earns interest only once it is paid.',
    checks: {
      depositAgreement({ fulfilled_at: paid, last_interest_date: interest }, _facts, report) {
        if (given(interest) && !given(paid))
          report('last_interest_date', 'The deposit is not fulfilled, so it has earned no interest.');
      },
    },
  }),
  rule({
    code: 'fulfilled_at_greater_than_last_interest_date',
    path: 'deposit_agreements.<i>.last_interest_date',
    why: 'A deposit earns interest only once it is paid.',
    checks: {
      depositAgreement({ fulfilled_at: paid, last_interest_date: interest }, { timeZone }, report) {
        if (given(paid) && given(interest) && dayIn(timeZone, new Date(paid)) > interest)
          report('last_interest_date', `Interest up to ${interest} is earlier than the deposit of ${paid}.`);
      },
    },
  }),
  rule({
    code: 'invalid_complaint_type_or_subtype',
    path: 'complaints.<i>.type_of_complaint | complaints.<i>.subtype_of_complaint',
    needs: ['reference data: complaint_types'],
    why: 'Complaints are reported to the regulator by type.',
    checks: {
      complaint({ type_of_complaint: type, subtype_of_complaint: subtype }, { references }, report) {
        if (references.has('complaint_types', type) === false)
          report('type_of_complaint', `${quote(type)} is not a configured type of complaint.`);
        else if (references.complaintSubtypes(type)?.includes(subtype) === false)
          report('subtype_of_complaint', `${quote(subtype)} is not a subtype of ${quote(type)}.`);
      },
    },
  }),
  rule({
    code: 'invalid_complaint_source',
    path: 'complaints.<i>.complaint_contacts.<j>.communication_source',
    needs: ['reference data: complaint_sources'],
    why: 'Where a complaint came in is counted by source.',
    checks: {
      complaintContact({ communication_source: source }, { references }, report) {
        if (references.has('complaint_sources', source) === false)
          report('communication_source', `${quote(source)} is not a configured source of complaints.`);
      },
    },
  }),
  rule({
    code: 'invalid_official_organization_or_status',
    path: 'complaints.<i>.official_entity | complaints.<i>.official_status',
    needs: ['reference data: official_bodies'],
    why: 'A case is followed up with a body that the operator knows, in that body’s own words.',
    checks: {
      complaint({ official_entity: entity, official_status: status }, { references }, report) {
        if (!given(entity)) return;
        if (references.has('official_bodies', entity) === false)
          report('official_entity', `${quote(entity)} is not a configured official body.`);
        else if (given(status) && references.officialStatuses(entity)?.includes(status) === false)
          report('official_status', `${quote(status)} is not a status that ${quote(entity)} uses.`);
      },
    },
  }),
  rule({
    code: 'official_complaint_field_missing',
    path: 'complaints.<i>.official_reference_number',
    why: 'A case at a public body is found by body, reference and status together.',
    checks: {
      complaint(complaint, _facts, report) {
        const missing = OFFICIAL.filter((field) => !given(complaint[field]));
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
    why: 'The letter after eight weeks follows the summary, never comes alone.',
    checks: {
      complaint(complaint, _facts, report) {
        if (complaint.has_eight_week_letter_been_sent && !complaint.has_chsr_letter_been_sent)
          report(
            'has_chsr_letter_been_sent',
            'The eight-week letter was sent, so the summary was sent before.',
          );
      },
    },
  }),
];

const OFFICIAL = ['official_entity', 'official_reference_number', 'official_status'] as const;
