import { Inject, Injectable } from '@nestjs/common';
import { type BatchLimits, Batcher } from '@portage/batching';
import {
  type AccountCreation,
  type AccountCreationResult,
  AccountImportRepository,
  type FailedImport,
  type ProcessVersion,
  type StartedImport,
  type UnstartedReason,
} from '@portage/database';
import { AccountImports } from '../account/ports/account-imports';
import { BATCH_POLICY, type BatchPolicy, buildCommonLimits } from './batch-policy';

/**
 * Coalesces the writes of concurrent jobs into one statement of each kind. If a statement fails, its items are retried
 * one by one, so that each has its own outcome. Failures and missed windows are rare and are not batched.
 */
@Injectable()
export class BatchedAccountImports extends AccountImports {
  private readonly starts: Batcher<ProcessVersion, StartedImport | undefined>;
  private readonly creations: Batcher<AccountCreation, AccountCreationResult>;
  private readonly rehearsals: Batcher<AccountCreation, void>;
  private readonly dryRunSuccesses: Batcher<StartedImport, boolean>;

  constructor(
    private readonly imports: AccountImportRepository,
    @Inject(BATCH_POLICY) policy: BatchPolicy,
  ) {
    super();
    const limits = { ...buildCommonLimits(policy), maxSize: policy.maxWorkerItems };
    const processLimits: BatchLimits<ProcessVersion> = { ...limits, keyOf: ({ processId }) => processId };
    const accountLimits: BatchLimits<AccountCreation> = {
      ...limits,
      keyOf: ({ started }) => started.processId,
      maxWeight: policy.maxAccountParts,
      weightOf: countParts,
    };
    this.starts = new Batcher<ProcessVersion, StartedImport | undefined>(async (jobs) => {
      const started = new Map((await imports.start(jobs)).map((row) => [row.processId, row]));
      return jobs.map(({ processId }) => started.get(processId));
    }, processLimits);
    this.creations = new Batcher<AccountCreation, AccountCreationResult>(
      async (creations) => imports.create(creations),
      accountLimits,
    );
    this.rehearsals = new Batcher<AccountCreation, void>(async (creations) => {
      await imports.rehearse(creations);
      return [];
    }, accountLimits);
    this.dryRunSuccesses = new Batcher<StartedImport, boolean>(async (started) => {
      const succeeded = new Set(await imports.succeedDryRuns(started));
      return started.map(({ processId }) => succeeded.has(processId));
    }, processLimits);
  }

  override async start(job: ProcessVersion): Promise<StartedImport | undefined> {
    return this.starts.add(job);
  }

  override async create(creation: AccountCreation): Promise<AccountCreationResult> {
    return this.creations.add(creation);
  }

  override async rehearse(creation: AccountCreation): Promise<void> {
    return this.rehearsals.add(creation);
  }

  override async succeedDryRun(started: StartedImport): Promise<boolean> {
    return this.dryRunSuccesses.add(started);
  }

  override async fail(failed: FailedImport): Promise<boolean> {
    return this.imports.fail(failed);
  }

  override async cancelMissed(job: ProcessVersion): Promise<boolean> {
    return this.imports.cancelMissed(job);
  }

  override async findReason(job: ProcessVersion): Promise<UnstartedReason> {
    return this.imports.findReason(job);
  }
}

function countParts({ account: { rows } }: AccountCreation): number {
  return Object.values(rows).reduce((count, { length }) => count + length, 0);
}
