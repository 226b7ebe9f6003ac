/** An example of `ReferenceListSummary`. */
export const exampleReferenceListSummary = {
  list: 'ledger_types',
  entries: 2,
  imported_at: '2026-11-22T10:02:11.120Z',
};
