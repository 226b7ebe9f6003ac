import { Injectable } from '@nestjs/common';
import type { Account } from '@portage/account-schema';
import {
  type AccountCorrection,
  AccountCorrectionRepository,
  AccountFollowUps,
  type CreatedAccount,
  CorrectionRefused,
  newAccount,
  type NewAccount,
} from '@portage/accounts';
import { Database, type Executor, type FieldError, Logger, rehearse } from '@portage/platform';
import { AccountValidation } from './account-validation';
import { failureOfValidation, findObstacle, type ImportFailure } from './import-failure';
import { ImportOutcomes, perform } from './import-outcomes';
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
   * @returns their outcomes; versions that are no pending corrections have none
   */
  async perform(
    versions: readonly ProcessVersion[],
    { isFirstRun, isLastAttempt }: CorrectionRun,
  ): Promise<ImportOutcomes<PendingCorrection>> {
    const outcomes = new ImportOutcomes<PendingCorrection>('corrected', isLastAttempt, this.logger);
    const fail = ({ correction }: Candidate, error: unknown) => {
      outcomes.failWith(correction, error);
    };
    const read = await perform(
      versions,
      async (batch) => this.corrections.read(batch, isFirstRun),
      outcomes.interrupt,
    );
    const built = read
      .flatMap(([, correction]) => correction ?? [])
      .map(async (correction) => outcomes.attempt(correction, async () => this.build(correction)));
    const candidates = (await Promise.all(built)).flat();
    const stored = await perform(
      candidates.filter(({ correction }) => !correction.isDryRun),
      async (batch) => this.store(batch),
      fail,
    );
    for (const [{ correction }, account] of stored)
      outcomes.set(correction, { kind: account ? 'corrected' : 'outdated' });
    const rehearsed = await perform(
      candidates.filter(({ correction }) => correction.isDryRun),
      async (batch) => this.rehearse(batch),
      fail,
    );
    const succeeded = await perform(
      rehearsed.map(([candidate]) => candidate),
      async (batch) => this.corrections.succeedDryRuns(batch.map(({ correction }) => correction)),
      fail,
    );
    for (const [{ correction }, isStored] of succeeded)
      outcomes.set(correction, { kind: isStored ? 'dry-run-succeeded' : 'outdated' });
    await outcomes.storeFailures(async (failed) => this.corrections.fail(failed));
    return outcomes;
  }

  /** Reads the payload by the rules of its supplier, and builds the rows that the account is to have. */
  private async build(correction: PendingCorrection): Promise<Candidate | ImportFailure> {
    const { supplier, accountNumber, importedAt } = correction;
    const obstacle = findObstacle(correction);
    if (obstacle) return obstacle;
    if (importedAt === null) return failureOfValidation([GONE]);
    const read = await this.validation.readAccepted(correction);
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
}

function identifierOf({ external_identifier: identifier, external_account_number: number }: Account): string {
  return identifier ?? number;
}
