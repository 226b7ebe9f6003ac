/**
 * Builds the common table expression that erases the errors and the digests of lines without a process. Errors may quote
 * values of the account.
 *
 * @param processes SQL of rows with `supplier_id` and `external_account_number`
 */
export function buildErasedLines(processes: string): string {
  return `refused_lines AS (
      UPDATE submission_line line SET payload_digest = NULL, errors = json_build_array(json_build_object('code', 'erased', 'detail',
        'The details were erased with the account data.', 'attr', NULL))
      FROM ${processes} erased_process JOIN submission ON submission.supplier_id = erased_process.supplier_id
      WHERE line.submission_id = submission.id
        AND line.refused_key = sha256(convert_to(erased_process.external_account_number, 'UTF8'))
    )`;
}
