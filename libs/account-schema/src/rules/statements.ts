import { rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/**
 * Rules about historical statements of an account. Statements sent later may omit their document (contract,
 * "Historical statement").
 */
export const STATEMENT_RULES: readonly Rule[] = [
  rule({
    code: 'missing_statement_path_or_pdf_context',
    path: 'statements.<i>.statement_path',
    completeness: true,
    reason: 'A statement needs its document.',
    checks: {
      account({ statements }, _facts, report) {
        for (const [i, { statement_path: path }] of (statements ?? []).entries()) {
          if (!isGiven(path))
            report(`statements.${i}.statement_path`, 'Send the path of the PDF of the statement.');
        }
      },
    },
  }),
];
