import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';

/** Statements of the past that come with an account; those sent later may do without their document (contract 2.6). */
export const STATEMENT_RULES: readonly Rule[] = [
  rule({
    code: 'missing_statement_path_or_pdf_context',
    path: 'statements.<i>.statement_path',
    completeness: true,
    why: 'A statement without its document is only a promise of one.',
    checks: {
      account({ statements }, _facts, report) {
        for (const [i, { statement_path: path }] of (statements ?? []).entries()) {
          if (!given(path))
            report(`statements.${i}.statement_path`, 'Say where the PDF of the statement lies.');
        }
      },
    },
  }),
];
