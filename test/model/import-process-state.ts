import {
  ACTIVE_STATUSES,
  type ImportProcessAction,
  type ImportProcessStatus,
  statusesAllowing,
  transition,
} from '@portage/imports';

/** The state of the model of an import, and the changes that its steps are made of. */

/** A part of the real system that is left out. */
export type Mutation =
  | 'attempt in create-accounts'
  | 'version in create-accounts'
  /** As all conditions of `create-accounts`; the breach of the fence itself is not reported, so that its consequence is. */
  | 'fence in create-accounts'
  | 'status in end-imports'
  | 'status in start-imports'
  | 'sweeper'
  | 'removal of failed jobs by the sweeper'
  | 'version in write-corrections'
  | 'version in read-corrections'
  | 'number of the account in a correction'
  | 'status in succeed-corrections'
  | 'status in end-corrections'
  | 'lock of the account before its removal'
  | 'sweeper of corrections'
  | 'additions in obstacles-to-remove-accounts'
  | 'corrections in erase-account'
  | 'erasure in write-corrections';

/** Attempts of a job in the model; the real queue makes five. */
export const MODEL_ATTEMPTS = 2;

export type Payload = 'a' | 'b';

/** The row in `import_process`, with the parts that decide about its import. */
export interface Row {
  status: ImportProcessStatus;
  version: number;
  attempt: number;
  payload: Payload;
  isReleased: boolean;
  /** `batch_id` is set: the job of a batch imports this version. */
  isBatched: boolean;
  /**
   * `ahead`: `schedule_window_start` is in the future. `missed`: `schedule_window_end` is in the past. `none`: no end.
   */
  window: 'none' | 'ahead' | 'open' | 'missed';
  /** `enqueued_at` is longer ago than SWEEP_AFTER_MS, or is the start of a window that has opened. */
  isOverdue: boolean;
  hasError: boolean;
  /** `account_number`, by the value of the sequence that it is derived from. */
  number: number | null;
}

/** A row in `account`, of the payload that its import or its last correction had. */
export interface Account {
  number: number;
  payload: Payload;
  /** The version that has imported it, and with which payload. */
  version: number;
  imported: Payload;
  /** `erased_at` is set, and `payload_hash` of the process is empty. */
  isErased: boolean;
  /** Notes that requests have added. */
  additions: number;
}

/** A row in `import_process_correction`: a version of the process. */
export interface Correction {
  version: number;
  status: 'PENDING' | 'SUCCEEDED' | 'ERRORED' | 'CANCELLED';
  payload: Payload;
  /** The payload of the account that it was compared with. */
  from: Payload;
  /** `enqueued_at` is longer ago than SWEEP_AFTER_MS. */
  isOverdue: boolean;
}

/** A request to correct the account, before its write: what it has read. */
export interface CorrectionRequest {
  version: number;
  payload: Payload;
  from: Payload;
}

/** A job in the queue `account-imports`; a completed one is removed. */
export interface Job {
  /** `batch`, or the version whose own job it is. */
  id: 'batch' | number;
  state: 'waiting' | 'active' | 'failed';
  /** Attempts that have failed. */
  failures: number;
  /** True once the queue has given the job to another worker, because its lock has expired. */
  isStalled: boolean;
}

/** What a job ends with. `retry`: a transient failure. */
type JobEnd = 'completed' | 'failed' | 'retry';

/** A worker with a job, before its next statement or command. */
export interface Worker {
  job: Job['id'];
  /** False once the lock of the job has expired: the queue has given the job to others, and the worker runs on. */
  hasLock: boolean;
  version: number;
  /** False if the job was run before, so that the process is started. */
  isFirstRun: boolean;
  /** True if a transient failure ends the process, because the queue will not retry. */
  isLastAttempt: boolean;
  at:
    | 'read'
    | 'start'
    | 'read-correction'
    | 'start-correction'
    | 'correct'
    | 'fail-correction'
    | 'cancel-missed'
    | 'find-error'
    | 'dry-run'
    | 'succeed'
    | 'create'
    | 'fail'
    | 'add-own-job'
    | JobEnd;
  /** What `read-imports` or `start-imports` has returned; of a correction, its payload and the number of the account. */
  status: 'PENDING' | 'IN_PROGRESS';
  attempt: number;
  number: number;
  payload: Payload;
  /** By the creation mode that was read with it. */
  isDryRun: boolean;
}

/** Events that may still occur while states are explored. */
export interface Budget {
  posts: number;
  cancels: number;
  releases: number;
  retries: number;
  rollbacks: number;
  /** Requests to correct the account. */
  corrections: number;
  /** Requests to take the account back. */
  takeBacks: number;
  /** Requests to add a note to the account. */
  additions: number;
  /** Erasures of the account by an operator. */
  erasures: number;
  /** Crashes of workers, and jobs that end as failed although nothing was stored. */
  crashes: number;
  /** Locks of jobs that expire while their worker runs on. */
  expiries: number;
  /** Statements that fail, or whose answer is lost. */
  failures: number;
  /** Accounts that the database refuses, for example because of a constraint. */
  refusals: number;
  /** Times that the queue loses all jobs, or a job is not added. */
  losses: number;
  /** Times that SWEEP_AFTER_MS passes. */
  delays: number;
  /** Times that the supplier is paused or reopened, or gets another creation mode. */
  settings: number;
}

export interface State {
  /** The supplier, as the worker reads it. */
  mode: 'direct' | 'staged';
  isPaused: boolean;
  row: Row | null;
  accounts: readonly Account[];
  /** In the order of their versions. */
  corrections: readonly Correction[];
  requests: readonly CorrectionRequest[];
  /** The transaction that has locked the account, found nothing against its removal, and is to delete it. */
  removal: 'take back' | 'roll back' | null;
  jobs: readonly Job[];
  workers: readonly (Worker | null)[];
  /** Jobs that API or operator have yet to add, after their commit. */
  pending: readonly Job['id'][];
  /** What `take-unfinished-import-processes` or `take-unfinished-corrections` has returned to the sweeper. */
  sweep: { version: number; isBatched: boolean } | null;
  /** The last value of `account_number_sequence`. */
  sequence: number;
  /** The version that the last cancellation, rollback or take-back has created. */
  cancelledVersion: number;
  /** The statement that wrote last broke a rule. */
  breach: string | null;
  left: Budget;
}

export const NO_BUDGET: Budget = {
  posts: 0,
  cancels: 0,
  releases: 0,
  retries: 0,
  rollbacks: 0,
  corrections: 0,
  takeBacks: 0,
  additions: 0,
  erasures: 0,
  crashes: 0,
  expiries: 0,
  failures: 0,
  refusals: 0,
  losses: 0,
  delays: 0,
  settings: 0,
};

export function sorted(keys: string[]): string {
  return keys.length < 2 ? (keys[0] ?? '') : keys.sort().join();
}

export function keyOfWorker(worker: Worker | null): string {
  if (!worker) return '';
  const { job, hasLock, version, isLastAttempt, at, status, attempt, number, payload, isDryRun } = worker;
  const isFirstRun = worker.isFirstRun && at === 'start';
  const fence = `${version}.${attempt}${status}${isDryRun ? 'd' : ''}${isFirstRun ? 'f' : ''}`;
  return `${job}${hasLock ? 'l' : ''}${fence}.${number}${payload}${isLastAttempt ? 'z' : ''}${at}`;
}

/** The statements of a worker, by their names in libs/platform/src/database. */
export const STATEMENTS = {
  read: 'read-imports',
  start: 'start-imports',
  'read-correction': 'read-corrections',
  'start-correction': 'read-corrections, counted',
  correct: 'succeed-corrections and correct-accounts',
  'fail-correction': 'end-corrections',
  'cancel-missed': 'cancelMissed',
  'find-error': 'findReasons',
  'dry-run': 'create-accounts, rolled back',
  succeed: 'end-imports without an error',
  create: 'create-accounts',
  fail: 'end-imports with an error',
} as const;

type StatementName = keyof typeof STATEMENTS;

/** Says where a process, its corrections, its jobs and its workers are, in one line. */
export function describeState({ row, accounts, corrections, jobs, workers }: State): string {
  const process = row
    ? `${row.status} version ${row.version} attempt ${row.attempt} payload ${row.payload}`
    : 'no process';
  const queue = jobs.map(({ id, state }) => `${id}:${state}`).join(' ') || 'none';
  const busy = workers
    .map((worker) => (worker ? `v${worker.version} a${worker.attempt} ${worker.at}` : 'idle'))
    .join(', ');
  const corrected = corrections.map(({ version, payload, status }) => `${version}:${payload}:${status}`);
  const stored = accounts.map(
    ({ number, payload, isErased }) => `${number}:${isErased ? 'erased' : payload}`,
  );
  return `${process}; accounts ${stored.join() || 'none'}; corrections ${corrected.join(' ') || 'none'}; jobs ${queue}; workers ${busy}`;
}

export function isStatement(worker: Worker): worker is Worker & { at: StatementName } {
  return worker.at in STATEMENTS;
}

export function allows({ status }: Row, action: ImportProcessAction): boolean {
  return statusesAllowing(action).includes(status) && transition(status, action) !== undefined;
}

export function isActive({ status }: Row): boolean {
  return ACTIVE_STATUSES.includes(status);
}

export function findPendingCorrection({ corrections }: State): Correction | undefined {
  return corrections.find(({ status }) => status === 'PENDING');
}

export function setCorrection(state: State, correction: Correction): State {
  const { version } = correction;
  return {
    ...state,
    corrections: state.corrections.map((other) => (other.version === version ? correction : other)),
  };
}

export function spend(state: State, kind: keyof Budget): State {
  return { ...state, left: { ...state.left, [kind]: state.left[kind] - 1 } };
}

/** Release and retry: a new version that waits for its job. A window that has opened loses its end. */
export function steerToPending(state: State, row: Row, isRelease: boolean): State {
  const version = row.version + 1;
  const window = row.window === 'ahead' ? 'ahead' : 'none';
  const steered: Row = {
    ...row,
    status: 'PENDING',
    version,
    attempt: 0,
    isReleased: row.isReleased || isRelease,
    isBatched: false,
    window,
    isOverdue: false,
    hasError: false,
  };
  return {
    ...state,
    row: steered,
    pending: window === 'ahead' ? state.pending : [...state.pending, version],
  };
}

/** `remove-accounts`, of a rollback or a take-back */
export function removeAccount(state: State, row: Row): State {
  const version = row.version + 1;
  const cancelled: Row = {
    ...row,
    status: 'CANCELLED',
    version,
    attempt: 0,
    isReleased: false,
    isBatched: false,
    number: null,
  };
  return { ...state, row: cancelled, accounts: [], cancelledVersion: version };
}

/** Adds a job, unless the queue has one with its id, also a failed one. */
export function addJob(state: State, id: Job['id']): State {
  if (state.jobs.some((job) => job.id === id)) return state;
  return { ...state, jobs: [...state.jobs, { id, state: 'waiting', failures: 0, isStalled: false }] };
}

function setJob(state: State, job: Job): State {
  return { ...state, jobs: state.jobs.map((other) => (other.id === job.id ? job : other)) };
}

export function setWorker(state: State, index: number, worker: Worker | null): State {
  return { ...state, workers: state.workers.map((other, at) => (at === index ? worker : other)) };
}

export function take(state: State, index: number, job: Job): State {
  const isFirstRun = job.failures === 0 && !job.isStalled;
  const worker: Worker = {
    job: job.id,
    hasLock: true,
    version: job.id === 'batch' ? 1 : job.id,
    status: 'PENDING',
    at: isFirstRun ? 'read' : 'start',
    // An account of a batch gets a job of its own instead.
    isFirstRun,
    isLastAttempt: job.id !== 'batch' && job.failures + 1 >= MODEL_ATTEMPTS,
    attempt: 0,
    number: 0,
    payload: 'a',
    isDryRun: false,
  };
  return setWorker(setJob(state, { ...job, state: 'active' }), index, worker);
}

export function endJob(state: State, index: number, worker: Worker, end: JobEnd): State {
  const idle = setWorker(state, index, null);
  const job = state.jobs.find(({ id }) => id === worker.job);
  if (!worker.hasLock || !job) return idle;
  if (end === 'completed') return { ...idle, jobs: idle.jobs.filter(({ id }) => id !== worker.job) };
  const failures = job.failures + 1;
  const fails = end === 'failed' || failures >= MODEL_ATTEMPTS;
  return setJob(idle, { ...job, state: fails ? 'failed' : 'waiting', failures });
}

/** A statement fails: the version ends with an error if the queue will not retry, otherwise the job is retried. */
export function failTransiently(state: State, index: number, worker: Worker): State {
  const at = worker.isLastAttempt ? failureOf(worker) : undefined;
  return setWorker(state, index, { ...worker, at: at ?? 'retry' });
}

/**
 * The statement that ends the version after the next statement of its attempt has failed. Undefined for statements outside
 * of the attempt, and for the end of the attempt itself: they fail the job only.
 */
export function failureOf({ at }: Worker): 'fail' | 'fail-correction' | undefined {
  if (at === 'correct') return 'fail-correction';
  return at === 'dry-run' || at === 'succeed' || at === 'create' ? 'fail' : undefined;
}

export function loseJobs(state: State): State {
  const workers = state.workers.map((worker) => worker && { ...worker, hasLock: false });
  return { ...state, jobs: [], workers };
}

export function expire(state: State, index: number, worker: Worker): State {
  const job = state.jobs.find(({ id }) => id === worker.job) as Job;
  const stalled: Job = { ...job, state: 'waiting', isStalled: true };
  return setWorker(setJob(state, stalled), index, { ...worker, hasLock: false });
}

/** The queue gives the job to another worker once the lock has expired, or fails it if that happened too often. */
export function crash(state: State, index: number, worker: Worker, to: 'waiting' | 'failed'): State {
  const idle = setWorker(state, index, null);
  const job = state.jobs.find(({ id }) => id === worker.job);
  return worker.hasLock && job ? setJob(idle, { ...job, state: to, isStalled: true }) : idle;
}
