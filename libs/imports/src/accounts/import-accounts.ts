import { Inject, Injectable } from '@nestjs/common';
import { type Account, MAX_WARNINGS } from '@portage/account-schema';
import { sortByPayloadOrder } from '@portage/account-schema/service';
import { AccountFollowUps, type CreatedAccount, newAccount } from '@portage/accounts';
import { type Clock, CLOCK, divideBatch, type FieldError, Logger } from '@portage/platform';
import {
  type AccountCreation,
  AccountImportRepository,
  type StartedImport,
} from './account-import.repository';
import type { ProcessVersion } from '../processes/pending-process.repository';
import { endsAtDryRun } from '../processes/status';
import { PerformCorrections } from './perform-corrections';
import { AccountNumbers } from './account-numbers';
import { AccountValidation } from './account-validation';
import type { DatabaseRules } from './database-rules';
import { failureOfValidation, findObstacle, type ImportFailure } from './import-failure';
import { type ImportOutcome, ImportOutcomes, perform } from './import-outcomes';
import { separateSharedValues } from './separate-shared-values';
import { SharedValues } from './shared-values';

/** A version of an import process to import. */
export interface ImportableVersion extends ProcessVersion {
  /** The parent of the spans of the jobs that follow, as a W3C `traceparent`. Default: the active span. */
  traceparent?: string;
}

/** How a batch is imported. */
export interface ImportRun {
  /**
   * True for the first run of a job. The processes are then read, and not started before they end, which saves a write of
   * each. It is safe in every run; only started attempts are counted, though, if their worker dies.
   */
  isFirstRun?: boolean;
  /** True if the queue will not retry, so that a transient failure ends a process too. */
  isLastAttempt?: boolean;
  /** Fields that replace those of each payload. */
  changes?: Readonly<Record<string, unknown>>;
}

/** Parts (customers, transactions ...) of the accounts in one statement. A larger account would delay the others. */
const MAX_ACCOUNT_PARTS = 5_000;

/** An account that was built from its payload, and the rules that decide whether it is created. */
interface Candidate extends AccountCreation {
  rules: DatabaseRules;
  /** As it was read. */
  read: Account;
  warnings: readonly FieldError[];
}

/** Imports batches of import processes: creates their accounts, or makes their dry runs. */
@Injectable()
export class ImportAccounts {
  constructor(
    private readonly imports: AccountImportRepository,
    private readonly accountNumbers: AccountNumbers,
    private readonly validation: AccountValidation,
    private readonly sharedValues: SharedValues,
    private readonly followUps: AccountFollowUps,
    private readonly corrections: PerformCorrections,
    private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Imports a batch with one statement for each step. If one account fails a statement, it fails alone
   * ({@link runBatch}).
   *
   * Safe to repeat and to run concurrently: the result of one run is stored. A run that starts a process prevents the
   * results of those before it, and of runs that have only read a process, the first result counts.
   *
   * @param versions of different processes
   * @returns the outcome of each, in their order; never throws
   */
  async import(
    versions: readonly ImportableVersion[],
    { isFirstRun = false, isLastAttempt = false, changes = {} }: ImportRun = {},
  ): Promise<ImportOutcome[]> {
    const outcomes = new ImportOutcomes<StartedImport>('created', isLastAttempt, this.logger);
    const started = await this.start(versions, { isFirstRun, isLastAttempt }, outcomes);
    const built = await this.build(
      started.map((one) => withChanges(one, changes)),
      outcomes,
    );
    const candidates = await this.keepLawful(await this.compare(built), outcomes);
    const direct = candidates.filter(({ started: one }) => !startsWithDryRun(one));
    const dryRuns = candidates.filter(({ started: one }) => startsWithDryRun(one));
    const passed = await this.dryRun(dryRuns, outcomes);
    const created = await this.create([...direct, ...passed], outcomes);
    await outcomes.storeFailures(async (failed) =>
      this.imports.fail(
        failed.map(({ started: one, failure }) => ({
          started: one,
          endStatus: startsWithDryRun(one) ? 'DRY_RUN_ERRORED' : 'ERRORED',
          ...failure,
        })),
      ),
    );
    await this.enqueueFollowUps(created, versions);
    return versions.map((version) => outcomes.find(version) ?? { kind: 'outdated' });
  }

  /**
   * Starts the processes; in a first run those that are PENDING are read only. Versions that are corrections are performed. The
   * others end.
   */
  private async start(
    versions: readonly ProcessVersion[],
    { isFirstRun, isLastAttempt }: { isFirstRun: boolean; isLastAttempt: boolean },
    outcomes: ImportOutcomes<StartedImport>,
  ): Promise<StartedImport[]> {
    const { interrupt } = outcomes;
    const read = isFirstRun
      ? await perform(versions, async (batch) => this.imports.read(batch), interrupt)
      : versions.map((version): [ProcessVersion, undefined] => [version, undefined]);
    const unread = read.filter(([, found]) => !found).map(([version]) => version);
    const started = await perform(unread, async (batch) => this.imports.start(batch), interrupt);
    const unstarted = started.filter(([, found]) => !found).map(([version]) => version);
    const corrected = await this.corrections.perform(unstarted, { isFirstRun, isLastAttempt });
    const others: ProcessVersion[] = [];
    for (const version of unstarted) {
      const outcome = corrected.find(version);
      if (outcome) outcomes.set(version, outcome);
      else others.push(version);
    }
    await this.endUnstarted(others, outcomes);
    return [...read, ...started].flatMap(([, found]) => found ?? []);
  }

  private async endUnstarted(
    versions: readonly ProcessVersion[],
    outcomes: ImportOutcomes<StartedImport>,
  ): Promise<void> {
    const { interrupt } = outcomes;
    const cancelled = await perform(versions, async (batch) => this.imports.cancelMissed(batch), interrupt);
    for (const [version, isCancelled] of cancelled)
      if (isCancelled) outcomes.set(version, { kind: 'cancelled' });
    const others = cancelled.filter(([, isCancelled]) => !isCancelled).map(([version]) => version);
    const reasons = await perform(others, async (batch) => this.imports.findReasons(batch), interrupt);
    for (const [version, { code, isHeld }] of reasons)
      if (isHeld) outcomes.set(version, { kind: 'held' });
      else outcomes.set(version, { kind: 'outdated', ...(code !== undefined && { code }) });
  }

  /** Reads the payloads by the rules of their suppliers, and builds the rows of the valid ones. */
  private async build(
    started: readonly StartedImport[],
    outcomes: ImportOutcomes<StartedImport>,
  ): Promise<Candidate[]> {
    const built = started.map(async (one) => outcomes.attempt(one, async () => this.buildOne(one)));
    return (await Promise.all(built)).flat();
  }

  private async buildOne(started: StartedImport): Promise<Candidate | ImportFailure> {
    const obstacle = findObstacle(started);
    if (obstacle) return obstacle;
    const read = await this.validation.readAccepted(started);
    if (!read.ok) return failureOfValidation(read.errors);
    const number = await this.accountNumbers.derive(started.accountSequence);
    const account = newAccount(read.account, number, started.supplier, this.clock.now());
    const warnings = await read.findWarnings();
    return { started, account, rules: read.databaseRules, read: read.account, warnings };
  }

  /** Adds the warnings about values that other accounts have as well. */
  private async compare(candidates: readonly Candidate[]): Promise<Candidate[]> {
    const found = await this.sharedValues.findWarnings(
      candidates.map(({ started, read }) => {
        const { supplier, externalAccountNumber } = started;
        const { organisationId, id: supplierId } = supplier;
        return { account: read, scope: { organisationId, supplierId, externalAccountNumber } };
      }),
    );
    return candidates.map((candidate, i) => ({
      ...candidate,
      warnings: mergeWarnings(candidate.warnings, found[i] ?? [], candidate.read),
    }));
  }

  /**
   * Runs the whole creation without its commit.
   *
   * @returns the candidates that are created afterwards, because their supplier has the creation mode `dry-run-first`
   */
  private async dryRun(
    candidates: readonly Candidate[],
    outcomes: ImportOutcomes<StartedImport>,
  ): Promise<Candidate[]> {
    const performed = await this.performInParts(candidates, outcomes, async (part) => {
      await this.imports.dryRun(part);
      return part;
    });
    const passed = performed.map(([candidate]) => candidate);
    const succeeded = await perform(
      passed.filter(({ started }) => endsAtDryRun(started, started.supplier.creationMode)),
      async (batch) =>
        this.imports.succeedDryRuns(batch.map(({ started, warnings }) => ({ ...started, warnings }))),
      ({ started }, error) => {
        outcomes.failWith(started, error);
      },
    );
    for (const [{ started }, isStored] of succeeded)
      outcomes.set(started, { kind: isStored ? 'dry-run-succeeded' : 'outdated' });
    return passed.filter(({ started }) => !endsAtDryRun(started, started.supplier.creationMode));
  }

  /**
   * Creates accounts that break no rule with stored ones. Those that could break one together with another one of the batch
   * are compared with it once it is stored. What concurrent batches could break, the database refuses.
   */
  private async create(
    candidates: readonly Candidate[],
    outcomes: ImportOutcomes<StartedImport>,
  ): Promise<Created[]> {
    if (candidates.length === 0) return [];
    const { first, others } = separateSharedValues(candidates);
    const results = await this.performInParts(first, outcomes, async (part) => this.imports.create(part));
    const created: Created[] = [];
    for (const [{ started }, account] of results) {
      outcomes.set(started, { kind: account ? 'processed' : 'outdated' });
      if (account) created.push([started, account]);
    }
    return [...created, ...(await this.create(await this.keepLawful(others, outcomes), outcomes))];
  }

  /** Looks the values of all candidates up, with one statement, and keeps those that break no rule. The others end. */
  private async keepLawful(
    candidates: readonly Candidate[],
    outcomes: ImportOutcomes<StartedImport>,
  ): Promise<Candidate[]> {
    const kept = candidates.map(async (candidate) =>
      outcomes.attempt(candidate.started, async () => {
        const breaches = await this.validation.findBreaches(candidate.rules);
        return breaches.length === 0 ? candidate : failureOfValidation(breaches);
      }),
    );
    return (await Promise.all(kept)).flat();
  }

  /** Writes candidates in one statement, unless they have so many parts that one would delay the others. */
  private async performInParts<Result>(
    candidates: readonly Candidate[],
    outcomes: ImportOutcomes<StartedImport>,
    statement: (part: readonly Candidate[]) => Promise<readonly Result[]>,
  ): Promise<[Candidate, Result][]> {
    const results: [Candidate, Result][] = [];
    for (const part of divideBatch(candidates, countParts, MAX_ACCOUNT_PARTS)) {
      const performed = await perform(part, statement, ({ started }, error) => {
        outcomes.failWith(started, error);
      });
      for (const result of performed) results.push(result);
    }
    return results;
  }

  private async enqueueFollowUps(
    created: readonly Created[],
    versions: readonly ImportableVersion[],
  ): Promise<void> {
    const traceparents = new Map(versions.map(({ processId, traceparent }) => [processId, traceparent]));
    await this.followUps.enqueue(
      created.map(([started, account]) => {
        const { processId, supplier, externalAccountNumber } = started;
        const { organisationId, code } = supplier;
        const label = { organisationId, supplier: code, externalAccountNumber };
        return { account, label, traceparent: traceparents.get(processId) };
      }),
    );
  }
}

/** An import with the account that it has created. */
type Created = [StartedImport, CreatedAccount];

/** All warnings of an account in its order, at most MAX_WARNINGS. */
export function mergeWarnings(
  own: readonly FieldError[],
  shared: readonly FieldError[],
  account: Account,
): readonly FieldError[] {
  return shared.length === 0 ? own : sortByPayloadOrder([...own, ...shared], account).slice(0, MAX_WARNINGS);
}

/** Replaces fields of the payload, which the API has not validated together then. */
function withChanges(started: StartedImport, changes: Readonly<Record<string, unknown>>): StartedImport {
  if (Object.keys(changes).length === 0) return started;
  return { ...started, payload: { ...started.payload, ...changes }, contextDigest: null };
}

function startsWithDryRun({ isDryRun, isReleased, supplier }: StartedImport): boolean {
  return isDryRun || (supplier.creationMode !== 'direct' && !isReleased);
}

function countParts({ account: { rows } }: Candidate): number {
  return Object.values(rows).reduce((count, { length }) => count + length, 0);
}
