import {
  type AccountCreation,
  AccountImportRepository,
  AccountRemovalRepository,
  CorrectionRepository,
  type FailedImport,
  type ProcessVersion,
  StaleImportRepository,
  type StaleProcess,
  type StartedImport,
  type SucceededDryRun,
  type UnstartedReason,
} from '@portage/imports';
import {
  Database,
  DatabaseUnavailable,
  JobProducer,
  Logger,
  Metrics,
  Queues,
  Tracing,
} from '@portage/platform';
import { until } from '@portage/testing';
import type { TestApplication } from '@portage/testing/application';
import type { DataSource } from 'typeorm';
import type { ErasedNumbers } from '../../libs/imports/src/processes/erased-numbers';
import { AcceptCorrections } from '../../libs/imports/src/accounts/accept-corrections';
import type { PendingCorrection } from '../../libs/imports/src/accounts/correction.repository';
import type { FailedRun } from '../../libs/imports/src/accounts/import-outcomes';

const ADD_TIMEOUT_MS = 30_000;

/** What a statement does that is let through. */
type Passage = 'run' | 'unreachable' | 'answer-lost' | 'refused';

/** Stops code before each of its statements, until the model takes the step. */
export class Gate {
  private open: ((passage: Passage) => void) | undefined;
  private arrived: () => void = () => undefined;
  private arrival: Promise<void> = Promise.resolve();

  /** Waits at the gate, runs the statement as the model says, and returns its result. */
  async pass<Result>(statement: () => Promise<Result>): Promise<Result> {
    const passage = await new Promise<Passage>((resolve) => {
      this.open = resolve;
      this.arrived();
    });
    if (passage === 'unreachable') throw new DatabaseUnavailable('The model has cut the connection.');
    if (passage === 'refused') throw new Error('The model has broken a constraint.');
    const result = await statement();
    if (passage === 'answer-lost') throw new DatabaseUnavailable('The model has lost the answer.');
    return result;
  }

  /** Lets the statement through, and waits until the code is at its next one or has ended. */
  async let(passage: Passage, end: Promise<unknown>): Promise<void> {
    if (!this.open) throw new Error('No statement waits.');
    const { open } = this;
    this.expectArrival();
    open(passage);
    await this.reachOrEnd(end);
  }

  /** True while a statement waits: the code has not ended. */
  get isWaiting(): boolean {
    return this.open !== undefined;
  }

  /** Call before the code starts. */
  expectArrival(): void {
    this.open = undefined;
    this.arrival = new Promise((resolve) => {
      this.arrived = resolve;
    });
  }

  async reachOrEnd(end: Promise<unknown>): Promise<void> {
    await Promise.race([this.arrival, end.catch(() => undefined)]);
  }
}

/** The real statements of a worker about the account of the model. Those of other accounts of a batch pass freely. */
export class GatedImports extends AccountImportRepository {
  /** A batch was refused because of the account, and so is the account alone. */
  private isRefused = false;

  constructor(
    database: Database,
    private readonly gate: Gate,
    private readonly processId: string,
    /** The real value of the account number sequence of each read or start, in order. */
    private readonly sequence: number[],
    /** The account numbers, by the place of their read or start. */
    private readonly numbers: Map<string, number>,
  ) {
    super(database);
  }

  override async read(versions: readonly ProcessVersion[]): Promise<(StartedImport | undefined)[]> {
    return this.pass(versions, async () => this.note(await super.read(versions)));
  }

  override async start(versions: readonly ProcessVersion[]): Promise<(StartedImport | undefined)[]> {
    return this.pass(versions, async () => this.note(await super.start(versions)));
  }

  override async create(
    creations: readonly AccountCreation[],
  ): ReturnType<AccountImportRepository['create']> {
    for (const { started, account } of creations)
      if (started.processId === this.processId)
        this.numbers.set(account.number, this.sequence.indexOf(started.accountSequence) + 1);
    const versions = creations.map(({ started }) => started);
    if (this.isRefused && this.concerns(versions)) throw new Error('The model has broken a constraint.');
    try {
      return await this.pass(versions, async () => super.create(creations));
    } catch (error) {
      this.isRefused = !(error instanceof DatabaseUnavailable) && creations.length > 1;
      throw error;
    }
  }

  override async dryRun(creations: readonly AccountCreation[]): Promise<void> {
    const versions = creations.map(({ started }) => started);
    return this.pass(versions, async () => super.dryRun(creations));
  }

  override async succeedDryRuns(started: readonly SucceededDryRun[]): Promise<boolean[]> {
    return this.pass(started, async () => super.succeedDryRuns(started));
  }

  override async fail(failures: readonly FailedImport[]): Promise<boolean[]> {
    const versions = failures.map(({ started }) => started);
    return this.pass(versions, async () => super.fail(failures));
  }

  override async cancelMissed(versions: readonly ProcessVersion[]): Promise<boolean[]> {
    return this.pass(versions, async () => super.cancelMissed(versions));
  }

  override async findReasons(versions: readonly ProcessVersion[]): Promise<UnstartedReason[]> {
    return this.pass(versions, async () => super.findReasons(versions));
  }

  private note(found: (StartedImport | undefined)[]): (StartedImport | undefined)[] {
    for (const started of found)
      if (started?.processId === this.processId) this.sequence.push(started.accountSequence);
    return found;
  }

  private async pass<Result>(
    versions: readonly Pick<ProcessVersion, 'processId'>[],
    statement: () => Promise<Result>,
  ): Promise<Result> {
    return this.concerns(versions) ? this.gate.pass(statement) : statement();
  }

  private concerns(versions: readonly Pick<ProcessVersion, 'processId'>[]): boolean {
    return versions.some(({ processId }) => processId === this.processId);
  }
}

/** The real statements of a worker about corrections. Only the account of the model has any. */
export class GatedCorrections extends CorrectionRepository {
  constructor(
    database: Database,
    private readonly gate: Gate,
    private readonly processId: string,
  ) {
    super(database);
  }

  override async read(
    versions: readonly ProcessVersion[],
    isFirstRun: boolean,
  ): Promise<(PendingCorrection | undefined)[]> {
    const isOther = versions.every(({ processId }) => processId !== this.processId);
    if (isOther) return super.read(versions, isFirstRun);
    return this.gate.pass(async () => super.read(versions, isFirstRun));
  }

  override async fail(failed: readonly FailedRun<ProcessVersion>[]): Promise<boolean[]> {
    return this.gate.pass(async () => super.fail(failed));
  }
}

/** Stops code before each of its transactions. */
export class GatedDatabase extends Database {
  constructor(
    dataSource: DataSource,
    private readonly gate: Gate,
  ) {
    super(dataSource);
  }

  override async transaction<T>(work: Parameters<Database['transaction']>[0]): Promise<T> {
    return this.gate.pass(async () => super.transaction(work) as Promise<T>);
  }
}

/** Stops a request between its decision and its write. */
export class GatedAcceptCorrections extends AcceptCorrections {
  constructor(
    corrections: CorrectionRepository,
    erasedNumbers: ErasedNumbers,
    database: Database,
    private readonly gate: Gate,
  ) {
    super(corrections, erasedNumbers, database);
  }

  override async store<Result>(
    ...values: Parameters<typeof AcceptCorrections.prototype.store<Result>>
  ): Promise<Result> {
    return this.gate.pass(async () => super.store(...values));
  }
}

/** Stops a rollback or a take-back between its check and its deletion, in its transaction. */
export class GatedRemoval extends AccountRemovalRepository {
  constructor(private readonly gate: Gate) {
    super();
  }

  override async remove(...values: Parameters<AccountRemovalRepository['remove']>): Promise<void> {
    return this.gate.pass(async () => super.remove(...values));
  }
}

/** Stops the sweeper between its statements and its commands to the queue. The model takes corrections by themselves. */
export class GatedStaleImports extends StaleImportRepository {
  constructor(
    database: Database,
    private readonly gate: Gate,
    private readonly takes: 'imports' | 'corrections',
  ) {
    super(database);
  }

  override async take(milliseconds: number, rows: number): Promise<StaleProcess[]> {
    if (this.takes === 'corrections') return [];
    const taken = [...(await super.takeDue(rows)), ...(await super.take(milliseconds, rows))];
    return this.gate.pass(async () => Promise.resolve(taken));
  }

  override async takeDue(): Promise<StaleProcess[]> {
    return Promise.resolve([]);
  }

  override async takeCorrections(milliseconds: number, rows: number): Promise<StaleProcess[]> {
    if (this.takes === 'imports') return [];
    const taken = await super.takeCorrections(milliseconds, rows);
    return this.gate.pass(async () => Promise.resolve(taken));
  }
}

/** The producer of a worker, which the model stops too. */
export class GatedProducer extends JobProducer {
  constructor(
    test: TestApplication,
    private readonly gate: Gate,
  ) {
    const { app } = test;
    super(app.get(Queues), app.get(Logger), app.get(Metrics), app.get(Tracing));
  }

  override async add(...added: Parameters<JobProducer['add']>): Promise<boolean> {
    return this.gate.pass(async () => {
      await untilAdded(async () => super.add(...added));
      return true;
    });
  }
}

/** Adds a job again: on a busy machine the producer gives up after a second, and the model knows nothing of time. */
export async function untilAdded(add: () => Promise<boolean>): Promise<void> {
  await until(add, 'the job was not added', ADD_TIMEOUT_MS);
}

/** What the step with this name does to the statement that waits. */
export function passageOf(name: string): Passage {
  if (name.endsWith('cannot reach PostgreSQL')) return 'unreachable';
  if (name.endsWith('the answer is lost')) return 'answer-lost';
  return name.endsWith('breaks a constraint') ? 'refused' : 'run';
}
