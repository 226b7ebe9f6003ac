/**
 * `unnest` of array parameters, in a statement whose plan must not depend on their length. All arguments are SQL.
 *
 * PostgreSQL estimates the rows of `unnest($1)` by the array that is sent. For a few members the plan for this array seems
 * cheaper than the general one, so that the statement is planned at every call, which takes longer than short statements
 * themselves. Behind a subquery it assumes ten members for both, and a connection retains the general plan after five
 * calls. {@link anyOf} does the same for `= ANY($1)`.
 *
 * @param parameters with their types, such as `$1::bigint[], $2::text[]`
 */
export function unnestArrays(parameters: string): string {
  const arrays = parameters.split(/,\s*/).map((parameter) => `(SELECT ${parameter})`);
  return `unnest(${arrays.join(', ')})`;
}

/**
 * `ANY` of the members of an array parameter, for the same plans as {@link unnestArrays}.
 *
 * @param parameter with its type, such as `$1::bigint[]`
 */
export function anyOf(parameter: string): string {
  // A subquery alone would be compared row by row. The cast makes an array of it.
  return `ANY((SELECT ${parameter})::${parameter.split('::')[1]})`;
}
