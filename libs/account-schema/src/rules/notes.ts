import { rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/** Rules about notes of an account, of a portfolio, or sent after the import. */
export const NOTE_RULES: readonly Rule[] = [
  rule({
    code: 'note_body_or_document_path_not_found',
    path: 'notes.<i>.body',
    reason: 'A note needs a text or a document.',
    checks: {
      note(note, _facts, report) {
        if (!isGiven(note.body) && !isGiven(note.document_paths))
          report('body', 'A note needs a body or at least one document.');
      },
    },
  }),
  rule({
    code: 'note_unpin_at_earlier_than_creation_date',
    path: 'notes.<i>.unpin_at',
    reason: 'A note cannot be unpinned before it was created.',
    checks: {
      note({ created_at, unpin_at }, _facts, report) {
        if (isGiven(created_at) && isGiven(unpin_at) && unpin_at < created_at)
          report(
            'unpin_at',
            `The note would be unpinned at ${unpin_at}, before it was written at ${created_at}.`,
          );
      },
    },
  }),
];
