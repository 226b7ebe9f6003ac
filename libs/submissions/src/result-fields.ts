import type { SubmissionResult } from './submission-results.dto';

/** The columns of results in a table, such as CSV. */
export const RESULT_COLUMNS = [
  'upload',
  'line',
  'external_account_number',
  'outcome',
  'platform_account_number',
  'error_code',
  'errors',
  'payload_digest',
  'duplicate_of_upload',
  'duplicate_of_line',
  'documents_named',
  'documents_missing',
  'warnings',
  'change_count',
  'changed_paths',
  'kind',
  'added',
  'existing',
  'different',
  'moved',
] as const;

/**
 * The fields of a result, in the order of the columns. The code is that of the first error; each error or warning is
 * one line.
 */
export function toResultFields({
  errors,
  warnings,
  ...result
}: SubmissionResult): (string | number | null)[] {
  return [
    result.upload,
    result.line,
    result.external_account_number,
    result.outcome,
    result.platform_account_number,
    errors[0]?.code ?? null,
    listOf(errors),
    result.payload_digest,
    result.duplicate_of?.upload ?? null,
    result.duplicate_of?.line ?? null,
    result.documents_named,
    result.documents_missing,
    listOf(warnings),
    result.change_count,
    result.changes.map(({ path }) => path).join('\n'),
    result.kind,
    result.addition?.added ?? null,
    result.addition?.existing ?? null,
    result.addition?.different ?? null,
    result.addition?.moved ?? null,
  ];
}

function listOf(messages: readonly { code: string; detail: string; attr: string | null }[]): string {
  return messages
    .map(({ code, detail, attr }) => `${attr === null ? '' : `${attr}: `}${detail && `${detail} `}(${code})`)
    .join('\n');
}
