import { AccountCorrectionRepository, AddNotes } from '@portage/accounts';
import {
  CorrectAccount,
  CorrectionRepository,
  ImportAccounts,
  ImportMetrics,
  ImportStatus,
  PendingProcessRepository,
  PerformProcessingRequest,
  SteerImportProcesses,
  SweepImportProcesses,
  TakeBackAccount,
} from '@portage/imports';
import {
  AuditRepository,
  CONFIG,
  type Config,
  Database,
  DatabaseUnavailable,
  importAccountsJob,
  JobProducer,
  Logger,
  Metrics,
  PortageError,
  Queues,
  Tracing,
} from '@portage/platform';
import { ImportSupplierDirectory, ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  scheduleAccount,
  startApplication,
  StoredProcesses,
  type TestApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { type Job, UnrecoverableError, type Worker } from 'bullmq';
import { DataSource } from 'typeorm';
import { AccountImportsProcessor } from '../../apps/worker/src/processors/account-imports.processor';
import { AcceptAccounts } from '../../libs/imports/src/accounts/accept-accounts';
import { AccountNumbers } from '../../libs/imports/src/accounts/account-numbers';
import { AccountValidation } from '../../libs/imports/src/accounts/account-validation';
import { SharedValues } from '../../libs/imports/src/accounts/shared-values';
import { CLOCK } from '../../libs/platform/src/values/clock-token';
import { PerformCorrections } from '../../libs/imports/src/accounts/perform-corrections';
import { AccountFollowUps } from '../../libs/accounts/src/requests/account-follow-ups';
import { ErasedNumbers } from '../../libs/imports/src/processes/erased-numbers';
import { ImportProcessFinder } from '../../libs/imports/src/processes/import-process-finder';
import { obstacleOf } from '../../libs/submissions/src/rollback';
import { ConfiguredWorker, QueueConnection } from '../../libs/platform/src/queues/queue-adapter';
import { queueSettings } from '../../libs/platform/src/queues/job-contract';
import {
  Gate,
  GatedAcceptCorrections,
  GatedCorrections,
  GatedDatabase,
  GatedImports,
  GatedProducer,
  GatedRemoval,
  GatedStaleImports,
  passageOf,
  untilAdded,
} from './gates';
import { ImportProcessModel, type ModelOptions } from './import-process-model';
import { MODEL_ATTEMPTS, type State } from './import-process-state';
import { EraseAccount } from '@portage/submissions';

const QUEUE = 'account-imports';
const SUPPLIER = 'LEGACY';
const TOKEN = 'the model';
/** A submission that has corrected nothing. */
const NO_SUBMISSION = '0';

/** Steps after which jobs may wait that did not before. */
const CHANGES_WAITING = /^sweeper adds|is added$|adds a job/;

/** A worker with a job. */
interface Run {
  job: Job;
  gate: Gate;
  end: Promise<'completed' | 'failed' | 'retry'>;
  hasLock: boolean;
}

/** Code that waits at a gate, or has ended. */
interface Waiting {
  gate: Gate;
  end: Promise<unknown>;
}

/** What may have been erased. */
type WithoutPayload<Of> = Omit<Of, 'payload'> & { payload: string | null };

/** Where an import is, in the terms of the model. */
interface Reading {
  row: WithoutPayload<NonNullable<State['row']>> | null;
  accounts: WithoutPayload<
    Pick<State['accounts'][number], 'number' | 'payload' | 'isErased' | 'additions'>
  >[];
  corrections: (WithoutPayload<Omit<State['corrections'][number], 'from'>> & { from: string | null })[];
  jobs: Record<string, string>;
}

/** The import of one account on a real database and queue, one step of the model at a time. */
export class RealImport {
  private number = '';
  private processId = '0';
  private batchId: string | undefined;
  private walks = 0;
  private runs: (Run | undefined)[] = [];
  private sweep: Waiting | undefined;
  /** Requests to correct the account that are to be written. */
  private requests: Waiting[] = [];
  /** A rollback or take-back that has checked the account. */
  private removal: Waiting | undefined;
  /** Jobs of committed versions that were not added yet. */
  private pending: Parameters<JobProducer['add']>[] = [];
  /** Jobs that the queue would give to a worker: all that it has, taken by this harness. */
  private readonly held = new Map<string, Job>();
  /** The real values of the sequence of account numbers, in the order of the starts, as the model counts them. */
  private sequence: number[] = [];
  private numbers = new Map<string, number>();
  private options: Omit<ModelOptions, 'budget'> = { mode: 'direct', isBatched: false, hasWindow: false };

  private constructor(
    private readonly test: TestApplication,
    private readonly stored: StoredProcesses,
    private readonly worker: Worker<unknown, void>,
    private readonly addJobs: JobProducer['add'],
  ) {}

  static async start(): Promise<RealImport> {
    const test = await startApplication('postgres', {}, WITHOUT_CACHES);
    const { connection } = test.app.get(QueueConnection);
    const worker = new ConfiguredWorker(QUEUE, async () => Promise.resolve(), { connection });
    await worker.waitUntilReady();
    const producer = test.app.get(JobProducer);
    const addJobs = producer.add.bind(producer);
    const real = new RealImport(test, new StoredProcesses(test), worker, addJobs);
    jest.spyOn(producer, 'add').mockImplementation(async (...added) => {
      if (added[0] === QUEUE) real.pending.push(added);
      return Promise.resolve(true);
    });
    return real;
  }

  async close(): Promise<void> {
    await this.test.app.close();
  }

  /** Starts again with no process and an empty queue. */
  async begin(options: Omit<ModelOptions, 'budget'>): Promise<void> {
    this.options = options;
    this.walks += 1;
    this.number = `M-${this.walks}`;
    this.runs = [];
    this.sweep = undefined;
    this.requests = [];
    await this.removal?.gate.let('unreachable', this.removal.end);
    await this.removal?.end;
    this.removal = undefined;
    this.pending = [];
    this.held.clear();
    this.sequence = [];
    this.numbers = new Map();
    this.batchId = undefined;
    await this.stored.removeAll();
    await this.queue().obliterate({ force: true });
    await this.suppliers().set(SUPPLIER, { creationMode: options.mode });
    await this.suppliers().setStatus(SUPPLIER, 'Ongoing');
    if (!options.isImported) return;
    const model = new ImportProcessModel({ ...options, isImported: false, budget: {} });
    let state = model.initial;
    for (const { name, next } of model.importSteps(state)) {
      await this.take(name, state);
      state = next;
    }
  }

  /** Takes a step of the model, by its name. */
  async take(name: string, before: State): Promise<void> {
    const worker = /^(?:the lock of )?worker (\d)/.exec(name)?.[1];
    if (worker !== undefined) await this.takeWorkerStep(name, Number(worker), before);
    else await this.takeOtherStep(name, before);
    if (CHANGES_WAITING.test(name)) await this.holdWaiting();
  }

  /** What the model should say. */
  expected({ row, accounts, corrections, jobs }: State): Reading {
    const isErased = accounts[0]?.isErased ?? false;
    return {
      row: row && {
        ...row,
        payload: isErased ? null : row.payload,
        isOverdue: isActive(row.status) && row.isOverdue,
      },
      accounts: accounts.map(({ number, payload, additions }) => ({
        number,
        payload: isErased ? null : payload,
        isErased,
        additions,
      })),
      corrections: corrections.map((correction) => {
        const isPending = correction.status === 'PENDING';
        const { payload, from, isOverdue } = correction;
        return {
          ...correction,
          payload: isPending ? payload : null,
          from: isErased ? null : from,
          isOverdue: isPending && isOverdue,
        };
      }),
      jobs: Object.fromEntries(
        jobs.map(({ id, state }) => [this.jobIdOf(id), state === 'waiting' ? 'active' : state]),
      ),
    };
  }

  async read(): Promise<Reading> {
    const [row] = await this.stored.sql<NonNullable<Reading['row']> & { accountNumber: string | null }>(
      `SELECT status, version, attempt, payload->'customers'->0->>'given_name' AS payload, is_released AS "isReleased",
         batch_id IS NOT NULL AS "isBatched",
         CASE WHEN schedule_window_end < now() THEN 'missed' WHEN schedule_window_start > now() THEN 'ahead'
           WHEN schedule_window_end IS NOT NULL THEN 'open' ELSE 'none' END AS window,
         status IN ('PENDING', 'IN_PROGRESS') AND (enqueued_at < now() - make_interval(secs => $2 / 1000.0)
           OR status = 'PENDING' AND coalesce(enqueued_at = schedule_window_start, false) AND enqueued_at <= now())
           AS "isOverdue",
         error_code IS NOT NULL AS "hasError", account_number AS "accountNumber"
       FROM import_process LEFT JOIN import_process_payload ON process_id = id WHERE external_account_number = $1`,
      [this.number, this.sweepAfterMs],
    );
    const accounts = await this.stored.sql<Omit<Reading['accounts'][number], 'number'> & { number: string }>(
      `SELECT number, (SELECT given_name FROM customer WHERE account_id = account.id) AS payload,
         erased_at IS NOT NULL AS "isErased",
         (SELECT count(*)::integer FROM note WHERE account_id = account.id AND actor IS NOT NULL) AS additions
       FROM account WHERE external_account_number = $1`,
      [this.number],
    );
    const corrections = await this.stored.sql<Reading['corrections'][number]>(
      `SELECT version, status, payload->'customers'->0->>'given_name' AS payload, changes->0->>'from' AS "from",
         status = 'PENDING' AND enqueued_at < now() - make_interval(secs => $2 / 1000.0) AS "isOverdue"
       FROM import_process_correction WHERE process_id = $1 ORDER BY version`,
      [this.processId, this.sweepAfterMs],
    );
    const jobs = await Promise.all(
      this.jobIds(row?.version ?? 0).map(async (id) => [id, await this.queue().getJobState(id)] as const),
    );
    const { accountNumber = null, ...others } = row ?? {};
    return {
      row: row
        ? { ...(others as NonNullable<Reading['row']>), number: this.modelNumberOf(accountNumber) }
        : null,
      accounts: accounts.map(({ number, ...others }) => ({
        number: this.modelNumberOf(number) ?? NaN,
        ...others,
      })),
      corrections,
      // Completed jobs are kept to be shown, and do nothing more.
      jobs: Object.fromEntries(jobs.filter(([, state]) => state !== 'unknown' && state !== 'completed')),
    };
  }

  private async takeOtherStep(name: string, before: State): Promise<void> {
    const { app } = this.test;
    const job = /^job (\w+) is/.exec(name)?.[1];
    if (name.endsWith('insert-scheduled-imports')) {
      await (this.options.isBatched ? this.insertBatch() : this.post('a', this.options.hasWindow));
      const [row] = await this.stored.sql<{ id: string; batch_id: string | null }>(
        'SELECT id, batch_id FROM import_process WHERE external_account_number = $1',
        [this.number],
      );
      this.processId = row!.id;
      this.batchId = row!.batch_id ?? undefined;
    } else if (name.startsWith('post')) await this.post(name[5] as 'a' | 'b', false);
    else if (/^(cancel|release|retry):/.test(name)) {
      const action = name.split(':', 1)[0] as 'cancel' | 'release' | 'retry';
      await app.get(SteerImportProcesses).steerOne(action, SUPPLIER, this.number);
    } else if (name.startsWith('correct ')) await this.correct(name[8] as 'a' | 'b');
    else if (name.startsWith('request ')) await this.writeCorrection(Number(name[8]));
    else if (name.endsWith(': obstacles-to-remove-accounts')) await this.checkRemoval(name);
    else if (name.endsWith(': remove-accounts')) {
      await this.removal!.gate.let('run', this.removal!.end);
      await this.removal!.end;
      this.removal = undefined;
    } else if (name === 'a note is added') await this.addNote(`Note ${before.left.additions}.`);
    else if (name.startsWith('erase')) await this.erase();
    else if (name.startsWith('the supplier')) await this.changeSupplier(name);
    else if (name.endsWith('is added')) {
      const added = this.pending.shift()!;
      await this.removeCompleted(this.jobIdOf(job === 'batch' ? job : Number(job)));
      await untilAdded(async () => this.addJobs(...added));
    } else if (name === 'a job is not added') this.pending.shift();
    else if (name === 'the queue loses all jobs') {
      await this.queue().obliterate({ force: true });
      this.held.clear();
      for (const run of this.runs) if (run) run.hasLock = false;
    } else if (name.startsWith('sweeper: take'))
      await this.startSweep(name.endsWith('corrections') ? 'corrections' : 'imports');
    else if (name.startsWith('sweeper adds')) {
      await this.sweep!.gate.let('run', this.sweep!.end);
      await this.sweep!.end;
      this.sweep = undefined;
    } else if (before.row) await this.letTimePass(name);
  }

  /**
   * A job may be added late, when that of the sweeper has ended. While the completed job is retained, the addition does
   * nothing, as one that is lost. The model has the case in which the completed job was removed.
   */
  private async removeCompleted(id: string): Promise<void> {
    const job = await this.queue().getJob(id);
    if (await job?.isCompleted()) await job?.remove();
  }

  private async takeWorkerStep(name: string, index: number, before: State): Promise<void> {
    const taken = /takes job (\w+)/.exec(name)?.[1];
    if (taken !== undefined) {
      const id = taken === 'batch' ? taken : Number(taken);
      const taking = before.jobs.find((job) => job.id === id)!;
      this.runs[index] = await this.run(this.held.get(this.jobIdOf(id))!, taking);
      return;
    }
    const run = this.runs[index]!;
    if (name.includes('ends its job')) {
      const end = await run.end;
      expect(name).toContain(`(${end})`);
      await this.endJob(run, end);
      this.runs[index] = undefined;
    } else if (name.includes('crashes')) {
      if (name.endsWith('its job fails')) await this.endJob(run, 'failed');
      this.runs[index] = undefined;
    } else if (name.startsWith('the lock of')) run.hasLock = false;
    else await run.gate.let(passageOf(name), run.end);
  }

  /** Runs the real processor on the real job, up to its first statement. */
  private async run(job: Job, { failures, isStalled }: State['jobs'][number]): Promise<Run> {
    const { app } = this.test;
    const gate = new Gate();
    // The model makes fewer attempts: those of the real job after the first one are skipped.
    job.attemptsMade = failures === 0 ? 0 : queueSettings[QUEUE].attempts - MODEL_ATTEMPTS + failures;
    job.stalledCounter = isStalled ? 1 : 0;
    const importAccounts = new ImportAccounts(
      new GatedImports(app.get(Database), gate, this.processId, this.sequence, this.numbers),
      app.get(AccountNumbers),
      app.get(AccountValidation),
      app.get(SharedValues),
      app.get(AccountFollowUps),
      new PerformCorrections(
        new GatedCorrections(app.get(Database), gate, this.processId),
        app.get(AccountCorrectionRepository),
        app.get(AccountValidation),
        app.get(AccountFollowUps),
        new GatedDatabase(app.get(DataSource), gate),
        app.get(Logger),
      ),
      app.get(Logger),
      app.get(CLOCK),
    );
    const processor = new AccountImportsProcessor(
      importAccounts,
      app.get(Logger),
      app.get(ImportMetrics),
      app.get(Tracing),
      app.get(PerformProcessingRequest),
      new GatedProducer(this.test, gate),
    );
    gate.expectArrival();
    const end = processor.process(job).then(
      () => 'completed' as const,
      (error: unknown) => (error instanceof UnrecoverableError ? 'failed' : 'retry'),
    );
    await gate.reachOrEnd(end);
    return { job, gate, end, hasLock: true };
  }

  private async endJob({ job, hasLock }: Run, end: 'completed' | 'failed' | 'retry'): Promise<void> {
    if (!hasLock) return;
    const isLast = job.attemptsMade + 1 >= queueSettings[QUEUE].attempts;
    if (end === 'completed') await job.moveToCompleted(undefined, TOKEN, false);
    else if (end === 'failed' || isLast)
      await job.moveToFailed(new UnrecoverableError('ended'), TOKEN, false);
    // Otherwise it is retried: this harness holds it still.
    if (end === 'retry' && !isLast) return;
    this.held.delete(job.id!);
  }

  private async startSweep(takes: 'imports' | 'corrections'): Promise<void> {
    const { app } = this.test;
    const gate = new Gate();
    const sweeping = new SweepImportProcesses(
      new GatedStaleImports(app.get(Database), gate, takes),
      app.get(JobProducer),
      app.get(Logger),
      app.get(Metrics),
      app.get<Config>(CONFIG),
    );
    gate.expectArrival();
    const end = sweeping.sweep(() => true);
    await gate.reachOrEnd(end);
    this.sweep = { gate, end };
  }

  private async post(payload: 'a' | 'b', hasWindow: boolean): Promise<void> {
    const at = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const window = { schedule_window_start: at(1), schedule_window_end: at(2) };
    const body = {
      payload: accountNamed(this.number, payload),
      task_params: hasWindow ? window : {},
    };
    await scheduleAccount(this.test, this.test.caller, body).catch((error: unknown) => {
      if (!(error instanceof PortageError)) throw error;
    });
  }

  /** As the accounts of two concurrent requests are stored, the second of which is no part of the model. */
  private async insertBatch(): Promise<void> {
    const scheduled = [this.number, `${this.number}-other`].map((number) =>
      this.stored.scheduled(number, {
        scheduleWindowEnd: new Date(Date.now() + 86_400_000).toISOString(),
        payload: JSON.stringify(accountNamed(number, 'a')),
      }),
    );
    const written = (await this.test.app.get(PendingProcessRepository).write(scheduled)) ?? [];
    const processes = written.map((result, index) => {
      if (result.kind !== 'written') throw new Error('The account exists already.');
      this.batchId = result.batchId!;
      return { ...result.version, externalAccountNumber: scheduled[index]!.externalAccountNumber };
    });
    const { organisationId } = this.test;
    const job = importAccountsJob({ organisationId, supplier: SUPPLIER, batchId: this.batchId!, processes });
    this.pending.push([QUEUE, [job]]);
  }

  private async changeSupplier(name: string): Promise<void> {
    const creationMode = /becomes (direct|staged)$/.exec(name)?.[1] as ModelOptions['mode'] | undefined;
    if (creationMode) await this.suppliers().set(SUPPLIER, { creationMode });
    else await this.suppliers().setStatus(SUPPLIER, name.endsWith('paused') ? 'Paused' : 'Ongoing');
  }

  /** Sends a correction, up to its write. */
  private async correct(payload: 'a' | 'b'): Promise<void> {
    const { app, caller } = this.test;
    const gate = new Gate();
    const corrections = new GatedAcceptCorrections(
      app.get(CorrectionRepository),
      app.get(ErasedNumbers),
      app.get(Database),
      gate,
    );
    const correcting = new CorrectAccount(
      app.get(ImportSupplierDirectory),
      app.get(AccountValidation),
      new AcceptAccounts(
        app.get(PendingProcessRepository),
        corrections,
        app.get(AccountValidation),
        app.get(JobProducer),
        app.get(ImportMetrics),
        app.get(CLOCK),
      ),
      app.get(ImportProcessFinder),
      app.get(Database),
    );
    gate.expectArrival();
    const body = { payload: accountNamed(this.number, payload), task_params: {} };
    const end = ignoreRefusal(
      correcting.correct(caller, SUPPLIER, this.number, { body, ifMatch: undefined }),
    );
    await gate.reachOrEnd(end);
    if (gate.isWaiting) this.requests.push({ gate, end });
    else await end;
  }

  private async writeCorrection(index: number): Promise<void> {
    const { gate, end } = this.requests[index]!;
    await gate.let('run', end);
    // Otherwise the process has changed, and the request has read it again.
    if (gate.isWaiting) return;
    await end;
    this.requests.splice(index, 1);
  }

  /** Begins a take-back or a rollback, up to the deletion of the account. */
  private async checkRemoval(name: string): Promise<void> {
    const gate = new Gate();
    gate.expectArrival();
    const removal = new GatedRemoval(gate);
    const end = ignoreRefusal(name.startsWith('take back') ? this.takeBack(removal) : this.rollBack(removal));
    await gate.reachOrEnd(end);
    if (gate.isWaiting) this.removal = { gate, end };
    else await end;
  }

  private async takeBack(removal: GatedRemoval): Promise<unknown> {
    const { app, caller } = this.test;
    const takeBackAccount = new TakeBackAccount(
      app.get(ImportSupplierDirectory),
      app.get(ImportProcessFinder),
      removal,
      app.get(ImportStatus),
      app.get(Database),
      app.get(AuditRepository),
    );
    return takeBackAccount.takeBack(caller, SUPPLIER, this.number);
  }

  /** As `RollBackSubmission`, of one account. */
  private async rollBack(removal: GatedRemoval): Promise<void> {
    const accounts = await this.stored.sql<{ id: string }>('SELECT id FROM account WHERE process_id = $1', [
      this.processId,
    ]);
    const ids = accounts.map(({ id }) => id);
    await this.test.app.get(Database).transaction(async (executor) => {
      await removal.lock(executor, ids);
      const histories = await removal.histories(executor, ids, NO_SUBMISSION);
      if ([...histories.values()].some((history) => obstacleOf(history) !== undefined)) return;
      await removal.remove(executor, ids, 'ROLLED_BACK', 'operator:model');
    });
  }

  private async addNote(text: string): Promise<void> {
    const { app, caller } = this.test;
    const body = { import_supplier: SUPPLIER, external_account_number: this.number, notes: [{ body: text }] };
    await app.get(AddNotes).add({ ...caller, body });
  }

  private async erase(): Promise<void> {
    const [account] = await this.stored.sql<{ number: string }>(
      'SELECT number FROM account WHERE process_id = $1',
      [this.processId],
    );
    await this.test.app.get(EraseAccount).erase(account!.number, { keepsDocuments: true });
  }

  private async letTimePass(name: string): Promise<void> {
    const changes: Record<string, string> = {
      'the window opens': `schedule_window_start = now() - interval '1 second',
        enqueued_at = now() - interval '1 second'`,
      'the window closes': `schedule_window_start = now() - interval '3 seconds',
        schedule_window_end = now() - interval '1 second',
        enqueued_at = CASE enqueued_at WHEN schedule_window_start THEN now() - interval '3 seconds' ELSE enqueued_at END`,
      'time passes': `enqueued_at = now() - make_interval(secs => ${this.sweepAfterMs / 1_000 + 60})`,
    };
    if (!(name in changes)) throw new Error(`No real step for: ${name}`);
    await this.stored.sql(`UPDATE import_process SET ${changes[name]} WHERE id = $1`, [this.processId]);
    if (name === 'time passes')
      await this.stored.sql(
        `UPDATE import_process_correction SET ${changes[name]} WHERE process_id = $1 AND status = 'PENDING'`,
        [this.processId],
      );
  }

  /** Takes all jobs that wait, as workers would, so that any of them can be given to a worker of the model. */
  private async holdWaiting(): Promise<void> {
    const next = async (): Promise<Job | undefined> => this.worker.getNextJob(TOKEN, { block: false });
    for (let job = await next(); job?.id !== undefined; job = await next()) this.held.set(job.id, job);
  }

  private jobIdOf(id: 'batch' | number): string {
    return id === 'batch' ? `batch-${this.batchId}` : `process-${this.processId}-${id}`;
  }

  private jobIds(version: number): string[] {
    const own = Array.from({ length: version }, (_none, index) => this.jobIdOf(index + 1));
    return this.batchId === undefined ? own : [this.jobIdOf('batch'), ...own];
  }

  /** The model's name of an account number: the place of the start that has drawn it. */
  private modelNumberOf(number: string | null): number | null {
    return number === null ? null : (this.numbers.get(number) ?? NaN);
  }

  private get sweepAfterMs(): number {
    return this.test.app.get<Config>(CONFIG).SWEEP_AFTER_MS;
  }

  private suppliers() {
    return this.test.app.get(ImportSuppliers);
  }

  private queue() {
    return this.test.app.get(Queues).get(QUEUE);
  }
}

function isActive(status: string): boolean {
  return status === 'PENDING' || status === 'IN_PROGRESS';
}

/** The end of a request or a command, which may be refused, or end with the walk. */
async function ignoreRefusal(ending: Promise<unknown>): Promise<void> {
  await ending.catch((error: unknown) => {
    if (!(error instanceof PortageError || error instanceof DatabaseUnavailable)) throw error;
  });
}

/** An account whose payload and rows can be told from those of another payload. */
function accountNamed(number: string, payload: 'a' | 'b'): Record<string, unknown> {
  return account(number, {
    customers: [{ given_name: payload, family_name: 'Aldous', landline: '01212345678' }],
  });
}
