/** A submission of a list. */
export const exampleListed = {
  id: '17',
  import_supplier: 'DEMO',
  reference: 'book-2026-11',
  kind: 'accounts',
  mode: 'create',
  status: 'RECEIVED',
  created_at: '2026-11-21T09:30:00.123456+00:00',
  completed_at: '2026-11-21T09:41:10.000512+00:00',
  finished_at: null,
};

/** A submission with its counts. */
export const exampleSubmission = {
  ...exampleListed,
  counts: {
    received: 20000,
    refused: 13,
    repeated: 64,
    unchanged: 0,
    correcting: 0,
    corrected: 0,
    would_correct: 0,
    correction_errored: 0,
    pending: 9120,
    in_progress: 64,
    processed: 10790,
    errored: 13,
    dry_run_succeeded: 0,
    dry_run_errored: 0,
    cancelled: 0,
  },
  plan: null,
  accounts_with_warnings: 412,
  unchecked_lists: ['dunning_paths', 'official_bodies'],
  accounts_per_second: 184.2,
  estimated_end: '2026-11-21T09:42:00.000000+00:00',
};

/** A submission that was just opened. */
export const exampleOpened = {
  ...exampleSubmission,
  status: 'OPEN',
  completed_at: null,
  accounts_per_second: null,
  estimated_end: null,
  counts: Object.fromEntries(Object.keys(exampleSubmission.counts).map((name) => [name, 0])),
};

/** The body of an upload. */
export const exampleLines = ['A-100231', 'A-100232']
  .map((number) => ({
    import_supplier: 'DEMO',
    external_account_number: number,
    customers: [{ given_name: 'Maeve', family_name: 'Aldous' }],
  }))
  .map((account) => `${JSON.stringify(account)}\n`)
  .join('');

/** The body of an upload of additions. */
export const exampleAdditions = [
  { notes: { ...named('A-100231'), notes: [{ body: 'Prefers letters.' }] } },
  {
    transactions: {
      ...named('A-100231'),
      transactions: [
        {
          transaction_id: 'T-1',
          transaction_date: '2026-11-02',
          type: 'CHARGE',
          reason: 'IMPORTED_CHARGE',
          amount: '12.50',
        },
      ],
    },
    force_add_to_current_statement: true,
  },
  {
    payment_instruction: { ...named('A-100231'), vendor: 'STRIPE', type: 'CARD', reference: 'pm_1' },
  },
]
  .map((addition) => `${JSON.stringify(addition)}\n`)
  .join('');

function named(number: string): { import_supplier: string; external_account_number: string } {
  return { import_supplier: 'DEMO', external_account_number: number };
}
