/** A body with two notes. */
export const exampleNotes = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  notes: [
    { body: 'Prefers calls after 18:00.', is_pinned: true, unpin_at: '2027-01-01T00:00:00Z' },
    {
      created_at: '2024-04-11T13:05:00Z',
      document_paths: [{ document_path: 'A-100231/letters/2024-04-11.pdf' }],
    },
  ],
};

/** The results for {@link exampleNotes}. */
export const exampleNoteResults = [
  {
    created_at: '2026-11-21T09:30:00Z',
    body: 'Prefers calls after 18:00.',
    status: 'NOTE_CREATION_SUCCESS',
  },
  { created_at: '2024-04-11T13:05:00Z', body: null, status: 'NOTE_ALREADY_EXISTS' },
];
