import { type FieldError, LINE_OUTCOMES, type LineOutcome, PortageError } from '@portage/domain';

/**
 * Parses `outcome` of the results of a submission, which may be repeated and may list values with commas.
 *
 * @returns undefined for all outcomes
 * @throws PortageError `validation_error`
 */
export function parseResultsQuery({ outcome }: Record<string, unknown>): readonly LineOutcome[] | undefined {
  if (outcome === undefined) return undefined;
  const names = [outcome].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : ['']));
  if (names.every((name) => LINE_OUTCOMES.some((known) => known === name)))
    return LINE_OUTCOMES.filter((known) => names.includes(known));
  const errors: FieldError[] = [
    {
      attr: 'outcome',
      code: 'invalid_choice',
      detail: `outcome must be one or more of ${LINE_OUTCOMES.join(', ')}.`,
    },
  ];
  throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
}
