import { Injectable } from '@nestjs/common';
import type { Account } from '@portage/account-schema';
import {
  type AccountCorrection,
  AccountCorrectionRepository,
  AccountFollowUps,
  type CreatedAccount,
  CorrectionRefused,
  isTransient,
  newAccount,
  type NewAccount,
} from '@portage/accounts';
import { Database, type Executor, type FieldError, Logger, rehearse, runBatch } from '@portage/platform';
import { migrationClosedMessage } from '@portage/tenants';
import { AccountValidation } from './account-validation';
import { failureOf, failureOfValidation, type ImportFailure } from './import-failure';
import type { ImportOutcome } from './import-outcomes';
import type { ProcessVersion } from '../processes/pending-process.repository';
import { CorrectionRepository, type PendingCorrection } from './correction.repository';

/** How a batch is performed. */
interface CorrectionRun {
  /** False if the job was run before, so that the run is counted. */
  isFirstRun: boolean;
  /** True if the queue will not retry. */
  isLastAttempt: boolean;
}

/** A correction whose account was built. */
interface Candidate {
  correction: PendingCorrection;
  account: NewAccount;
  read: Account;
  warnings: readonly FieldError[];
}

const GONE = {
  attr: 'external_account_number',
  code: 'account_not_imported',
  detail:
    'The account was taken back, rolled back or erased before the correction. Send it as a new account.',
};

/** Runs of one correction. One that exceeds them probably crashes its workers. */
const MAX_ATTEMPTS = 25;

/** Performs corrections of imported accounts, or rehearses them. */
@Injectable()
export class PerformCorrections {
  constructor(
    private readonly corrections: CorrectionRepository,
    private readonly accounts: AccountCorrectionRepository,
    private readonly validation: AccountValidation,
    private readonly followUps: AccountFollowUps,
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  /**
   * Performs the corrections among versions of processes, all in one transaction. If one cannot be stored, it fails alone, and
   * its account stays as it was.
   *
   * Safe to repeat and to run concurrently: a correction ends once.
   *
   * @returns the outcomes by process; versions that are no pending corrections have none
   */
  async perform(
    versions: readonly ProcessVersion[],
    run: CorrectionRun,
  ): Promise<Map<string, ImportOutcome>> {
    const outcomes = new Map<string, ImportOutcome>();
    const failures: { correction: PendingCorrection; failure: ImportFailure }[] = [];
    const fail = (correction: PendingCorrection, error: unknown) => {
      if (isTransient(error) && !run.isLastAttempt)
        outcomes.set(correction.processId, { kind: 'interrupted', error });
      else {
        const failure =
          error instanceof CorrectionRefused ? failureOfValidation(error.obstacles) : failureOf(error);
        if (failure.code === 'error')
          this.logger.error('An account could not be corrected.', {
            processId: correction.processId,
            version: correction.version,
            error,
          });
        failures.push({ correction, failure });
      }
    };
    const read = await runBatch(versions, async (batch) => this.corrections.read(batch, run.isFirstRun));
    const candidates: Candidate[] = [];
    for (const [index, result] of read.entries()) {
      if (result.status === 'rejected') {
        outcomes.set((versions[index] as ProcessVersion).processId, {
          kind: 'interrupted',
          error: result.reason,
        });
        continue;
      }
      if (!result.value) continue;
      const correction = result.value;
      try {
        const built = await this.build(correction);
        if ('code' in built) failures.push({ correction, failure: built });
        else candidates.push(built);
      } catch (error) {
        fail(correction, error);
      }
    }
    await this.runEach(
      candidates.filter(({ correction }) => !correction.isDryRun),
      async (batch) => this.store(batch),
      (candidate, account) => {
        outcomes.set(candidate.correction.processId, {
          kind: account === undefined ? 'outdated' : 'corrected',
        });
      },
      fail,
    );
    const rehearsed: Candidate[] = [];
    await this.runEach(
      candidates.filter(({ correction }) => correction.isDryRun),
      async (batch) => this.rehearse(batch),
      (candidate) => rehearsed.push(candidate),
      fail,
    );
    await this.runEach(
      rehearsed,
      async (batch) => this.corrections.succeedDryRuns(batch.map(({ correction }) => correction)),
      ({ correction }, isStored) => {
        outcomes.set(correction.processId, { kind: isStored ? 'dry-run-succeeded' : 'outdated' });
      },
      fail,
    );
    const ended = await runBatch(failures, async (batch) => this.corrections.fail(batch));
    for (const [index, result] of ended.entries()) {
      const { correction, failure } = failures[index] as (typeof failures)[number];
      if (result.status === 'rejected')
        outcomes.set(correction.processId, { kind: 'interrupted', error: result.reason });
      else
        outcomes.set(
          correction.processId,
          result.value ? { kind: 'errored', code: failure.code } : { kind: 'outdated' },
        );
    }
    return outcomes;
  }

  /** Reads the payload by the rules of its supplier, and builds the rows that the account is to have. */
  private async build(correction: PendingCorrection): Promise<Candidate | ImportFailure> {
    const { supplier, accountNumber, importedAt } = correction;
    // A paused supplier holds what has not begun.
    if (supplier.status === 'Complete')
      return {
        code: 'import_supplier_migration_not_ongoing',
        detail: migrationClosedMessage(supplier.status),
      };
    if (importedAt === null) return failureOfValidation([GONE]);
    if (correction.attempt > MAX_ATTEMPTS)
      return { code: 'error', detail: `Started ${MAX_ATTEMPTS} times without an outcome.` };
    const read = await this.validation.read(
      correction.payload,
      {
        ...supplier,
        // The API has checked undocumented fields when it accepted the payload.
        rejectUndocumentedFields: false,
        owner: { organisationId: supplier.organisationId, supplierId: supplier.id },
      },
      correction.contextDigest,
    );
    if (!read.ok) return failureOfValidation(read.errors);
    const breaches = await this.validation.findBreaches(read.databaseRules);
    if (breaches.length > 0) return failureOfValidation(breaches);
    // As if it had been imported then: statement periods begin where they did.
    const account = newAccount(read.account, accountNumber, supplier, new Date(importedAt));
    return { correction, account, read: read.account, warnings: await read.findWarnings() };
  }

  /** Corrects accounts, and ends their corrections, in one transaction. Undefined for one that has ended before. */
  private async store(batch: readonly Candidate[]): Promise<(CreatedAccount | undefined)[]> {
    const stored = await this.database.transaction(async (executor) => this.storeAll(executor, batch));
    await this.followUps.enqueue(
      batch.flatMap(({ correction }, index) => {
        const account = stored[index];
        const { supplier, externalAccountNumber } = correction;
        const label = {
          organisationId: supplier.organisationId,
          supplier: supplier.code,
          externalAccountNumber,
        };
        return account ? [{ account, label }] : [];
      }),
    );
    return stored;
  }

  private async storeAll(
    executor: Executor,
    batch: readonly Candidate[],
  ): Promise<(CreatedAccount | undefined)[]> {
    const accounts = await this.accounts.lock(
      executor,
      batch.map(({ correction }) => correction.processId),
    );
    const isEnded = await this.corrections.succeed(
      executor,
      batch.map(({ correction, read, warnings }) => ({
        correction,
        externalIdentifier: identifierOf(read),
        warnings,
      })),
    );
    const corrections: AccountCorrection[] = [];
    for (const [index, { correction, account, read }] of batch.entries()) {
      if (isEnded[index] === false) continue;
      const stored = accounts.get(correction.processId);
      // The process may have another account since the correction was read.
      if (stored?.number !== correction.accountNumber) throw new CorrectionRefused([GONE]);
      corrections.push({ stored, account, externalIdentifier: identifierOf(read) });
    }
    const corrected = (await this.accounts.correct(executor, corrections)).values();
    return isEnded.map((hasEnded) => (hasEnded ? (corrected.next().value as CreatedAccount) : undefined));
  }

  /** Corrects accounts without the commit. */
  private async rehearse(batch: readonly Candidate[]): Promise<true[]> {
    await this.database.transaction(async (executor) =>
      rehearse(executor, async () => this.storeAll(executor, batch)),
    );
    return batch.map(() => true);
  }

  /** Performs a step for all candidates, or for each by itself if it fails because of one. */
  private async runEach<Result>(
    candidates: readonly Candidate[],
    step: (batch: readonly Candidate[]) => Promise<readonly Result[]>,
    onResult: (candidate: Candidate, result: Result) => void,
    onError: (correction: PendingCorrection, error: unknown) => void,
  ): Promise<void> {
    const results = await runBatch(candidates, step);
    for (const [index, result] of results.entries()) {
      const candidate = candidates[index] as Candidate;
      if (result.status === 'fulfilled') onResult(candidate, result.value);
      else onError(candidate.correction, result.reason);
    }
  }
}

function identifierOf({ external_identifier: identifier, external_account_number: number }: Account): string {
  return identifier ?? number;
}
