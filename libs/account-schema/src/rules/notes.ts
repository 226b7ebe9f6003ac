import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';

/** Notes of an account, of a portfolio, or sent after the import. */
export const NOTE_RULES: readonly Rule[] = [
  rule({
    code: 'note_body_or_document_path_not_found',
    path: 'notes.<i>.body',
    why: 'A note says something or has a file; else it is nothing.',
    checks: {
      note(note, _facts, report) {
        if (!given(note.body) && !given(note.document_paths))
          report('body', 'A note needs a body or at least one document.');
      },
    },
  }),
  rule({
    code: 'note_unpin_at_earlier_than_creation_date',
    path: 'notes.<i>.unpin_at',
    why: 'A note cannot come off the board before it was written.',
    checks: {
      note({ created_at, unpin_at }, _facts, report) {
        if (given(created_at) && given(unpin_at) && unpin_at < created_at)
          report(
            'unpin_at',
            `The note would be unpinned at ${unpin_at}, before it was written at ${created_at}.`,
          );
      },
    },
  }),
];
