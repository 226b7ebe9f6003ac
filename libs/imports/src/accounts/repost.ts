import { createHash } from 'node:crypto';
import type { ImportSupplierEntity } from '@portage/tenants';
import type { ExistingProcess, PendingProcess } from '../processes/pending-process.repository';
import { ACTIVE_STATUSES, transition } from '../processes/status';
import { measurePayload } from '../submission-lines/measure-account';
import type { Decision } from './account-to-accept';
import { canReimport } from '../processes/erased-numbers';
import type { GivenParams } from './task-params';

/** Decides what becomes of an account that a request sends again (contract, "Schedule an account"). */
export function decideRepost(
  existing: ExistingProcess,
  posted: PendingProcess,
  given: GivenParams,
  supplier: Pick<ImportSupplierEntity, 'reimportAfterErasure'>,
): Decision {
  if (canReimport(existing, supplier))
    return { kind: 'replace', process: { ...posted, reimports: existing } };
  if (existing.accountNumber !== null)
    return { kind: 'refused', refusal: { kind: 'existing', process: existing } };
  if (isRepetition(existing, posted, given)) return { kind: 'repeated' };
  if (transition(existing.status, 'schedule') === undefined)
    return { kind: 'refused', refusal: { kind: 'existing', process: existing } };
  const { submissionId } = existing;
  return {
    kind: 'replace',
    process: {
      ...withPendingParams(existing, posted, given),
      replaces: existing,
      ...(submissionId !== null && {
        line: { number: undefined, measures: measurePayload(JSON.parse(posted.payload)) },
      }),
    },
  };
}

/**
 * True if the process is queued or running with the same payload, and with the same parameters where the request sets
 * them. A dry run that is running is no repetition of a request without one, which wants the account to be created.
 */
function isRepetition(existing: ExistingProcess, posted: PendingProcess, given: GivenParams): boolean {
  if (!ACTIVE_STATUSES.includes(existing.status)) return false;
  if (existing.payloadHash.equals(posted.payloadHash)) return true;
  if (!posted.payloadDigest || !existing.payloadDigest?.equals(posted.payloadDigest)) return false;
  const comparesDryRun = given.isDryRun || existing.status !== 'PENDING';
  return (
    (!comparesDryRun || existing.isDryRun === posted.isDryRun) &&
    (!given.window || hasSameWindow(existing, posted))
  );
}

function hasSameWindow(
  existing: ExistingProcess,
  { scheduleWindowStart, scheduleWindowEnd }: PendingProcess,
) {
  const isSame = (stored: number | null, sent: string | null) =>
    stored === (sent === null ? null : new Date(sent).getTime());
  return (
    isSame(existing.windowStartMs, scheduleWindowStart) && isSame(existing.windowEndMs, scheduleWindowEnd)
  );
}

/** The request with the parameters of the PENDING process where it sets none. A window that has ended is not kept. */
function withPendingParams(
  existing: ExistingProcess,
  posted: PendingProcess,
  given: GivenParams,
): PendingProcess {
  if (existing.status !== 'PENDING') return posted;
  const keepsDryRun = !given.isDryRun && existing.isDryRun;
  const keepsWindow = !given.window && existing.isWindowOpen;
  if (!keepsDryRun && !keepsWindow) return posted;
  return {
    ...posted,
    isDryRun: keepsDryRun || posted.isDryRun,
    scheduleWindowStart: keepsWindow ? toText(existing.windowStartMs) : posted.scheduleWindowStart,
    scheduleWindowEnd: keepsWindow ? toText(existing.windowEndMs) : posted.scheduleWindowEnd,
    // The hash of the request stands for its own parameters, with which the payload is not stored.
    payloadHash: createHash('sha256').update(posted.payloadHash).update('pending parameters').digest(),
  };
}

function toText(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
