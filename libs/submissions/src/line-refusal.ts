import {
  type AccountRefusal,
  ACTIVE_STATUSES,
  canReimport,
  type Decision,
  decideCorrection,
  ERASED_DETAIL,
  type ExistingProcess,
  IDENTIFIER_TAKEN_DETAIL,
  type ImportProcessStatus,
  IN_PROGRESS_DETAIL,
  hasErasedAccount,
  type PendingProcess,
  statusesAllowing,
  type SubmissionLineError,
} from '@portage/imports';
import type { ImportSupplierEntity } from '@portage/tenants';
import type { StoredSubmission } from './submission.repository';

/** The states in which an account with the same content is left as it is. */
const REPEATABLE_STATUSES: readonly ImportProcessStatus[] = [...ACTIVE_STATUSES, 'DRY_RUN_SUCCEEDED'];

/** The states from which a line replaces its account: it has ended without an account. */
const REPLACEABLE_STATUSES = statusesAllowing('schedule').filter(
  (status) => !ACTIVE_STATUSES.includes(status),
);

/**
 * Decides what becomes of an account that a line of a submission sends again. An account that was imported with the same content
 * is unchanged, whatever the mode.
 */
export function decideLine(
  existing: ExistingProcess,
  sent: PendingProcess,
  { id: submissionId, mode }: Pick<StoredSubmission, 'id' | 'mode'>,
  supplier: Pick<ImportSupplierEntity, 'reimportAfterErasure'>,
): Decision {
  const isOwn = existing.submissionId === submissionId;
  // An upload that is resumed or sent again does not bring back what was erased meanwhile.
  if (!isOwn && mode !== 'correct' && canReimport(existing, supplier))
    return { kind: 'replace', process: { ...sent, reimports: existing } };
  // A process without an account is not one to correct, whatever could become of it.
  if (mode === 'correct') return decideCorrection(existing, sent);
  if (existing.accountNumber !== null && !isOwn) {
    const decision = decideCorrection(existing, sent);
    if (mode !== 'create' || decision.kind === 'unchanged') return decision;
  }
  const { status, isDryRun } = existing;
  const isSame = isOwn && hasSamePayload(existing, sent) === true;
  if (
    isSame &&
    (status === 'PROCESSED' || (REPEATABLE_STATUSES.includes(status) && isDryRun === sent.isDryRun))
  )
    return { kind: 'repeated' };
  if (!REPLACEABLE_STATUSES.includes(status))
    return {
      kind: 'refused',
      refusal: { kind: 'existing', process: existing, hasSamePayload: hasSamePayload(existing, sent) },
    };
  return { kind: 'replace', process: { ...sent, replaces: existing } };
}

/** Null if the accepted payload was erased. */
function hasSamePayload({ payloadDigest }: ExistingProcess, sent: PendingProcess): boolean | null {
  return payloadDigest === null || sent.payloadDigest === null
    ? null
    : payloadDigest.equals(sent.payloadDigest);
}

/** The errors of a line whose account is refused. */
export function errorsOfLine(refusal: AccountRefusal): SubmissionLineError[] {
  switch (refusal.kind) {
    case 'request':
      return [{ code: refusal.error.code, detail: refusal.error.detail, attr: null }];
    case 'invalid':
      return [...refusal.errors];
    case 'identifier-taken':
      return [
        {
          code: 'external_identifier_already_exists',
          detail: IDENTIFIER_TAKEN_DETAIL,
          attr: 'external_identifier',
        },
      ];
    case 'existing':
      return [errorOfExisting(refusal)];
  }
}

function errorOfExisting({
  process,
  hasSamePayload: isSame = null,
}: Extract<AccountRefusal, { kind: 'existing' }>): SubmissionLineError {
  const { accountNumber, status, submissionId } = process;
  const attr = 'external_account_number';
  const content = isSame === null ? '' : ` with ${isSame ? 'the same' : 'other'} content`;
  const where = `${submissionId === null ? 'by itself' : `in submission ${submissionId}`}${content}`;
  if (hasErasedAccount(process))
    return { code: 'account_import_process_already_imported', detail: ERASED_DETAIL, attr };
  if (accountNumber !== null)
    return {
      code: 'account_import_process_already_imported',
      detail: `This account was sent ${where} and has been imported, as ${accountNumber}.`,
      attr,
    };
  return status === 'PENDING'
    ? { code: 'account_already_received', detail: detailOfPending(where, process, isSame), attr }
    : { code: 'import_process_in_progress', detail: `${IN_PROGRESS_DETAIL} It was sent ${where}.`, attr };
}

const CANCEL = 'POST /v2/data-import/accounts/{supplier}/{external_identifier}/cancel/';

/** How to go on with a line whose account is queued. */
function detailOfPending(
  where: string,
  { isDryRun, submissionId }: ExistingProcess,
  isSame: boolean | null,
): string {
  if (isDryRun)
    return `This account was sent ${where} before, for a dry run, and is queued. Send the line again once the dry run has ended, or cancel it (${CANCEL}).`;
  return isSame
    ? `This account was sent ${where} before, and is queued. ${submissionId === null ? 'Its status has the outcome.' : 'Its outcome is shown there.'} Nothing is to be done.`
    : `This account was sent ${where} before, and is queued. Once it is imported, this line is refused for good. To import this line instead, cancel the account while it is PENDING (${CANCEL}), and send the line again.`;
}
