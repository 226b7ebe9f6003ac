import type { ImportProcessStatus } from '@portage/imports';
import {
  failCorrection,
  findCorrection,
  performCorrection,
  removalStep,
  requestSteps,
} from './correction-steps';
import type { Model, Step } from './explorer';
import {
  type Account,
  addJob,
  allows,
  type Budget,
  type Correction,
  crash,
  endJob,
  expire,
  failTransiently,
  failureOf,
  findPendingCorrection,
  isActive,
  isStatement,
  type Job,
  keyOfWorker,
  loseJobs,
  type Mutation,
  NO_BUDGET,
  type Payload,
  type Row,
  setCorrection,
  setWorker,
  sorted,
  spend,
  type State,
  STATEMENTS,
  steerToPending,
  take,
  type Worker,
} from './import-process-state';

/*
 * The import of one account and its corrections, with everything that can happen to it at the same time: two workers,
 * the sweeper, the supplier, an operator, lost jobs, crashes and the clock.
 *
 * One step is one statement of PostgreSQL or one command of the queue, because each of them is atomic; everything else
 * may come in between. The name of a step that runs a statement has the name of the statement in libs/platform/src/database. The
 * conformance suite runs the same steps with the real statements and the real queue, and compares the states.
 */

/** Where the import begins, and parts of the real system that a test leaves out to see the model fail. */
export interface ModelOptions {
  /** Of the supplier at the beginning, who is not paused then. */
  mode: 'direct' | 'staged';
  /** The first request is stored together with other accounts. */
  isBatched: boolean;
  /** The first request has a schedule window, which is ahead. Other windows stay open for days. */
  hasWindow: boolean;
  /** The account is imported at the beginning. */
  isImported?: boolean;
  budget: Partial<Budget>;
  without?: Mutation;
}

/** A step, named after its statement, and who takes it. */
export class ImportProcessModel implements Model<State> {
  readonly initial: State;

  constructor(private readonly options: ModelOptions) {
    const empty: State = {
      mode: options.mode,
      isPaused: false,
      row: null,
      accounts: [],
      corrections: [],
      requests: [],
      removal: null,
      jobs: [],
      pending: [],
      workers: [null, null],
      sweep: null,
      sequence: 0,
      cancelledVersion: 0,
      breach: null,
      left: { ...NO_BUDGET, ...options.budget },
    };
    this.initial = options.isImported ? (this.importSteps(empty).at(-1) as Step<State>).next : empty;
  }

  /** The steps of an import that nothing disturbs, from no process to its account. */
  importSteps(state: State): Step<State>[] {
    const steps = this.clientSteps(state).slice(0, 1);
    for (let next = steps[0]?.next; next;) {
      const step: Step<State> | undefined =
        this.fairStep(next) ?? (next.workers.some(Boolean) ? this.workerSteps(next)[0] : undefined);
      if (step) steps.push(step);
      next = step?.next;
    }
    return steps;
  }

  steps(state: State): Step<State>[] {
    return [
      ...this.clientSteps(state),
      ...this.settingSteps(state),
      ...this.workerSteps(state),
      ...this.sweeperSteps(state),
      ...this.queueSteps(state),
      ...this.faultSteps(state),
    ];
  }

  /** Requests of the supplier and commands of an operator. */
  clientSteps(state: State): Step<State>[] {
    const steps: Step<State>[] = [];
    const { row, left, isPaused } = state;
    if (!row) return [{ name: 'post a: insert-scheduled-imports', next: this.insert(state) }];
    if (left.posts > 0)
      for (const payload of ['a', 'b'] as const) {
        const next = this.post(spend(state, 'posts'), row, payload);
        steps.push({ name: `post ${payload}: replace-scheduled-import`, next });
      }
    if (left.cancels > 0 && allows(row, 'cancel'))
      steps.push({ name: 'cancel: steer-import-process', next: this.cancel(spend(state, 'cancels'), row) });
    if (left.releases > 0 && allows(row, 'release') && !isPaused)
      steps.push({
        name: 'release: steer-import-process',
        next: steerToPending(spend(state, 'releases'), row, true),
      });
    if (left.retries > 0 && allows(row, 'retry') && !isPaused)
      steps.push({
        name: 'retry: steer-import-process',
        next: steerToPending(spend(state, 'retries'), row, false),
      });
    return [...steps, ...requestSteps(state, row, this.options.without)];
  }

  /** Changes of the supplier by an operator while its account is imported. */
  settingSteps(state: State): Step<State>[] {
    if (!state.row || state.left.settings === 0) return [];
    const { mode, isPaused } = state;
    const other = mode === 'direct' ? 'staged' : 'direct';
    const spent = spend(state, 'settings');
    return [
      {
        name: `the supplier is ${isPaused ? 'reopened' : 'paused'}`,
        next: { ...spent, isPaused: !isPaused },
      },
      { name: `the supplier becomes ${other}`, next: { ...spent, mode: other } },
    ];
  }

  /** What the worker does by itself: take a job, run the next statement, end the job. */
  workerSteps(state: State): Step<State>[] {
    const steps: Step<State>[] = [];
    const idle = state.workers.indexOf(null);
    if (idle >= 0)
      for (const job of state.jobs)
        if (job.state === 'waiting')
          steps.push({ name: `worker ${idle} takes job ${job.id}`, next: take(state, idle, job) });
    for (const [index, worker] of state.workers.entries())
      if (worker && !this.waitsForAccount(state, worker)) steps.push(this.proceed(state, index, worker));
    return steps;
  }

  sweeperSteps(state: State): Step<State>[] {
    const { row, sweep } = state;
    if (this.options.without === 'sweeper') return [];
    if (sweep) return [{ name: 'sweeper adds missing jobs', next: this.addMissing(state, sweep) }];
    // FOR NO KEY UPDATE SKIP LOCKED: a row that a statement changes at this moment is left out, as if it were later.
    const steps: Step<State>[] = [];
    if (row && isActive(row) && row.isOverdue && !isHeld(state)) {
      const { version, isBatched } = row;
      const next = { ...state, row: { ...row, isOverdue: false }, sweep: { version, isBatched } };
      steps.push({ name: 'sweeper: take-unfinished-import-processes', next });
    }
    const correction = findPendingCorrection(state);
    if (correction?.isOverdue && !state.isPaused && this.options.without !== 'sweeper of corrections') {
      const sweeping = { ...state, sweep: { version: correction.version, isBatched: false } };
      const next = setCorrection(sweeping, { ...correction, isOverdue: false });
      steps.push({ name: 'sweeper: take-unfinished-corrections', next });
    }
    return steps;
  }

  /** The rest of the API's requests. */
  queueSteps(state: State): Step<State>[] {
    const [first, ...pending] = state.pending;
    if (first === undefined) return [];
    return [{ name: `job ${first} is added`, next: addJob({ ...state, pending }, first) }];
  }

  /** What goes wrong, and what the clock does. */
  faultSteps(state: State): Step<State>[] {
    const { row, left, pending } = state;
    const steps: Step<State>[] = [];
    if (row?.window === 'ahead') steps.push(openWindow(state, row));
    if (
      this.options.hasWindow &&
      row?.window === 'open' &&
      (row.status === 'PENDING' || row.status === 'IN_PROGRESS')
    )
      steps.push({ name: 'the window closes', next: { ...state, row: { ...row, window: 'missed' } } });
    const isWaiting =
      (row && isActive(row) && !row.isOverdue && row.window !== 'ahead') ||
      findPendingCorrection(state)?.isOverdue === false;
    if (left.delays > 0 && isWaiting)
      steps.push({ name: 'time passes', next: passTime(spend(state, 'delays')) });
    if (left.losses > 0 && pending.length > 0)
      steps.push({
        name: 'a job is not added',
        next: { ...spend(state, 'losses'), pending: pending.slice(1) },
      });
    if (left.losses > 0 && state.jobs.length > 0)
      steps.push({ name: 'the queue loses all jobs', next: loseJobs(spend(state, 'losses')) });
    for (const [index, worker] of state.workers.entries()) {
      if (!worker) continue;
      if (left.crashes > 0) {
        steps.push({
          name: `worker ${index} crashes`,
          next: crash(spend(state, 'crashes'), index, worker, 'waiting'),
        });
        steps.push({
          name: `worker ${index} crashes and its job fails`,
          next: crash(spend(state, 'crashes'), index, worker, 'failed'),
        });
      }
      if (left.expiries > 0 && worker.hasLock)
        steps.push({
          name: `the lock of worker ${index} expires`,
          next: expire(spend(state, 'expiries'), index, worker),
        });
      if (left.failures > 0 && isStatement(worker)) {
        const spent = spend(state, 'failures');
        steps.push({
          name: `worker ${index} cannot reach PostgreSQL`,
          next: failTransiently(spent, index, worker),
        });
        if (!isReadOnly(worker) && !this.waitsForAccount(state, worker))
          steps.push({
            name: `worker ${index}: ${STATEMENTS[worker.at]}, the answer is lost`,
            next: failTransiently(this.proceed(spent, index, worker).next, index, worker),
          });
      }
      if (left.refusals > 0 && (worker.at === 'create' || worker.at === 'correct')) {
        const at = failureOf(worker) as Worker['at'];
        const next = setWorker(spend(state, 'refusals'), index, { ...worker, at });
        steps.push({ name: `worker ${index}: ${STATEMENTS[worker.at]} breaks a constraint`, next });
      }
    }
    return steps;
  }

  /** The rules that hold in every state and for every step. */
  violation(before: State | undefined, state: State): string | undefined {
    const { row, accounts, breach } = state;
    if (breach !== null) return breach;
    if (accounts.length > 1) return 'The process has created more than one account.';
    if (before?.row && !row) return 'The process is gone.';
    const [account] = accounts;
    if ((row?.status === 'PROCESSED') !== (account !== undefined))
      return 'An account and PROCESSED do not belong together.';
    if (account && account.number !== row?.number)
      return 'The process does not have the number of its account.';
    if (account && account.payload !== row?.payload)
      return 'The account is not of the payload that was accepted last.';
    if (account && account.payload !== expectedPayload(account, state.corrections))
      return 'The account is not of the payload of its import or of its last correction.';
    const corrections = state.corrections.filter(({ status }) => status === 'PENDING');
    if (corrections.length > 1) return 'More than one correction is pending.';
    const [correction] = corrections;
    if (account?.isErased && correction) return 'A correction of an erased account is pending.';
    if (account && correction?.version === row?.version && correction?.from !== account.payload)
      return 'The pending correction was compared with another payload than that of the account.';
    const [earlier] = before?.accounts ?? [];
    if (earlier && account && earlier.number !== account.number)
      return 'The number of the account has changed.';
    if (earlier && earlier.additions > (account?.additions ?? 0) && account?.isErased !== true)
      return 'What was added to the account is lost.';
    if (earlier?.isErased && (account?.isErased !== true || account.payload !== earlier.payload))
      return 'An erased account has changed.';
    if (before?.row && row && row.version < before.row.version) return 'The version went back.';
    if (
      before?.row?.status === 'PROCESSED' &&
      row?.status !== 'PROCESSED' &&
      row?.version === before.row.version
    )
      return 'PROCESSED was left without a rollback.';
    return undefined;
  }

  keyOf({
    mode,
    isPaused,
    row,
    accounts,
    corrections,
    requests,
    removal,
    jobs,
    workers,
    pending,
    sweep,
    sequence,
    cancelledVersion,
    breach,
    left,
  }: State): string {
    const budget = `${left.posts}${left.cancels}${left.releases}${left.retries}${left.rollbacks}${left.crashes}`;
    const faults = `${left.expiries}${left.failures}${left.refusals}${left.losses}${left.delays}${left.settings}`;
    const changes = `${left.corrections}${left.takeBacks}${left.additions}${left.erasures}${removal ?? ''}`;
    let key = `${mode}${isPaused ? 'p' : ''}${budget}${faults}${changes},${sequence},${cancelledVersion},${breach ?? ''}`;
    if (row) {
      // A new version resets `enqueued_at` before it matters again.
      const isOverdue = row.isOverdue && isActive(row);
      key += `;${row.status}${row.version},${row.attempt}${row.payload}${row.window}${row.number ?? ''}`;
      key += `${row.isReleased ? 'r' : ''}${row.isBatched ? 'b' : ''}${isOverdue ? 'o' : ''}${row.hasError ? 'e' : ''}`;
    }
    for (const { number, payload, version, imported, isErased, additions } of accounts)
      key += `;${number}${payload}${version}${imported}${isErased ? 'e' : ''}${additions}`;
    for (const { version, status, payload, from, isOverdue } of corrections)
      key += `;c${version}${status}${payload}${from}${isOverdue && status === 'PENDING' ? 'o' : ''}`;
    if (requests.length > 0)
      key += `;${sorted(requests.map(({ version, payload, from }) => `r${version}${payload}${from}`))}`;
    // Jobs have no order, and the workers are alike.
    key += `;${sorted(jobs.map((job) => `${job.id}${job.state}${job.failures}${job.isStalled ? 's' : ''}`))}`;
    key += `;${sorted(workers.map(keyOfWorker))}`;
    for (const id of pending) key += `;${id}`;
    return sweep ? `${key};s${sweep.version}${sweep.isBatched ? 'b' : ''}` : key;
  }

  /**
   * Workers proceed, jobs are taken, locks of crashed workers expire, transactions end, a pause ends, time passes and the
   * sweeper runs.
   */
  fairStep(state: State): Step<State> | undefined {
    const { row } = state;
    const correction = findPendingCorrection(state);
    if (!row || (!isActive(row) && !correction)) return undefined;
    const step = this.workerSteps(state)[0] ?? this.queueSteps(state)[0] ?? this.sweeperSteps(state)[0];
    if (step) return step;
    if (state.removal) return removalStep(state, row, state.removal);
    if (row.window === 'ahead' && isActive(row)) return openWindow(state, row);
    if (isHeld(state) || (state.isPaused && correction))
      return { name: 'the supplier is reopened', next: { ...state, isPaused: false } };
    return { name: 'time passes', next: passTime(state) };
  }

  /** True if the worker waits for the lock of the account, which a rollback or a take-back has. */
  private waitsForAccount({ removal }: State, { at }: Worker): boolean {
    const { without } = this.options;
    return removal !== null && at === 'correct' && without !== 'lock of the account before its removal';
  }

  /** `insert-scheduled-imports`: only while no process has the account number. */
  private insert(state: State): State {
    const { isBatched, hasWindow } = this.options;
    const row: Row = {
      status: 'PENDING',
      version: 1,
      attempt: 0,
      payload: 'a',
      isReleased: false,
      isBatched,
      window: hasWindow ? 'ahead' : 'open',
      isOverdue: false,
      hasError: false,
      number: null,
    };
    return {
      ...state,
      row,
      pending: hasWindow ? state.pending : [...state.pending, isBatched ? 'batch' : 1],
    };
  }

  /** A request that finds the process: `lock-import-process` and `replace-scheduled-import`, in one transaction. */
  private post(state: State, row: Row, payload: Payload): State {
    const isRepetition = isActive(row) && row.payload === payload;
    if (state.isPaused || row.number !== null || isRepetition || !allows(row, 'schedule')) return state;
    const version = row.version + 1;
    // A request without a window keeps that of a PENDING process, unless it has ended; otherwise it opens at once.
    const window = row.status === 'PENDING' && row.window !== 'missed' ? row.window : 'open';
    return {
      ...state,
      row: {
        ...row,
        status: 'PENDING',
        version,
        attempt: 0,
        payload,
        isReleased: false,
        isBatched: false,
        window,
        isOverdue: false,
        hasError: false,
      },
      pending: window === 'ahead' ? state.pending : [...state.pending, version],
    };
  }

  private cancel(state: State, row: Row): State {
    const version = row.version + 1;
    const cancelled: Row = {
      ...row,
      status: 'CANCELLED',
      version,
      attempt: 0,
      isBatched: false,
      isOverdue: false,
      hasError: false,
    };
    return { ...state, row: cancelled, cancelledVersion: version };
  }

  /** The next statement or command of a worker, as ImportAccounts and AccountImportsProcessor run them. */
  private proceed(state: State, index: number, worker: Worker): Step<State> {
    const { at } = worker;
    const step = (text: string, next: State) => ({ name: `worker ${index}: ${text}`, next });
    const go = (to: Worker['at'], from = state) => setWorker(from, index, { ...worker, at: to });
    const row = state.row as Row;
    const isBatch = worker.job === 'batch';
    switch (at) {
      case 'read':
        return step(STATEMENTS.read, this.read(state, index, worker, row));
      case 'start':
        return step(STATEMENTS.start, this.start(state, index, worker, row));
      case 'read-correction':
      case 'start-correction':
        return step(STATEMENTS[at], findCorrection(state, index, worker, row, this.options.without));
      case 'correct':
        return step(STATEMENTS[at], performCorrection(state, index, worker, row, this.options.without));
      case 'fail-correction':
        return step(STATEMENTS[at], failCorrection(state, index, worker, this.options.without));
      case 'cancel-missed': {
        const isMissed =
          row.version === worker.version && allows(row, 'miss-window') && row.window === 'missed';
        if (!isMissed) return step(STATEMENTS[at], go('find-error'));
        const cancelled = { ...state, row: { ...row, status: 'CANCELLED' as const } };
        return step(STATEMENTS[at], go('completed', cancelled));
      }
      case 'find-error': {
        const hasError = row.version === worker.version && row.hasError;
        return step(STATEMENTS[at], go(hasError ? (isBatch ? 'add-own-job' : 'failed') : 'completed'));
      }
      case 'dry-run':
        return step(STATEMENTS[at], go('succeed'));
      case 'succeed': {
        const isLatest = this.isLatest(row, worker);
        const succeeded = {
          ...state,
          row: { ...row, status: 'DRY_RUN_SUCCEEDED' as const, attempt: countedAttempt(worker) },
        };
        return step(STATEMENTS[at], go('completed', isLatest ? succeeded : state));
      }
      case 'create':
        return step(STATEMENTS[at], go('completed', this.create(state, row, worker)));
      case 'fail':
        return step(STATEMENTS[at], this.fail(state, index, worker, row));
      case 'add-own-job':
        return step('adds a job of its own', go('completed', addJob(state, worker.version)));
      default:
        return step(`ends its job (${at})`, endJob(state, index, worker, at));
    }
  }

  /** `read-imports`: draws a number, and changes nothing. */
  private read(state: State, index: number, worker: Worker, row: Row): State {
    const isPending =
      row.version === worker.version &&
      row.status === 'PENDING' &&
      row.window !== 'missed' &&
      !state.isPaused;
    if (!isPending) return setWorker(state, index, { ...worker, at: 'start' });
    return this.begin(state, index, worker, row);
  }

  /** The worker has what it has read, or started, and goes on with the first write. */
  private begin(state: State, index: number, worker: Worker, row: Row): State {
    const { version, attempt, payload } = row;
    const status = row.status === 'PENDING' ? 'PENDING' : 'IN_PROGRESS';
    const number = state.sequence + 1;
    const isDryRun = state.mode === 'staged' && !row.isReleased;
    const at = isDryRun ? 'dry-run' : 'create';
    const begun: Worker = { ...worker, version, status, attempt, payload, number, isDryRun, at };
    return setWorker({ ...state, sequence: number }, index, begun);
  }

  /** `start-imports` */
  private start(state: State, index: number, worker: Worker, row: Row): State {
    const { without } = this.options;
    const starts =
      row.version === worker.version &&
      (allows(row, 'start') || without === 'status in start-imports') &&
      (row.status === 'IN_PROGRESS' || (row.window !== 'missed' && !state.isPaused));
    if (!starts) {
      const at = worker.isFirstRun ? 'read-correction' : 'start-correction';
      return setWorker(state, index, { ...worker, at });
    }
    const attempt = row.attempt + 1;
    const started: Row = { ...row, status: 'IN_PROGRESS', attempt, isOverdue: false };
    return this.begin({ ...state, row: started }, index, worker, started);
  }

  /** `create-accounts`: writes the account and PROCESSED together, or nothing. */
  private create(state: State, row: Row, worker: Worker): State {
    const { without } = this.options;
    const { number, payload, version, attempt } = worker;
    const hasFence = without !== 'fence in create-accounts';
    const mayCreate =
      (version === row.version || without === 'version in create-accounts') &&
      (attempt === row.attempt || without === 'attempt in create-accounts') &&
      row.status === worker.status;
    if (hasFence && !mayCreate) return state;
    const isCancelled = version <= state.cancelledVersion;
    const isLatest = attempt === row.attempt && version === row.version;
    let { breach } = state;
    if (isCancelled) breach = 'An account was created although its cancellation was answered.';
    else if (!isLatest && hasFence) breach = 'An attempt that is not the latest has stored its result.';
    const processed: Row = { ...row, status: 'PROCESSED', attempt: countedAttempt(worker), number };
    const account = { number, payload, version, imported: payload, isErased: false, additions: 0 };
    return { ...state, row: processed, accounts: [...state.accounts, account], breach };
  }

  /** `end-imports` */
  private fail(state: State, index: number, worker: Worker, row: Row): State {
    const isLatest = this.isLatest(
      row,
      worker,
      this.options.without === 'status in end-imports' ? row.status : worker.status,
    );
    // A result that an attempt could not store is not an error of its job.
    if (!isLatest) return setWorker(state, index, { ...worker, at: 'completed' });
    const status = worker.isDryRun ? 'DRY_RUN_ERRORED' : 'ERRORED';
    const failed: Row = { ...row, status, attempt: countedAttempt(worker), hasError: true };
    const at = worker.job === 'batch' ? 'add-own-job' : 'failed';
    return setWorker({ ...state, row: failed }, index, { ...worker, at });
  }

  private isLatest(row: Row, worker: Worker, status: ImportProcessStatus = worker.status): boolean {
    return row.version === worker.version && row.attempt === worker.attempt && row.status === status;
  }

  /** Adds the job of a process unless it is in the queue. A failed job with its id is removed first. */
  private addMissing(state: State, sweep: { version: number; isBatched: boolean }): State {
    const swept = { ...state, sweep: null };
    const isUnfinished = (id: Job['id']) => state.jobs.some((job) => job.id === id && job.state !== 'failed');
    if (sweep.isBatched && isUnfinished('batch')) return swept;
    if (isUnfinished(sweep.version)) return swept;
    const keepsFailed = this.options.without === 'removal of failed jobs by the sweeper';
    const jobs = keepsFailed ? state.jobs : state.jobs.filter(({ id }) => id !== sweep.version);
    return addJob({ ...swept, jobs }, sweep.version);
  }
}

/** True while the supplier is paused and the process has not begun. */
function isHeld({ isPaused, row }: State): boolean {
  return isPaused && row?.status === 'PENDING';
}

/** The sweeper adds the job. */
function openWindow(state: State, row: Row): Step<State> {
  const next = { ...state, row: { ...row, window: 'open' as const, isOverdue: isActive(row) } };
  return { name: 'the window opens', next };
}

/** `enqueued_at` of what is unfinished becomes longer ago than SWEEP_AFTER_MS. */
function passTime(state: State): State {
  const row = state.row && (isActive(state.row) ? { ...state.row, isOverdue: true } : state.row);
  const correction = findPendingCorrection(state);
  const passed = { ...state, row };
  return correction ? setCorrection(passed, { ...correction, isOverdue: true }) : passed;
}

/** The payload that an account should have by its import and its corrections. */
function expectedPayload({ version, imported }: Account, corrections: readonly Correction[]): Payload {
  const succeeded = corrections.filter((one) => one.status === 'SUCCEEDED' && one.version > version);
  return succeeded.at(-1)?.payload ?? imported;
}

function isReadOnly({ at }: Worker): boolean {
  return at === 'read' || at === 'read-correction' || at === 'find-error' || at === 'dry-run';
}

/** A start counts the attempt of a repeated run, the result that of a first run. */
function countedAttempt({ status, attempt }: Worker): number {
  return status === 'PENDING' ? attempt + 1 : attempt;
}
