import { Injectable } from '@nestjs/common';
import { Database, type Executor, translateErrors } from '@portage/platform';
import { In } from 'typeorm';
import { newBatchId } from '../processes/batch-id';
import { ImportProcessPayloadEntity } from '../processes/import-process-payload.entity';
import type {
  ExistingProcess,
  PendingProcess,
  WrittenProcess,
} from '../processes/pending-process.repository';
import { type AccountChanges, findAccountChanges } from '../processes/account-changes';
import { ErasedNumbers, type Reimport } from '../processes/erased-numbers';
import { CorrectionRepository, type NewCorrection } from './correction.repository';

/** An account that was imported, and is sent again with other content. */
interface SentAgain {
  existing: ExistingProcess;
  process: PendingProcess;
}

/** Accepts accounts as corrections of imported ones. */
@Injectable()
export class AcceptCorrections {
  constructor(
    private readonly corrections: CorrectionRepository,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly database: Database,
  ) {}

  /**
   * Compares accounts with what was imported, as both were sent.
   *
   * @returns the changes of each; nothing for one whose imported payload was erased
   */
  async findChanges(
    accounts: readonly SentAgain[],
    { manager }: Executor = this.database,
  ): Promise<Map<PendingProcess, AccountChanges>> {
    if (accounts.length === 0) return new Map();
    const processId = In(accounts.map(({ existing }) => existing.processId));
    const stored = await translateErrors(manager.findBy(ImportProcessPayloadEntity, { processId }));
    const payloads = new Map(stored.map(({ processId: id, payload }) => [id, payload as object]));
    return new Map(
      accounts.flatMap(({ existing, process }) => {
        const before = payloads.get(existing.processId);
        return before
          ? [[process, findAccountChanges(before, JSON.parse(process.payload) as object)] as const]
          : [];
      }),
    );
  }

  /**
   * Stores corrections and what belongs to them in one transaction, in which accounts take the numbers of erased ones.
   *
   * @param work writes the rest, with the corrections that were stored: the others have changed since they were read
   * @returns what `work` returns
   */
  async store<Result>(
    corrections: readonly NewCorrection[],
    reimports: readonly Reimport[],
    work: (executor: Executor, written: (Stored | undefined)[]) => Promise<Result>,
    executor?: Executor,
  ): Promise<Result> {
    const batchId = corrections.length > 1 ? newBatchId() : null;
    const run = async (transaction: Executor) => {
      await this.erasedNumbers.free(reimports, transaction);
      const versions =
        corrections.length > 0 ? await this.corrections.write(corrections, batchId, transaction) : [];
      return work(
        transaction,
        versions.map((version) => version && { kind: 'written', version, batchId }),
      );
    };
    return executor ? run(executor) : this.database.transaction(run);
  }
}

type Stored = Extract<WrittenProcess, { kind: 'written' }>;
