import type { ListFailedProcesses } from '@portage/imports';
import { formatCsv } from '../../submissions/results-format';

const COLUMNS = [
  'external_account_number',
  'status',
  'error_code',
  'error_paths',
  'error_detail',
  'modified_at',
];

type FailedAccounts = ReturnType<ListFailedProcesses['list']>;

/**
 * The accounts that ended with an error as CSV.
 *
 * @param hasSentences false leaves `error_detail` empty, which can have values of the account
 */
export async function* toFailedCsv(chunks: FailedAccounts, hasSentences: boolean): AsyncGenerator<string> {
  yield formatCsv([COLUMNS]);
  for await (const chunk of chunks)
    yield formatCsv(
      chunk.map(({ externalAccountNumber, status, errorCode, errorFields, errorDetail, modifiedAt }) => [
        externalAccountNumber,
        status,
        errorCode,
        (errorFields ?? []).map(({ attr }) => attr).join('\n'),
        hasSentences ? errorDetail : '',
        new Date(modifiedAt).toISOString(),
      ]),
    );
}
