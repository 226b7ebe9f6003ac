import { Inject, Injectable } from '@nestjs/common';
import { type BatchLimits, Batcher } from '@portage/batching';
import { CONFIG, type Config } from '@portage/config';
import {
  type AccountCreation,
  AccountImportRepository,
  type CreatedAccount,
  type ProcessVersion,
  type StartedImport,
} from '@portage/database';
import { isItemLevelError } from '../item-level-error';

const processOf = ({ processId }: ProcessVersion) => processId;

/**
 * What a worker does to one process at a time, done in one statement for all that it has in hand. Each gets its own
 * outcome: where a statement fails for one of them, each is tried alone.
 */
@Injectable()
export class ImportBatches {
  private readonly starting: Batcher<ProcessVersion, StartedImport | undefined>;
  private readonly rehearsing: Batcher<AccountCreation, void>;
  private readonly succeeding: Batcher<StartedImport, boolean>;
  private readonly creating: Batcher<AccountCreation, CreatedAccount | undefined>;

  constructor(imports: AccountImportRepository, @Inject(CONFIG) config: Config) {
    const limits = <Item>(process: (item: Item) => ProcessVersion): BatchLimits<Item> => ({
      maxSize: config.WORKER_BATCH_ACCOUNTS,
      maxConcurrent: config.BATCHES_AT_ONCE,
      slowAfterMs: config.BATCH_SLOW_AFTER_MS,
      keyOf: (item) => processOf(process(item)),
      retryIndividually: isItemLevelError,
    });
    const ofProcesses = limits<ProcessVersion>((job) => job);
    const ofAccounts: BatchLimits<AccountCreation> = {
      ...limits<AccountCreation>(({ started }) => started),
      maxWeight: config.WORKER_BATCH_PARTS,
      weightOf: partsOf,
    };
    this.starting = new Batcher<ProcessVersion, StartedImport | undefined>(async (jobs) => {
      const started = new Map((await imports.start(jobs)).map((one) => [one.processId, one]));
      return jobs.map(({ processId }) => started.get(processId));
    }, ofProcesses);
    this.rehearsing = new Batcher<AccountCreation, void>(async (creations) => {
      await imports.rehearse(creations);
      return [];
    }, ofAccounts);
    this.succeeding = new Batcher<StartedImport, boolean>(async (started) => {
      const succeeded = new Set(await imports.succeedDryRuns(started));
      return started.map(({ processId }) => succeeded.has(processId));
    }, ofProcesses);
    this.creating = new Batcher<AccountCreation, CreatedAccount | undefined>(async (creations) => {
      const created = new Map((await imports.create(creations)).map((one) => [one.processId, one]));
      return creations.map(({ started }) => created.get(started.processId));
    }, ofAccounts);
  }

  /** @returns undefined where the job is out of date */
  async start(job: ProcessVersion): Promise<StartedImport | undefined> {
    return this.starting.add(job);
  }

  /** @throws what the database objects to */
  async rehearse(creation: AccountCreation): Promise<void> {
    return this.rehearsing.add(creation);
  }

  /** @returns false where a later attempt has taken the process over */
  async succeedDryRun(started: StartedImport): Promise<boolean> {
    return this.succeeding.add(started);
  }

  /**
   * @returns undefined where a later attempt has taken the process over
   * @throws what the database objects to
   */
  async create(creation: AccountCreation): Promise<CreatedAccount | undefined> {
    return this.creating.add(creation);
  }
}

function partsOf({ account: { rows } }: AccountCreation): number {
  return Object.values(rows).reduce((sum, { length }) => sum + length, 0);
}
