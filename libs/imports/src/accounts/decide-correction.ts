import { PortageError } from '@portage/platform';
import type { Decision } from './account-to-accept';
import { hasErasedAccount } from '../processes/erased-numbers';
import type { ExistingProcess, PendingProcess } from '../processes/pending-process.repository';
import { ACTIVE_STATUSES } from '../processes/status';
import { PROCESS } from '../processes/process-error';

/**
 * Decides what becomes of a correction by the process of its account. The same content changes nothing, whether it is
 * imported or a pending correction has it.
 */
export function decideCorrection(existing: ExistingProcess, sent: PendingProcess): Decision {
  const refuse = (error: PortageError): Decision => ({
    kind: 'refused',
    refusal: { kind: 'request', error },
  });
  if (existing.accountNumber === null) {
    const isActive = ACTIVE_STATUSES.includes(existing.status);
    return refuse(
      new PortageError(
        isActive ? 'import_process_in_progress' : 'account_not_imported',
        isActive
          ? 'The account is being imported. Wait for the outcome, and send the correction then.'
          : `The import has ended with the status ${existing.status}, so there is no account to correct. Schedule it again.`,
        PROCESS,
      ),
    );
  }
  if (hasErasedAccount(existing))
    return refuse(
      new PortageError(
        'account_erased',
        'The personal data of the account was erased, so it cannot be corrected. Schedule it as a new account, if the operator has allowed that for the supplier (reimport_after_erasure).',
        PROCESS,
      ),
    );
  const { correction } = existing;
  if (correction) {
    const isSame =
      correction.isDryRun === sent.isDryRun &&
      correction.payloadDigest === sent.payloadDigest?.toString('base64');
    if (isSame) return { kind: 'repeated' };
    return refuse(
      new PortageError(
        'import_process_in_progress',
        'The account is being corrected with another payload. Wait for the outcome, and send the correction then.',
        PROCESS,
      ),
    );
  }
  return sent.payloadDigest && existing.payloadDigest?.equals(sent.payloadDigest)
    ? { kind: 'unchanged' }
    : { kind: 'correct' };
}
