import { Inject, Injectable } from '@nestjs/common';
import {
  type BatchedProcess,
  type Clock,
  CLOCK,
  type Executor,
  type FieldError,
  importAccountsJob,
  JobProducer,
  PortageError,
  type RequestTrail,
  runBatch,
} from '@portage/platform';
import {
  type ExistingProcess,
  type ImportedLine,
  PendingProcessRepository,
  type RefusedLine,
} from '../processes/pending-process.repository';
import { ImportMetrics } from '../counts/import-metrics';
import { AcceptCorrections } from './accept-corrections';
import type { AccountRefusal } from './account-refusal';
import type { AcceptedAccount, AcceptingUpload, AccountToAccept, Decision } from './account-to-accept';
import { AccountValidation } from './account-validation';
import {
  buildClosed,
  conclude,
  type Item,
  type Results,
  StatementNames,
  type Write,
  writeOf,
  writeOfLine,
  type Written,
} from './account-writes';

/** The errors of the accounts that break a rule with stored ones. */
type Breaches = Map<Item, readonly FieldError[]>;

/** Accounts that one job imports. */
interface ImportBatch {
  job: AccountToAccept['job'];
  batchId: string;
  processes: BatchedProcess[];
  requests: RequestTrail[];
}

/**
 * How often an account is stored again because other requests change what is stored under its names. Of several that
 * replace the same process, one succeeds in each round.
 */
const MAX_ROUNDS = 20;

/**
 * Accepts accounts as pending processes, for requests and for uploads: one statement compares them with stored accounts,
 * one writes all of them, and one job imports those of a supplier. Those that may exist are looked up before. Further
 * statements write what the first one did not, because processes exist.
 */
@Injectable()
export class AcceptAccounts {
  constructor(
    private readonly processes: PendingProcessRepository,
    private readonly corrections: AcceptCorrections,
    private readonly validation: AccountValidation,
    private readonly jobs: JobProducer,
    private readonly metrics: ImportMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Stores accounts and adds their jobs. When it returns, the accounts are committed; a job that the queue does not
   * accept is added by the sweeper. An item that the database refuses does not affect the others.
   *
   * @param items accounts, and for an upload the lines that are refused or unchanged already. Of several with the
   * same account number or external identifier each is decided about as if the ones before it had been sent earlier.
   * @returns the result of each item, in their order
   */
  async accept(
    items: readonly Item[],
    upload?: AcceptingUpload,
  ): Promise<PromiseSettledResult<AcceptedAccount>[]> {
    const results = await this.store(items, upload);
    await this.addJobs(items, results);
    return results;
  }

  /**
   * As {@link accept}, without the jobs.
   *
   * @param executor the transaction of a request with one account that was compared with stored ones before; the request
   * adds the job after the commit
   */
  async store(
    items: readonly Item[],
    upload?: AcceptingUpload,
    executor?: Executor,
  ): Promise<PromiseSettledResult<AcceptedAccount>[]> {
    const results: Results = new Map();
    const breaches = await this.findBreaches(items, results);
    let writes: Write[] = [];
    // What no statement has written so far.
    let unwritten: Item[] = [];
    const toLookUp: Item[] = [];
    const names = new StatementNames([]);
    for (const item of items) {
      if (results.has(item)) continue;
      const isAccount = 'process' in item;
      const write: Write = isAccount ? { kind: 'process', item, process: item.process } : writeOfLine(item);
      const isFree = names.take(write);
      const isDecided =
        isAccount &&
        (item.refusal !== undefined || item.ifMissing !== undefined || item.isLookedUp || breaches.has(item));
      if (isFree && !isDecided) writes.push(write);
      else (isFree ? toLookUp : unwritten).push(item);
    }
    // Of lines that wait for each other, each round writes one at least.
    const maxRounds = MAX_ROUNDS + unwritten.length;
    if (toLookUp.length > 0) {
      const decided = await this.decide(toLookUp, writes, results, breaches, upload, executor);
      writes = decided.writes;
      unwritten = [...decided.unwritten, ...unwritten];
    }
    for (let round = 1; writes.length + unwritten.length > 0 && round <= maxRounds; round += 1) {
      const outcomes = await runBatch(writes, async (batch) => this.write(batch, upload, executor));
      const failed = outcomes.find(({ status }) => status === 'rejected');
      // A transaction cannot continue after an error.
      if (executor && failed?.status === 'rejected') throw failed.reason;
      const next = writes.flatMap((write, index) =>
        conclude(write, outcomes[index] as PromiseSettledResult<Written>, results),
      );
      ({ writes, unwritten } = await this.decide(
        [...next, ...unwritten],
        [],
        results,
        breaches,
        upload,
        executor,
      ));
    }
    for (const item of [...writes.map((write) => write.item), ...unwritten])
      results.set(item, { status: 'rejected', reason: buildUnavailable() });
    return items.map((item) => results.get(item) as PromiseSettledResult<AcceptedAccount>);
  }

  /** Counts the results of {@link store} and adds the jobs of the accounts, after they were committed. Never throws. */
  async addJobs(
    items: readonly Item[],
    results: readonly PromiseSettledResult<AcceptedAccount>[],
  ): Promise<void> {
    const batches = new Map<string, ImportBatch>();
    for (const [index, result] of results.entries()) {
      const item = items[index] as Item;
      if (result.status === 'rejected' || !('process' in item)) continue;
      const { value } = result;
      if (value.kind !== 'refused')
        this.metrics.scheduled.inc({ outcome: value.kind === 'repeated' ? 'unchanged' : value.kind });
      if (!('version' in value)) continue;
      const { version, process, batchId } = value;
      const { externalAccountNumber } = process;
      // The sweeper adds the job when the schedule window opens. A correction begins at once.
      if (value.kind !== 'correcting' && this.isAhead(process.scheduleWindowStart)) continue;
      const { job, request } = item;
      const key = batchId ?? version.processId;
      const batch = batches.get(key) ?? { job, batchId: key, processes: [], requests: [] };
      batch.processes.push({
        ...version,
        externalAccountNumber,
        ...(request?.traceparent !== undefined && { traceparent: request.traceparent }),
      });
      if (request) batch.requests.push(request);
      batches.set(key, batch);
    }
    if (batches.size === 0) return;
    const jobs = [...batches.values()].map((batch) => this.buildJob(batch));
    await this.jobs.add('account-imports', jobs);
  }

  private isAhead(scheduleWindowStart: string | null): boolean {
    return scheduleWindowStart !== null && new Date(scheduleWindowStart) > this.clock.now();
  }

  private buildJob({ job, batchId, processes, requests }: ImportBatch) {
    const built = importAccountsJob({ ...job, batchId, processes });
    for (const { correlation } of requests) correlation?.recordJob(built.id);
    return built;
  }

  /**
   * Compares accounts with stored ones, all of them with one statement. What fails is its result.
   *
   * @returns the breaches of the accounts that break a rule
   */
  private async findBreaches(items: readonly Item[], results: Results): Promise<Breaches> {
    const found: Breaches = new Map();
    const compared = items.map(async (item) => {
      // One that may only repeat what is stored needs no comparison.
      if (!('process' in item) || item.refusal) return;
      try {
        const breaches = item.breaches ?? (await this.validation.findBreaches(item.rules));
        if (breaches.length > 0) found.set(item, breaches);
      } catch (reason) {
        results.set(item, { status: 'rejected', reason });
      }
    });
    await Promise.all(compared);
    return found;
  }

  /** Performs writes in one statement, or with corrections and numbers of erased accounts in one transaction. */
  private async write(
    writes: readonly Write[],
    upload: AcceptingUpload | undefined,
    executor: Executor | undefined,
  ): Promise<Written[]> {
    const corrections = writes.flatMap((write) => (write.kind === 'correction' ? [write] : []));
    const reimports = writes.flatMap((write) =>
      write.kind === 'process' && write.process.reimports
        ? [{ process: write.process, supplier: write.item.job.supplier }]
        : [],
    );
    if (corrections.length + reimports.length === 0) return this.writeLines(writes, upload, executor);
    return this.corrections.store(
      corrections.map(({ correction }) => correction),
      reimports,
      async (transaction, written) => {
        const versions = new Map(corrections.map((write, index) => [write, written[index]]));
        const others = writes.filter((write) => write.kind !== 'correction' || versions.get(write));
        const results = await this.writeLines(others, upload, transaction);
        // Nothing of the batch is stored then, the corrections neither.
        if (results.some((result) => result?.kind === 'closed')) throw buildClosed();
        const resultOf = new Map<Write, Written>(others.map((write, index) => [write, results[index]]));
        return writes.map((write): Written => {
          const result = resultOf.get(write);
          return write.kind !== 'correction' ? result : (versions.get(write) ?? { kind: 'conflict' });
        });
      },
      executor,
    );
  }

  /** Performs writes in one statement. Corrections have been written: it writes their lines. */
  private async writeLines(
    writes: readonly Write[],
    upload: AcceptingUpload | undefined,
    executor: Executor | undefined,
  ): Promise<Written[]> {
    const processes = writes.flatMap((write) => (write.kind === 'process' ? [write.process] : []));
    if (!upload && processes.length === 0) return writes.map(() => undefined);
    const lines = upload && {
      upload: upload.key,
      refused: writes.flatMap((write) => (write.kind === 'refused' ? [write.line] : [])),
      repeated: writes.flatMap((write) => (write.kind === 'repeated' ? [write.line] : [])),
      imported: writes.flatMap((write) =>
        write.kind === 'imported' || write.kind === 'correction' ? (write.line ?? []) : [],
      ),
    };
    const results = await this.processes.write(processes, lines, executor);
    if (!results) return writes.map(() => ({ kind: 'closed' }));
    const remaining = results.values();
    return writes.map(({ kind }) => (kind === 'process' ? remaining.next().value : undefined));
  }

  /**
   * Decides about what was not written, by what is stored under its names.
   *
   * @param decided what the next statement writes of other items
   * @returns all that the next statement writes, and what has to wait for that; an account in neither has its result
   */
  private async decide(
    unwritten: readonly Item[],
    decided: readonly Write[],
    results: Results,
    breaches: Breaches,
    upload: AcceptingUpload | undefined,
    executor: Executor | undefined,
  ): Promise<{ writes: Write[]; unwritten: Item[] }> {
    const accounts = unwritten.filter((item) => 'process' in item);
    const processes = accounts.map(({ process }) => process);
    const stored = processes.length > 0 ? await this.processes.findExisting(processes, executor) : [];
    const decisions = new Map<Item, { decision: Decision; existing: ExistingProcess | undefined }>();
    for (const [index, account] of accounts.entries()) {
      const { process: existing, isIdentifierTaken = false } = stored[index] ?? {};
      const decision = decideAbout(account, existing, isIdentifierTaken, breaches.get(account));
      decisions.set(account, { decision, existing });
    }
    const changes = await this.corrections.findChanges(
      accounts.flatMap((account) => {
        const { decision, existing } = decisions.get(account) ?? {};
        return decision?.kind === 'correct' && existing ? [{ existing, process: account.process }] : [];
      }),
      executor,
    );
    const names = new StatementNames(decided);
    const writes = [...decided];
    const waiting: Item[] = [];
    for (const item of unwritten) {
      const found = decisions.get(item);
      if (!('process' in item) || !found) {
        const write = writeOfLine(item as RefusedLine | ImportedLine);
        if (names.take(write)) writes.push(write);
        else waiting.push(item);
        continue;
      }
      const { existing } = found;
      const change = changes.get(item.process);
      const decision: Decision =
        found.decision.kind === 'correct' && change?.count === 0 ? { kind: 'unchanged' } : found.decision;
      const write = writeOf(item, decision, existing, change, upload);
      if (write && !names.take(write)) waiting.push(item);
      else {
        if (write) writes.push(write);
        const value = resultOf(decision, existing);
        if (value) results.set(item, { status: 'fulfilled', value });
      }
    }
    return { writes, unwritten: waiting };
  }
}

/** Decides about an account by what is stored under its names, and by the rules that it breaks. */
function decideAbout(
  item: AccountToAccept,
  existing: ExistingProcess | undefined,
  isIdentifierTaken: boolean,
  breaches: readonly FieldError[] | undefined,
): Decision {
  const { process } = item;
  const refuse = (refusal: AccountRefusal): Decision => ({ kind: 'refused', refusal });
  if (!existing && item.ifMissing) return refuse(item.ifMissing);
  const decision: Decision = existing ? item.decide(existing, process) : { kind: 'replace', process };
  if (item.refusal && decision.kind !== 'repeated') return refuse(item.refusal);
  if (decision.kind !== 'replace' && decision.kind !== 'correct') return decision;
  if (breaches) return refuse({ kind: 'invalid', errors: breaches });
  return isIdentifierTaken ? refuse({ kind: 'identifier-taken' }) : decision;
}

/** The result of an account that is decided; undefined while it is to be written. */
function resultOf(decision: Decision, existing: ExistingProcess | undefined): AcceptedAccount | undefined {
  if (decision.kind === 'refused') return decision;
  if (decision.kind === 'replace' || decision.kind === 'correct') return undefined;
  return { kind: decision.kind, ...(existing && { existing }) };
}

function buildUnavailable(): PortageError {
  return new PortageError('unavailable', 'Other requests are changing the same account. Send it again.');
}
