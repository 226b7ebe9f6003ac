import { PortageError } from '@portage/platform';
import { CREATION_MODES, type CreationMode, ImportSuppliers } from '@portage/tenants';
import { account, ACTION_OF, type StatusEvent } from '@portage/testing';
import {
  accountFor,
  scheduleAccount,
  startApplication,
  StoredProcesses,
  type StoredRow,
  type TestApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import fc from 'fast-check';
import { AccountImportRepository, type StartedImport } from '../accounts/account-import.repository';
import {
  ACTIVE_STATUSES,
  endsAtDryRun,
  IMPORT_PROCESS_STATUSES,
  type ImportProcessAction,
  type ImportProcessStatus,
  type NoProcess,
  transition,
} from './status';
import { includesDryRuns, steerableStatuses, STEERING_EVENTS, type SteeringAction } from './steering';
import { ImportAccounts } from '../accounts/import-accounts';
import { SteerImportProcesses } from './steer-import-processes';

/*
 * Random sequences of everything that suppliers, operators and workers can do to one process, run against the
 * application and its database. The pure state machine predicts the result of each step.
 */

let test: TestApplication;
let stored: StoredProcesses;

beforeAll(async () => {
  test = await startApplication('postgres', {}, WITHOUT_CACHES);
  stored = new StoredProcesses(test);
});
afterAll(async () => {
  await test.app.close();
});

const NUMBER = 'the one';
const RESULTS = ['process', 'error', 'succeed-dry-run', 'error-dry-run'] as const;
type Result = (typeof RESULTS)[number];

const EVENT_OF = Object.fromEntries(
  Object.entries(ACTION_OF).map(([event, action]) => [action, event]),
) as Record<ImportProcessAction, StatusEvent>;

/** The expected process. */
class Model {
  status: ImportProcessStatus | NoProcess = 'none';
  version = 0;
  attempt = 0;
  isDryRun = false;
  isReleased = false;
  hasMissedWindow = false;
  payload = '';
  isOngoing = true;
  mode: CreationMode = 'direct';
  readonly events: StatusEvent[] = [];
  /** What workers have read or started and not ended, the latest last, in the same order as in {@link Real}. */
  readonly started: { version: number; attempt: number; status: ImportProcessStatus | NoProcess }[] = [];

  /** Applies the action if the state machine allows it. */
  take(action: ImportProcessAction): boolean {
    const to = transition(this.status, action);
    if (!to) return false;
    this.status = to;
    this.events.push(EVENT_OF[action]);
    return true;
  }

  /** Starts the version that scheduling, releasing and retrying create. */
  newVersion(): void {
    this.version += 1;
    this.attempt = 0;
  }

  schedule(payload: string, isDryRun: boolean): string {
    if (!this.isOngoing) return 'import_supplier_migration_not_ongoing';
    if (this.status === 'PROCESSED') return 'account_import_process_already_imported';
    const isWorkedOn = (ACTIVE_STATUSES as readonly string[]).includes(this.status);
    if (isWorkedOn && this.payload === payload && this.isDryRun === isDryRun) return 'accepted';
    if (!this.take('schedule')) return 'import_process_in_progress';
    this.newVersion();
    Object.assign(this, { payload, isDryRun, isReleased: false, hasMissedWindow: false });
    return 'accepted';
  }

  /** The first run of a job. */
  read(version: number): boolean {
    if (version !== this.version || this.status !== 'PENDING' || this.hasMissedWindow) return false;
    this.started.push({ version, attempt: this.attempt, status: this.status });
    return true;
  }

  /** A repeated run of a job. */
  start(version: number): boolean {
    if (version !== this.version || (this.hasMissedWindow && this.status === 'PENDING')) return false;
    if (!this.take('start')) return false;
    this.attempt += 1;
    this.started.push({ version, attempt: this.attempt, status: this.status });
    return true;
  }

  mayEnd(back: number, result: Result): boolean {
    const run = this.started.at(-1 - back);
    const isAsRead =
      run?.version === this.version && run.attempt === this.attempt && run.status === this.status;
    return isAsRead && transition(this.status, result) !== undefined;
  }

  end(back: number, result: Result): boolean {
    if (!this.mayEnd(back, result)) return false;
    if (this.status === 'PENDING') this.attempt += 1;
    return this.take(result);
  }

  /** Runs a worker's job for the latest version from start to end. */
  work(isFirstRun: boolean): string {
    const missed = this.hasMissedWindow && this.status === 'PENDING';
    if (!(isFirstRun && this.read(this.version)) && !this.start(this.version))
      return missed && this.take('cancel') ? 'cancelled' : 'outdated';
    const isDryRunAhead = this.isDryRun || (this.mode !== 'direct' && !this.isReleased);
    const stays = endsAtDryRun(this, this.mode);
    if (this.isOngoing) this.end(0, stays ? 'succeed-dry-run' : 'process');
    else this.end(0, isDryRunAhead ? 'error-dry-run' : 'error');
    // That run has ended.
    this.started.pop();
    if (!this.isOngoing) return 'errored';
    return stays ? 'dry-run-succeeded' : 'processed';
  }

  maySteer(action: SteeringAction, isBulk: boolean): boolean {
    const from: (ImportProcessStatus | NoProcess)[] = steerableStatuses(action, !isBulk);
    const isHeld = action !== 'cancel' && !this.isOngoing;
    return !isHeld && from.includes(this.status) && (!this.isDryRun || includesDryRuns(action));
  }

  steer(action: SteeringAction, isBulk: boolean): boolean {
    if (!this.maySteer(action, isBulk)) return false;
    this.take(action);
    this.newVersion();
    if (action === 'release') this.isReleased = true;
    if (action !== 'cancel') this.hasMissedWindow = false;
    return true;
  }
}

/** The actual process, by its row, and the attempts that workers have started. */
class Real {
  processId = '0';
  readonly started: StartedImport[] = [];

  async schedule(nickname: string, is_dry_run: boolean): Promise<string> {
    const body = { payload: account(NUMBER, { nickname }), task_params: { is_dry_run } };
    try {
      await scheduleAccount(test, test.caller, body);
      const [row] = await stored.sql<{ id: string }>('SELECT id FROM import_process');
      this.processId = row!.id;
      return 'accepted';
    } catch (error) {
      if (error instanceof PortageError) return error.code;
      throw error;
    }
  }

  async begin(version: number, how: 'read' | 'start'): Promise<boolean> {
    const [started] = await test.app
      .get(AccountImportRepository)
      [how]([{ processId: this.processId, version }]);
    if (started) this.started.push(started);
    return started !== undefined;
  }

  async end(started: StartedImport, result: Result): Promise<boolean> {
    const imports = test.app.get(AccountImportRepository);
    if (result === 'process')
      return (await imports.create([{ started, account: accountFor(started) }]))[0]?.kind === 'created';
    const endStatus = result === 'error' ? 'ERRORED' : 'DRY_RUN_ERRORED';
    const [isStored] =
      result === 'succeed-dry-run'
        ? await imports.succeedDryRuns([started])
        : await imports.fail([{ started, endStatus, code: 'error', detail: 'Words.' }]);
    return isStored!;
  }

  async steer(action: SteeringAction, isBulk: boolean): Promise<boolean> {
    const steering = test.app.get(SteerImportProcesses);
    try {
      if (isBulk) return (await steering.steer(action, { supplier: 'LEGACY' })).steered === 1;
      await steering.steerOne(action, 'LEGACY', NUMBER);
      return true;
    } catch (error) {
      if (error instanceof PortageError) return false;
      throw error;
    }
  }
}

/** The states that were reached, which shows that the sequences are not trivial. */
const reached = new Set<string>();

async function compare(model: Model): Promise<void> {
  reached.add(model.status);
  const { status, version, attempt, isDryRun, isReleased, events } = model;
  const rows = await stored.sql<StoredRow & { events: StatusEvent[]; accounts: string[] }>(
    `SELECT *,
       ARRAY(SELECT event FROM import_process_event WHERE process_id = process.id
             ORDER BY version, attempt, occurred_at) AS events,
       ARRAY(SELECT number FROM account) AS accounts
     FROM import_process process`,
  );
  expect(rows).toHaveLength(1);
  const row = rows[0]!;
  const isErrored = status === 'ERRORED' || status === 'DRY_RUN_ERRORED';
  expect(row).toMatchObject({
    status,
    version,
    attempt,
    events,
    is_dry_run: isDryRun,
    is_released: isReleased,
    latest_event: isErrored ? 'ERRORED' : status === 'PROCESSED' ? 'PROCESSED' : 'CREATED',
    accounts: status === 'PROCESSED' ? [row.account_number] : [],
  });
  expect([row.account_number !== null, row.error_code !== null]).toEqual([status === 'PROCESSED', isErrored]);
  // The events alone are a valid history that ends in the current status.
  const statusByEvents = row.events.reduce<ImportProcessStatus | NoProcess | undefined>(
    (from, event) => from && transition(from, ACTION_OF[event]),
    'none',
  );
  expect(statusByEvents).toBe(status);
}

interface Step extends fc.AsyncCommand<Model, Real> {
  toString(): string;
}

/**
 * A step that must have the same result in the model and in the application, and leave both in the same state.
 *
 * @param changesState true if the step changes anything
 */
function step(
  name: string,
  changesState: (model: Readonly<Model>) => boolean,
  inModel: (model: Model) => unknown,
  inReal: (real: Real, model: Readonly<Model>) => Promise<unknown>,
): Step {
  return {
    check: changesState,
    async run(model, real) {
      // The model is changed after the application, because the step reads the model's state before.
      const outcome = await inReal(real, model);
      expect([name, outcome]).toEqual([name, inModel(model)]);
      await compare(model);
    },
    toString: () => name,
  };
}

/** Runs most steps where the state machine allows them, and a few where it does not, fewest after the last status. */
const withForbiddenSteps = (steps: fc.Arbitrary<Step>) =>
  fc.tuple(steps, fc.nat(23)).map(([taken, chance]) => ({
    ...taken,
    check: (model: Readonly<Model>) =>
      taken.check(model) || chance === 0 || (chance === 1 && model.status !== 'PROCESSED'),
  }));

const posting = fc.tuple(fc.constantFrom('a', 'b'), fc.boolean()).map(([payload, isDryRun]) =>
  step(
    `post ${payload}${isDryRun ? ' as a dry run' : ''}`,
    (model) => model.isOngoing && model.status !== 'PROCESSED',
    (model) => model.schedule(payload, isDryRun),
    async (real) => real.schedule(payload, isDryRun),
  ),
);

const starting = fc.constantFrom(0, 0, 0, 1, 2).map((back) =>
  step(
    back === 0 ? 'start' : `start ${back} versions back`,
    (model) => back === 0 && transition(model.status, 'start') !== undefined,
    (model) => model.start(model.version - back),
    async (real, model) => real.begin(model.version - back, 'start'),
  ),
);

const reading = fc.constantFrom(0, 0, 0, 1).map((back) =>
  step(
    back === 0 ? 'read' : 'read the version before',
    (model) => back === 0 && model.status === 'PENDING',
    (model) => model.read(model.version - back),
    async (real, model) => real.begin(model.version - back, 'read'),
  ),
);

const ending = fc
  .tuple(fc.constantFrom(...RESULTS, ...RESULTS.slice(1)), fc.constantFrom(0, 0, 1, 2))
  .map(([result, back]) =>
    step(
      `${result} by the worker that began ${back} before the last`,
      (model) => model.mayEnd(back, result),
      (model) => model.end(back, result),
      async (real) => {
        const started = real.started.at(-1 - back);
        return started ? real.end(started, result) : false;
      },
    ),
  );

const working = fc.tuple(fc.nat(2), fc.boolean()).map(([chance, isFirstRun]) =>
  step(
    isFirstRun ? 'work in a first run' : 'work',
    (model) =>
      transition(model.status, 'start') !== undefined && (chance === 0 || endsAtDryRun(model, model.mode)),
    (model) => model.work(isFirstRun),
    async (real, model) => {
      const job = { processId: real.processId, version: model.version };
      const [outcome] = await test.app.get(ImportAccounts).import([job], { isFirstRun });
      return outcome!.kind;
    },
  ),
);

const steering = fc
  .tuple(fc.constantFrom(...(Object.keys(STEERING_EVENTS) as SteeringAction[])), fc.boolean())
  .map(([action, isBulk]) =>
    step(
      `${action}${isBulk ? ' all' : ''}`,
      (model) => model.maySteer(action, isBulk),
      (model) => model.steer(action, isBulk),
      async (real) => real.steer(action, isBulk),
    ),
  );

const closing = fc.constant(
  step(
    'the window closes',
    (model) => model.status === 'PENDING' && !model.hasMissedWindow,
    (model) => {
      model.hasMissedWindow = true;
    },
    async () => {
      await stored.sql(`UPDATE import_process SET schedule_window_end = now() - interval '1 second'`);
    },
  ),
);

const pausing = fc.boolean().map((isOngoing) =>
  step(
    isOngoing ? 'resume' : 'pause',
    (model) => model.isOngoing !== isOngoing && model.status !== 'PROCESSED',
    (model) => {
      model.isOngoing = isOngoing;
    },
    async () => {
      await test.app.get(ImportSuppliers).setStatus('LEGACY', isOngoing ? 'Ongoing' : 'Paused');
    },
  ),
);

const changingMode = fc.constantFrom(...CREATION_MODES).map((mode) =>
  step(
    `mode ${mode}`,
    (model) => model.mode !== mode && model.status !== 'PROCESSED',
    (model) => {
      model.mode = mode;
    },
    async () => {
      await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: mode });
    },
  ),
);

it('a process follows the state machine, for all actions of suppliers, operators and workers', async () => {
  const steps = [
    posting,
    working,
    closing,
    pausing,
    changingMode,
    starting,
    starting,
    reading,
    reading,
    ending,
    ending,
    ending,
    ending,
    steering,
    steering,
    steering,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.commands(steps.map(withForbiddenSteps), { maxCommands: 100, size: 'max' }),
      async (commands) => {
        await stored.removeAll();
        await test.app.get(ImportSuppliers).setStatus('LEGACY', 'Ongoing');
        await test.app.get(ImportSuppliers).set('LEGACY', { creationMode: 'direct' });
        const [model, real] = [new Model(), new Real()];
        expect(await real.schedule('a', false)).toBe(model.schedule('a', false));
        await fc.asyncModelRun(() => ({ model, real }), commands);
      },
    ),
    // A failure reports its seed and path, and the shortest failing sequence that was found in time.
    { numRuns: 100, interruptAfterTimeLimit: 15_000 },
  );
  expect([...reached].sort()).toEqual([...IMPORT_PROCESS_STATUSES].sort());
});
