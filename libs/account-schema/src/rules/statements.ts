import { each, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/**
 * Rules about historical statements of an account. Statements sent later may omit their document (contract,
 * "Historical statement").
 */
export const STATEMENT_RULES: readonly Rule[] = [
  rule({
    code: 'missing_statement_path_or_pdf_context',
    on: 'account',
    field: 'statements.<i>.statement_path',
    completeness: true,
    reason: 'A statement needs its document.',
    breach: ({ statements }) =>
      each(
        statements,
        ({ statement_path: path }) => !isGiven(path) && 'Send the path of the PDF of the statement.',
      ),
  }),
];
