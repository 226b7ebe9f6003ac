import { Injectable } from '@nestjs/common';
import {
  Database,
  type Executor,
  type ImportProcessState,
  ImportProcessSchedulingRepository,
  type KeyedRequest,
  type ProcessVersion,
  type ScheduledImport,
} from '@portage/database';
import { ACTIVE_STATUSES, PortageError } from '@portage/domain';
import { type KeyedAnswer, KeyedRequests } from '../idempotency/keyed-requests';
import type { DatabaseRules } from './database-rules';
import { ImportProcessStore } from './ports/import-process-store';

/** The result of storing a scheduled import. */
export interface StoredImport {
  outcome: 'created' | 'replaced' | 'unchanged';
  /** The version to enqueue; undefined where nothing changed. */
  version: ProcessVersion | undefined;
}

const UNCHANGED: StoredImport = { outcome: 'unchanged', version: undefined };

/** Stores scheduled imports: as new processes, as new versions of existing ones, or not at all if nothing changed. */
@Injectable()
export class ScheduledImports {
  constructor(
    private readonly store: ImportProcessStore,
    private readonly processes: ImportProcessSchedulingRepository,
    private readonly keyedRequests: KeyedRequests,
    private readonly database: Database,
  ) {}

  /**
   * Inserts a new process in one statement, which verifies the lookups of `rules` as well. If these have findings, the
   * rules decide; if the process exists, it is replaced where its status allows that.
   *
   * @throws PortageError `import_process_failed_validation` if a database rule is broken;
   * `external_identifier_already_exists`, `account_import_process_already_imported`, `import_process_in_progress`
   */
  async add(scheduled: ScheduledImport, rules: DatabaseRules): Promise<StoredImport> {
    return translateIdentifierConflict(async () => {
      let inserted = await this.store.insert({ ...scheduled, preconditions: rules.lookups });
      if (inserted.kind === 'findings') {
        if ((await rules.evaluateFindings(inserted.findings)).length > 0) throw failedValidation();
        inserted = await this.store.insert(scheduled);
      }
      if (inserted.kind === 'stored') return { outcome: 'created', version: inserted.version };
      return this.database.transaction(async (executor) => this.replace(executor, scheduled));
    });
  }

  /**
   * As {@link add}, in one transaction with the answer to a request with an `Idempotency-Key`. The caller has evaluated
   * the database rules.
   */
  async addKeyed(
    keyed: KeyedRequest,
    scheduled: ScheduledImport,
    answer: object,
  ): Promise<StoredImport & { isReplayed: boolean }> {
    return translateIdentifierConflict(async () => {
      let stored = UNCHANGED;
      const { isReplayed } = await this.keyedRequests.run(keyed, async (executor) => {
        const [inserted] = await this.processes.insert([scheduled], executor);
        stored =
          inserted?.kind === 'stored'
            ? { outcome: 'created', version: inserted.version }
            : await this.replace(executor, scheduled);
        return answer;
      });
      return { ...stored, isReplayed };
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
  private async replace(executor: Executor, scheduled: ScheduledImport): Promise<StoredImport> {
    const { supplierId, externalAccountNumber } = scheduled;
    const process = await this.processes.lock(executor, supplierId, externalAccountNumber);
    if (await this.processes.isIdentifierTaken(executor, scheduled)) throw identifierTaken();
    // The process existed a moment ago, so it was deleted concurrently. The client repeats the request.
    if (!process)
      throw new PortageError('unavailable', 'The account could not be stored just now. Send it again.');
    if (process.accountNumber !== null) throw alreadyImported(process.accountNumber);
    if (isRepetition(process, scheduled)) return UNCHANGED;
    const version = await this.processes.replace(executor, process.processId, scheduled);
    if (!version)
      throw new PortageError(
        'import_process_in_progress',
        'This account is being processed with another payload. Wait for the outcome and send it again.',
        { domain: 'import_process' },
      );
    return { outcome: 'replaced', version };
  }
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

function isRepetition(process: ImportProcessState, scheduled: ScheduledImport): boolean {
  return ACTIVE_STATUSES.includes(process.status) && process.payloadHash.equals(scheduled.payloadHash);
}

/** Builds the error for an external identifier that another account of the supplier has. */
export function identifierTaken(): PortageError {
  return new PortageError(
    'external_identifier_already_exists',
    'Another account of this supplier has the same external_identifier.',
    { domain: 'import_process' },
  );
}

/** This answer has its own shape: the code is inside `non_field_errors` (contract 4.7). */
function alreadyImported(accountNumber: string): PortageError {
  return new PortageError(
    'account_import_process_already_imported',
    'This account has been imported already.',
    { account_id: accountNumber },
  );
}
