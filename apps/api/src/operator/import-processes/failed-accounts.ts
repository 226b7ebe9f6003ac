import type { ListFailedProcesses } from '@portage/imports';
import { maskDetail } from '@portage/operators';
import { formatCsv } from '../../submissions/results-format';

const COLUMNS = ['external_account_number', 'status', 'error_code', 'error_detail', 'modified_at'];

type FailedAccounts = ReturnType<ListFailedProcesses['list']>;

/** The accounts that ended with an error as CSV. Details are masked: they can have values of the account. */
export async function* toFailedCsv(chunks: FailedAccounts): AsyncGenerator<string> {
  yield formatCsv([COLUMNS]);
  for await (const chunk of chunks)
    yield formatCsv(
      chunk.map(({ externalAccountNumber, status, errorCode, errorDetail, modifiedAt }) => [
        externalAccountNumber,
        status,
        errorCode,
        maskDetail(errorDetail ?? ''),
        new Date(modifiedAt).toISOString(),
      ]),
    );
}
