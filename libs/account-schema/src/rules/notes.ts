import { rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/** Rules about notes of an account, of a portfolio, or sent after the import. */
export const NOTE_RULES: readonly Rule[] = [
  rule({
    code: 'note_body_or_document_path_not_found',
    on: 'note',
    field: 'body',
    reason: 'A note needs a text or a document.',
    breach: (note) =>
      !isGiven(note.body) && !isGiven(note.document_paths) && 'A note needs a body or at least one document.',
  }),
  rule({
    code: 'note_unpin_at_earlier_than_creation_date',
    on: 'note',
    field: 'unpin_at',
    reason: 'A note cannot be unpinned before it was created.',
    breach: ({ created_at, unpin_at }) =>
      isGiven(created_at) &&
      isGiven(unpin_at) &&
      unpin_at < created_at &&
      `The note would be unpinned at ${unpin_at}, before it was written at ${created_at}.`,
  }),
];
