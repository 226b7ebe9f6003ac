import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  Database,
  type Executor,
  type ImportProcessState,
  ImportProcessSchedulingRepository,
  type KeyedRequest,
  type ProcessVersion,
  type ScheduledImport,
  SubmissionLineRepository,
} from '@portage/database';
import { ACTIVE_STATUSES, type ErrorCode, PortageError } from '@portage/domain';
import { type KeyedAnswer, KeyedRequests } from '../idempotency/keyed-requests';
import { measurePayload } from '../measures/measures';
import type { AccountLabel } from '../follow-ups/account-follow-ups';
import type { DatabaseRules } from './database-rules';
import { ImportProcessStore } from './ports/import-process-store';
import type { GivenParams } from './task-params';

/** The result of storing a scheduled import. */
export interface StoredImport {
  outcome: 'created' | 'replaced' | 'unchanged';
  /** The version whose job the caller adds; undefined where nothing changed, or the job has been added. */
  version: ProcessVersion | undefined;
  processId: string;
  /** The start of its window, which may be that of the earlier request. */
  scheduleWindowStart: Date | null;
}

/**
 * A request for an account whose process has accepted a payload that stays. By the digest of that payload the supplier
 * can tell whether it is the same one.
 */
export class PayloadAcceptedBefore extends PortageError {
  /** @param acceptedDigest SHA-256; null if the payload was erased or is of an earlier release */
  constructor(
    code: ErrorCode,
    detail: string,
    members: Readonly<Record<string, unknown>>,
    readonly acceptedDigest: Buffer | null,
  ) {
    super(code, detail, members);
  }
}

/** Stores scheduled imports: as new processes, as new versions of existing ones, or not at all if nothing changed. */
@Injectable()
export class ScheduledImports {
  constructor(
    private readonly store: ImportProcessStore,
    private readonly processes: ImportProcessSchedulingRepository,
    private readonly keyedRequests: KeyedRequests,
    private readonly database: Database,
    private readonly lines: SubmissionLineRepository,
  ) {}

  /**
   * Inserts a new process in one statement, which verifies the lookups of `rules` as well, and adds its job. If the
   * lookups have findings, the rules decide; if the process exists, it is replaced where its status allows that.
   *
   * @throws PortageError `import_process_failed_validation` if a database rule is broken;
   * `external_identifier_already_exists`, `account_import_process_already_imported`, `import_process_in_progress`
   */
  async add(
    scheduled: ScheduledImport,
    given: GivenParams,
    rules: DatabaseRules,
    label: AccountLabel,
  ): Promise<StoredImport> {
    return translateIdentifierConflict(async () => {
      let inserted = await this.store.insert({ ...scheduled, preconditions: rules.lookups }, label);
      if (inserted.kind === 'findings') {
        if ((await rules.evaluateFindings(inserted.findings)).length > 0) throw failedValidation();
        inserted = await this.store.insert(scheduled, label);
      }
      if (inserted.kind === 'stored') return { ...created(inserted.version, scheduled), version: undefined };
      return this.database.transaction(async (executor) => this.replace(executor, scheduled, given));
    });
  }

  /**
   * As {@link add}, in one transaction with the answer to a request with an `Idempotency-Key`. The caller has evaluated
   * the database rules.
   */
  async addKeyed(
    keyed: KeyedRequest,
    scheduled: ScheduledImport,
    given: GivenParams,
    answer: object,
  ): Promise<Omit<StoredImport, 'processId'> & { isReplayed: boolean }> {
    return translateIdentifierConflict(async () => {
      let stored: StoredImport | undefined;
      const work = async (executor: Executor) => {
        const [inserted] = await this.processes.insert([scheduled], executor);
        stored =
          inserted?.kind === 'stored'
            ? created(inserted.version, scheduled)
            : await this.replace(executor, scheduled, given);
        return answer;
      };
      const { isReplayed } = await this.keyedRequests.run(keyed, work, () => stored?.processId);
      return { outcome: 'unchanged', version: undefined, scheduleWindowStart: null, ...stored, isReplayed };
    });
  }

  /** Returns the stored answer to a request with an `Idempotency-Key`, if it was answered before. */
  async findAnswer<Answer>(keyed: KeyedRequest): Promise<KeyedAnswer<Answer> | undefined> {
    return this.keyedRequests.findAnswer<Answer>(keyed);
  }

  /** True if the same payload with the same parameters is scheduled, and its process is queued or running. */
  async isActive(
    scheduled: Pick<ScheduledImport, 'supplierId' | 'externalAccountNumber' | 'payloadHash'>,
  ): Promise<boolean> {
    return this.processes.isActive(scheduled);
  }

  /** Replaces the existing process of an account that is posted again, or leaves it if it is the same. */
  private async replace(
    executor: Executor,
    requested: ScheduledImport,
    given: GivenParams,
  ): Promise<StoredImport> {
    const { supplierId, externalAccountNumber } = requested;
    const process = await this.processes.lock(executor, supplierId, externalAccountNumber);
    if (await this.processes.isIdentifierTaken(executor, requested)) throw identifierTaken();
    // The process existed a moment ago, so it was deleted concurrently. The client repeats the request.
    if (!process)
      throw new PortageError('unavailable', 'The account could not be stored just now. Send it again.');
    if (process.accountNumber !== null) throw alreadyImported(process.accountNumber, process.payloadDigest);
    const { processId } = process;
    if (isRepetition(process, requested, given))
      return { outcome: 'unchanged', version: undefined, processId, scheduleWindowStart: null };
    const scheduled = withPendingParams(requested, process, given);
    const version = await this.processes.replace(executor, processId, scheduled);
    if (!version)
      throw new PayloadAcceptedBefore(
        'import_process_in_progress',
        IN_PROGRESS_DETAIL,
        { domain: 'import_process' },
        process.payloadDigest,
      );
    if (process.submissionId !== null)
      await this.lines.updateMeasures(executor, processId, measurePayload(JSON.parse(scheduled.payload)));
    return { outcome: 'replaced', version, processId, scheduleWindowStart: scheduled.scheduleWindowStart };
  }
}

/** The detail of `import_process_in_progress`. */
export const IN_PROGRESS_DETAIL =
  'This account is being processed with another payload or other task_params. Wait for the outcome and send it again.';

/** The detail of `external_identifier_already_exists`. */
export const IDENTIFIER_TAKEN_DETAIL = 'Another account of this supplier has the same external_identifier.';

function created(version: ProcessVersion, { scheduleWindowStart }: ScheduledImport): StoredImport {
  return { outcome: 'created', version, processId: version.processId, scheduleWindowStart };
}

/** Builds the error for an account that breaks a rule (contract 4.7). The validate endpoint lists the single errors. */
export function failedValidation(): PortageError {
  return new PortageError(
    'import_process_failed_validation',
    'The account data is not valid. Post it to /v2/data-import/accounts/validate/ to see every error.',
    { domain: 'import_process' },
  );
}

/** Another request may take the external identifier between two statements of `work`. */
export async function translateIdentifierConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'import_process_identifier')
      throw identifierTaken();
    throw error;
  }
}

/**
 * True if the process is queued or running with the same payload, and with the same parameters where the request sets
 * them. A dry run that is running is no repetition of a request without one, which wants the account to be created.
 */
function isRepetition(process: ImportProcessState, requested: ScheduledImport, given: GivenParams): boolean {
  if (!ACTIVE_STATUSES.includes(process.status)) return false;
  if (process.payloadHash.equals(requested.payloadHash)) return true;
  if (!process.payloadDigest?.equals(requested.payloadDigest)) return false;
  const comparesDryRun = given.isDryRun || process.status !== 'PENDING';
  return (
    (!comparesDryRun || process.isDryRun === requested.isDryRun) &&
    (!given.window || hasSameWindow(process, requested))
  );
}

function hasSameWindow(
  process: ImportProcessState,
  { scheduleWindowStart, scheduleWindowEnd }: ScheduledImport,
) {
  const isSame = (stored: number | null, sent: Date | null) => stored === (sent?.getTime() ?? null);
  return isSame(process.windowStartMs, scheduleWindowStart) && isSame(process.windowEndMs, scheduleWindowEnd);
}

/** The request with the parameters of the PENDING process where it sets none. A window that has ended is not kept. */
function withPendingParams(
  requested: ScheduledImport,
  process: ImportProcessState,
  given: GivenParams,
): ScheduledImport {
  if (process.status !== 'PENDING') return requested;
  const keepsDryRun = !given.isDryRun && process.isDryRun;
  const keepsWindow = !given.window && process.isWindowOpen;
  if (!keepsDryRun && !keepsWindow) return requested;
  return {
    ...requested,
    ...(keepsDryRun && { isDryRun: true }),
    ...(keepsWindow && {
      scheduleWindowStart: toDate(process.windowStartMs),
      scheduleWindowEnd: toDate(process.windowEndMs),
    }),
    // The hash of the request stands for its own parameters, with which the payload is not stored.
    payloadHash: createHash('sha256').update(requested.payloadHash).update('pending parameters').digest(),
  };
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}

/** Builds the error for an external identifier that another account of the supplier has. */
export function identifierTaken(): PortageError {
  return new PortageError('external_identifier_already_exists', IDENTIFIER_TAKEN_DETAIL, {
    domain: 'import_process',
  });
}

/** This answer has its own shape: the code is inside `non_field_errors` (contract 4.7). */
function alreadyImported(accountNumber: string, digest: Buffer | null): PortageError {
  return new PayloadAcceptedBefore(
    'account_import_process_already_imported',
    'This account has been imported already.',
    { account_id: accountNumber },
    digest,
  );
}
