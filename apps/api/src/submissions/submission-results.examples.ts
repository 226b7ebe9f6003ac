import type { ReconciledMeasureView } from '@portage/submissions';

/** One line of the results. */
export const exampleResult = {
  upload: 1,
  line: 1,
  external_account_number: 'A-100231',
  kind: 'account',
  outcome: 'processed',
  addition: null,
  platform_account_number: 'A-9c41e07b',
  payload_digest: 'sha-256=:rKrl7cMyVyRA6gsLWnF0OcGjXZVnbjPeTw3QSKEUVFE=:',
  duplicate_of: null,
  documents_named: 3,
  documents_missing: 1,
  changes: [],
  change_count: 0,
  errors: [],
  warnings: [
    {
      code: 'reading_below_zero',
      detail:
        'The reading of 2024-06-01 is -5, below zero. If it is a mistake, send the value that the register showed.',
      attr: 'supply_addresses.0.meter_points.0.meters.0.transfer_readings.0.reading_value',
    },
  ],
};
/** The results as CSV. */
export const exampleCsv = [
  '"upload","line","external_account_number","outcome","platform_account_number","error_code","errors","payload_digest","duplicate_of_upload","duplicate_of_line","documents_named","documents_missing","warnings","change_count","changed_paths","kind","added","existing","different","moved"',
  '"1","1","A-100231","processed","A-9c41e07b","","","sha-256=:rKrl7cMyVyRA6gsLWnF0OcGjXZVnbjPeTw3QSKEUVFE=:","","","3","1","","0","","account","","","",""',
  '"1","2","A-100232","refused","","invalid_email","customers.0.email: Not an e-mail address. (invalid_email)","sha-256=:h/wkMZUfYVAgAVb3fPtPVkxmL3Ghw5uG1WEu4YpYDAw=:","","","0","","","0","","account","","","",""',
]
  .map((line) => `${line}\r\n`)
  .join('');

const exampleOf = (name: string, values: Partial<ReconciledMeasureView> = {}) => ({
  measure: name,
  ...(/^opening|_total$/.test(name) && { currency: 'GBP' }),
  expected: null,
  received: 0,
  imported: 0,
  would_be_imported: 0,
  refused_or_errored: 0,
  erased: 0,
  corrected_since: 0,
  difference: 0,
  ...values,
});

/** A reconciliation. */
export const exampleReconciliation = {
  id: '17',
  import_supplier: 'DEMO',
  reference: '2026-11 wave 1',
  is_dry_run: false,
  counted_at: '2026-11-21T09:31:00.000000+00:00',
  unfinished: 0,
  dry_run_succeeded: 0,
  created: 998,
  corrected: 0,
  unchanged: 0,
  corrected_since: 0,
  taken_back: 0,
  erased: 0,
  reconciled: false,
  measures: [
    exampleOf('accounts', {
      expected: 1000,
      received: 1000,
      imported: 998,
      refused_or_errored: 2,
      difference: -2,
    }),
    exampleOf('customers', { received: 1420, imported: 1417, refused_or_errored: 3 }),
    exampleOf('supply_points', { received: 1764, imported: 1760, refused_or_errored: 4 }),
    exampleOf('readings', { received: 42310, imported: 42222, refused_or_errored: 88 }),
    exampleOf('statements'),
    exampleOf('statement_total', { unit: 'minor' }),
    exampleOf('transactions', { received: 12000, imported: 11976, refused_or_errored: 24 }),
    exampleOf('opening_balance', {
      expected: '-18210.40',
      received: '-18210.40',
      imported: '-18150.15',
      would_be_imported: '0.00',
      refused_or_errored: '-60.25',
      erased: '0.00',
      corrected_since: '0.00',
      difference: '60.25',
    }),
    exampleOf('opening_debits', {
      received: '-31402.10',
      imported: '-31341.85',
      would_be_imported: '0.00',
      refused_or_errored: '-60.25',
      erased: '0.00',
      corrected_since: '0.00',
      difference: '0.00',
    }),
    exampleOf('opening_credits', {
      received: '13191.70',
      imported: '13191.70',
      would_be_imported: '0.00',
      refused_or_errored: '0.00',
      erased: '0.00',
      corrected_since: '0.00',
      difference: '0.00',
    }),
    exampleOf('payment_instructions', { received: 811, imported: 810, refused_or_errored: 1 }),
    exampleOf('debts'),
    exampleOf('documents', { received: 260, imported: 260, missing: 14 }),
  ],
};
