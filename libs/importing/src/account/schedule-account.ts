import { Inject, Injectable } from '@nestjs/common';
import { Batcher, CohortScheduler } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  Database,
  type Executor,
  identityOf,
  type ImportProcessState,
  ImportProcessRepository,
  type KeyedRequest,
  type ProcessVersion,
  type ScheduledImport,
} from '@portage/database';
import { type Clock, PortageError, scheduleWindow, ACTIVE_STATUSES } from '@portage/domain';
import { Metrics } from '@portage/observability';
import { importAccountJob, JobProducer } from '@portage/queues';
import type { Caller } from '../access/authenticate';
import { fingerprint } from '../idempotency/fingerprint';
import { KeyedRequests } from '../idempotency/keyed-requests';
import { isItemLevelError } from '../item-level-error';
import { CLOCK } from '../clock-token';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';
import { migrationClosedMessage } from '../suppliers/migration-closed-message';
import { supplierCodeOf } from '../suppliers/supplier-code';
import { parseAccountBody, payloadHash } from './account-body';
import { AccountValidation, type StoredRules } from './account-validation';

const PROCESS = { domain: 'import_process' } as const;

interface Scheduling {
  /** Paths of undocumented fields, which are kept but have no effect. */
  ignoredFields: string[];
}

/** What came of a request; replayed is what the same Idempotency-Key was answered before. */
export interface ScheduledAccount extends Scheduling {
  isReplayed: boolean;
}

interface StoredImport {
  created: ProcessVersion | undefined;
  /** What is to be enqueued; undefined where nothing has changed. */
  version: ProcessVersion | undefined;
  isReplayed: boolean;
}

/**
 * Schedules the creation of an account (contract 4.7). When it returns, the process is committed: that is the promise
 * behind the 201. The job is added afterwards; where that fails, the sweeper does it.
 */
@Injectable()
export class ScheduleAccount {
  private readonly inserting: Batcher<ScheduledImport, ProcessVersion | undefined>;
  private readonly groups: CohortScheduler;

  constructor(
    private readonly validation: AccountValidation,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessRepository,
    private readonly database: Database,
    private readonly keyed: KeyedRequests,
    private readonly jobs: JobProducer,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.inserting = new Batcher<ScheduledImport, ProcessVersion | undefined>(
      async (scheduled) => this.processes.insert(scheduled),
      {
        maxSize: config.INSERT_BATCH_ROWS,
        maxConcurrent: config.BATCHES_AT_ONCE,
        slowAfterMs: config.BATCH_SLOW_AFTER_MS,
        maxWeight: config.INSERT_BATCH_BYTES,
        weightOf: ({ payload }) => payload.length,
        keyOf: identityOf,
        retryIndividually: isItemLevelError,
      },
    );
    this.groups = new CohortScheduler({
      maxSize: config.INSERT_BATCH_ROWS,
      slowAfterMs: config.BATCH_SLOW_AFTER_MS,
    });
  }

  /**
   * Safe to repeat: the same body while the process is queued or running changes nothing, also when the start of its
   * window has passed in between.
   *
   * @param body the bare account, or `{ payload, task_params }`
   * @param idempotencyKey under which the same body is answered as the first time, also when its account exists by now
   * @throws PortageError with the codes of contract 4.7 and DESIGN 1; `idempotency_key_reused`
   */
  async schedule(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    body: Record<string, unknown>,
    idempotencyKey?: string,
  ): Promise<ScheduledAccount> {
    return this.groups.run(async () => this.scheduleAmongOthers(caller, body, idempotencyKey));
  }

  private async scheduleAmongOthers(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    body: Record<string, unknown>,
    idempotencyKey?: string,
    storedRules: StoredRules = 'presumed',
  ): Promise<ScheduledAccount> {
    const { organisationId, actor } = caller;
    const keyed = keyedRequest(organisationId, body, idempotencyKey);
    const before = keyed && (await this.keyed.answered<Scheduling>(keyed));
    if (before) return { ...before.answer, isReplayed: true };
    const request = parseAccountBody(body);
    const { payload, taskParams } = request;
    // Not passed over: who asks for a dry run in a wrong form must not get an account.
    if (!taskParams)
      throw new PortageError('import_process_failed_validation', 'task_params must be an object.', PROCESS);
    await this.requireOngoing(organisationId, supplierCodeOf(payload));
    const window = scheduleWindow(taskParams, this.clock.now(), this.config.SCHEDULE_WINDOW_MAX_DAYS);
    // Only the statement that stores many processes looks at the stored accounts as well.
    const isStoredAmongOthers = !keyed && !('code' in window);
    const checked = await this.validation.check(
      organisationId,
      request,
      isStoredAmongOthers ? storedRules : 'asked',
    );
    if (!checked.ok)
      throw new PortageError(
        'import_process_failed_validation',
        'The account data is not valid. Post it to /v2/data-import/accounts/validate/ to see every error.',
        PROCESS,
      );
    const { supplier, account, ignoredFields, preconditions } = checked;
    const payloadText = JSON.stringify(payload);
    const identified = {
      supplierId: supplier.id,
      externalAccountNumber: account.external_account_number,
      payloadHash: payloadHash(payloadText, taskParams),
    };
    if ('code' in window) {
      // By the time that a client repeats a request its window may have opened.
      if (!(await this.processes.isUnderWay(identified)))
        throw new PortageError(window.code, window.detail, PROCESS);
      this.metrics.scheduled.inc({ outcome: 'unchanged' });
      return { ignoredFields, isReplayed: false };
    }
    const scheduled: ScheduledImport = {
      ...identified,
      externalIdentifier: account.external_identifier ?? account.external_account_number,
      isDryRun: isDryRun(taskParams),
      scheduleWindowStart: window.start,
      scheduleWindowEnd: window.end,
      payload: payloadText,
      actor,
      preconditions,
    };
    const stored = await this.store(scheduled, keyed, { ignoredFields });
    // Something stands against it: a process of its own, or what was found.
    if (!stored) return this.scheduleAmongOthers(caller, body, idempotencyKey, 'asked');
    const { created, version, isReplayed } = stored;
    this.metrics.scheduled.inc({ outcome: created ? 'created' : version ? 'replaced' : 'unchanged' });
    if (version) await this.enqueue(version, scheduled, supplier.code);
    return { ignoredFields, isReplayed };
  }

  /**
   * Together with the answer, where the request has a key; else in one statement with those that come at the same
   * time, unless it was posted before. Undefined where it was not stored and it has yet to be asked why.
   */
  private async store(
    scheduled: ScheduledImport,
    keyed: KeyedRequest | undefined,
    answer: Scheduling,
  ): Promise<StoredImport | undefined> {
    try {
      if (!keyed) {
        const created = await this.inserting.add(scheduled);
        if (!created && scheduled.preconditions?.length) return undefined;
        const again = async () => this.database.transaction((executor) => this.decide(executor, scheduled));
        return { created, version: created ?? (await again()), isReplayed: false };
      }
      let stored: Omit<StoredImport, 'isReplayed'> = { created: undefined, version: undefined };
      const { isReplayed } = await this.keyed.run(keyed, async (executor) => {
        const [created] = await this.processes.insert([scheduled], executor);
        stored = { created, version: created ?? (await this.decide(executor, scheduled)) };
        return answer;
      });
      return { ...stored, isReplayed };
    } catch (error) {
      // Another request took the identifier after it had been found free.
      if (error instanceof Error && 'constraint' in error && error.constraint === 'import_process_identifier')
        throw identifierTaken();
      throw error;
    }
  }

  /** Posting an account again (DESIGN 1): what happens depends on where its process stands. */
  private async decide(executor: Executor, scheduled: ScheduledImport): Promise<ProcessVersion | undefined> {
    const { supplierId, externalAccountNumber } = scheduled;
    const process = await this.processes.lock(executor, supplierId, externalAccountNumber);
    if (await this.processes.isIdentifierTaken(executor, scheduled)) throw identifierTaken();
    // Only a concurrent deletion could explain it; the client repeats the request.
    if (!process)
      throw new PortageError('unavailable', 'The account could not be stored just now. Send it again.');
    if (process.accountNumber !== null) throw alreadyImported(process.accountNumber);
    if (isRepetition(process, scheduled)) return undefined;
    const replaced = await this.processes.replace(executor, process.processId, scheduled);
    if (!replaced)
      throw new PortageError(
        'import_process_in_progress',
        'This account is being worked on with another payload. Wait for the outcome and send it again.',
        PROCESS,
      );
    return replaced;
  }

  private async requireOngoing(organisationId: number, code: string | undefined): Promise<void> {
    const supplier = code === undefined ? undefined : await this.suppliers.find(organisationId, code);
    if (supplier && supplier.status !== 'Ongoing')
      throw new PortageError(
        'import_supplier_migration_not_ongoing',
        migrationClosedMessage(supplier.status),
        PROCESS,
      );
  }

  private async enqueue(
    version: ProcessVersion,
    scheduled: ScheduledImport,
    supplier: string,
  ): Promise<void> {
    const { externalAccountNumber, scheduleWindowStart } = scheduled;
    const delay = scheduleWindowStart
      ? Math.max(0, scheduleWindowStart.getTime() - this.clock.now().getTime())
      : 0;
    await this.jobs.add('account-imports', [
      importAccountJob({ ...version, supplier, externalAccountNumber }, delay),
    ]);
  }
}

function keyedRequest(
  organisationId: number,
  body: Record<string, unknown>,
  key: string | undefined,
): KeyedRequest | undefined {
  return key === undefined
    ? undefined
    : { organisationId, key, endpoint: 'accounts', fingerprint: fingerprint('accounts', body) };
}

function isDryRun(taskParams: Record<string, unknown>): boolean {
  const given = taskParams['is_dry_run'] ?? false;
  if (typeof given === 'boolean') return given;
  throw new PortageError(
    'import_process_failed_validation',
    'task_params.is_dry_run must be true or false.',
    PROCESS,
  );
}

function isRepetition(process: ImportProcessState, scheduled: ScheduledImport): boolean {
  return ACTIVE_STATUSES.includes(process.status) && process.payloadHash.equals(scheduled.payloadHash);
}

function identifierTaken(): PortageError {
  return new PortageError(
    'external_identifier_already_exists',
    'Another account of this supplier has the same external_identifier.',
    PROCESS,
  );
}

/** The contract's answer has a shape of its own (4.7): the code stands inside `non_field_errors`. */
function alreadyImported(accountNumber: string): PortageError {
  return new PortageError(
    'account_import_process_already_imported',
    'This account has been imported already.',
    {
      account_id: accountNumber,
    },
  );
}
