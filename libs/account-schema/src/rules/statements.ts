import { type Rule, memberRule } from './engine/rule';
import { isGiven } from './terms/is-given';

/**
 * Rules about historical statements of an account. Statements sent later may omit their document (contract,
 * "Historical statement").
 */
export const STATEMENT_RULES: readonly Rule[] = [
  memberRule({
    code: 'missing_statement_path_or_pdf_context',
    on: 'account',
    each: 'statements',
    field: 'statement_path',
    completeness: true,
    reason: 'A statement needs its document.',
    breach: ({ statement_path: path }) => !isGiven(path) && 'Send the path of the PDF of the statement.',
  }),
];
