/**
 * Builds the common table expression that erases the errors and the digests of lines without a process. Errors may quote
 * values of the account.
 *
 * @param processes SQL of rows with `supplier_id` and `external_account_number`
 */
export function buildErasedLines(processes: string): string {
  return `refused_lines AS (
      UPDATE submission_line line SET payload_digest = NULL, errors = CASE WHEN imported_process_id IS NULL
        THEN json_build_array(json_build_object('code', 'erased', 'detail',
          'The details were erased with the account data.', 'attr', NULL)) END
      FROM ${processes} erased_process JOIN submission ON submission.supplier_id = erased_process.supplier_id
      WHERE line.submission_id = submission.id
        AND line.refused_key IN (sha256(convert_to(erased_process.external_account_number, 'UTF8')),
          sha256(convert_to('imported ' || erased_process.external_account_number, 'UTF8')))
    )`;
}

/**
 * Builds the common table expression that erases what submissions have of additions to accounts. Those that wait are cancelled.
 *
 * @param processes SQL of rows with `supplier_id` and `external_account_number`
 */
export function buildErasedAdditions(processes: string): string {
  return `additions AS (
      UPDATE submission_addition addition SET input = NULL, digest = sha256(convert_to(addition.id::text, 'UTF8')),
        status = CASE WHEN addition.status IN ('PENDING', 'IN_PROGRESS') THEN 'CANCELLED' ELSE addition.status END,
        request_id = NULL, ended_at = coalesce(addition.ended_at, now()),
        errors = CASE WHEN errors IS NOT NULL OR addition.status IN ('PENDING', 'IN_PROGRESS')
          THEN json_build_array(json_build_object('code', 'erased', 'detail',
            'The details were erased with the account data.', 'attr', NULL)) END
      FROM ${processes} erased_process
      WHERE addition.supplier_id = erased_process.supplier_id
        AND addition.external_account_number = erased_process.external_account_number
    )`;
}

/**
 * Builds the SET list that erases what corrections have of an account: what they have changed, and those that wait. The paths of
 * changes may have codes of the account, so they are erased as well.
 */
export const ERASED_CORRECTION = `payload = NULL, changes = NULL, payload_digest = NULL,
        status = CASE status WHEN 'PENDING' THEN 'CANCELLED' ELSE status END, ended_at = coalesce(ended_at, now()),
        error_detail = CASE WHEN error_code IS NOT NULL THEN 'The details were erased with the account data.' END`;
