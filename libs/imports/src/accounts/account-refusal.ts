import { type ErrorCode, type FieldError, PortageError } from '@portage/platform';
import { hasErasedAccount } from '../processes/erased-numbers';
import type { ExistingProcess } from '../processes/pending-process.repository';
import { PROCESS } from '../processes/process-error';

/** Why an account is not accepted. Requests and uploads say it in their own forms. */
export type AccountRefusal =
  /** The request itself is refused, whatever its account is. */
  | { kind: 'request'; error: PortageError }
  /** The account breaks rules. */
  | { kind: 'invalid'; errors: readonly FieldError[] }
  /** The process of the account keeps the payload that it has. */
  | {
      kind: 'existing';
      process: ExistingProcess;
      /** True if that payload is the same; null or undefined if that is not known. */
      hasSamePayload?: boolean | null;
    }
  /** Another account of the supplier has the external identifier. */
  | { kind: 'identifier-taken' };

/** The detail of `import_process_in_progress`. */
export const IN_PROGRESS_DETAIL =
  'This account is being processed with another payload or other task_params. Wait for the outcome: if it is imported, it is not replaced; if not, send it again.';

/** The detail of `external_identifier_already_exists`. */
export const IDENTIFIER_TAKEN_DETAIL = 'Another account of this supplier has the same external_identifier.';

/** The detail of `account_import_process_already_imported` for an account that was erased since. */
export const ERASED_DETAIL =
  'This account was imported, and its personal data was erased. Its number can be imported again, by itself or in another submission, once the operator has allowed it for the supplier (reimport_after_erasure).';

/**
 * A request for an account whose process has accepted a payload that stays. By the digest of that payload the supplier
 * can tell whether it is the same one.
 */
export class PayloadAcceptedBefore extends PortageError {
  /** @param acceptedDigest SHA-256; null if the payload was erased */
  constructor(
    code: ErrorCode,
    detail: string,
    members: Readonly<Record<string, unknown>>,
    readonly acceptedDigest: Buffer | null,
  ) {
    super(code, detail, members);
  }
}

/** Builds the error of a request whose account is refused (contract, "Schedule an account"). */
export function buildRefusalError(refusal: AccountRefusal): PortageError {
  switch (refusal.kind) {
    case 'request':
      return refusal.error;
    case 'invalid':
      // The validate endpoint lists the single errors.
      return new PortageError(
        'import_process_failed_validation',
        'The account data is not valid. Post it to /v2/data-import/accounts/validate/ to see every error.',
        PROCESS,
      );
    case 'identifier-taken':
      return buildIdentifierTaken();
    case 'existing': {
      const { accountNumber, payloadDigest } = refusal.process;
      return accountNumber === null
        ? new PayloadAcceptedBefore('import_process_in_progress', IN_PROGRESS_DETAIL, PROCESS, payloadDigest)
        : // This answer has its own shape: the code is inside `non_field_errors`.
          new PayloadAcceptedBefore(
            'account_import_process_already_imported',
            hasErasedAccount(refusal.process) ? ERASED_DETAIL : 'This account has been imported already.',
            { account_id: accountNumber },
            payloadDigest,
          );
    }
  }
}

/** Builds the error for an external identifier that another account of the supplier has. */
export function buildIdentifierTaken(): PortageError {
  return new PortageError('external_identifier_already_exists', IDENTIFIER_TAKEN_DETAIL, PROCESS);
}

/** Another request may take the external identifier while `work` holds its transaction. */
export async function translateIdentifierConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'import_process_identifier')
      throw buildIdentifierTaken();
    throw error;
  }
}
