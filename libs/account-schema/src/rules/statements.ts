import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';

/** Statements of the past. */
export const STATEMENT_RULES: readonly Rule[] = [
  rule({
    code: 'missing_statement_path_or_pdf_context',
    path: 'statements.<i>.statement_path',
    completeness: true,
    why: 'A statement without its document is only a promise of one.',
    checks: {
      statement({ statement_path: path }, _facts, report) {
        if (!given(path)) report('statement_path', 'Say where the PDF of the statement lies.');
      },
    },
  }),
];
