import { Test } from '@nestjs/testing';
import { AccountFollowUps, type AccountLookup } from '@portage/accounts';
import { CLOCK, DatabaseUnavailable, Logger } from '@portage/platform';
import {
  type AccountCreation,
  type AccountCreationResult,
  AccountImportRepository,
  type FailedImport,
  type StartedImport,
  type UnstartedReason,
} from './account-import.repository';
import type { ProcessVersion } from '../processes/pending-process.repository';
import { AccountNumbers } from './account-numbers';
import { AccountValidation } from './account-validation';
import { DatabaseRules } from './database-rules';
import { ImportAccounts } from './import-accounts';

const JOB = { processId: '7', version: 1 };
const OTHER = { processId: '8', version: 1 };
const CREATED = { accountId: '1', documentIds: [], hasWelcomeEmail: false };
const KEY = Buffer.alloc(32, 7);

const started = (version: ProcessVersion, more: Partial<StartedImport> = {}): StartedImport => ({
  ...version,
  status: 'IN_PROGRESS',
  attempt: 1,
  isDryRun: false,
  isReleased: false,
  externalAccountNumber: `N-${version.processId}`,
  externalIdentifier: `N-${version.processId}`,
  payload: { import_supplier: 'LEGACY', external_account_number: `N-${version.processId}` },
  contextDigest: null,
  accountSequence: 0,
  supplier: {
    id: 1,
    code: 'LEGACY',
    status: 'Ongoing',
    region: 'GB',
    timeZone: 'UTC',
    currency: 'GBP',
    sendMigrationEmails: false,
    profile: 'core',
    creationMode: 'direct',
    organisationId: 1,
    ruleSettings: {},
    documentRoot: '',
    verifyDocuments: false,
  },
  ...more,
});

type Versions = readonly ProcessVersion[];

/** Statements whose results the tests set. Each succeeds for every process. */
function fakeStatements() {
  const begin = async (versions: Versions) => Promise.resolve(versions.map((version) => started(version)));
  return {
    read: jest.fn<Promise<(StartedImport | undefined)[]>, [Versions]>(async (versions) =>
      Promise.resolve(versions.map((version) => started(version, { status: 'PENDING', attempt: 0 }))),
    ),
    start: jest.fn<Promise<(StartedImport | undefined)[]>, [Versions]>(begin),
    create: jest.fn<Promise<AccountCreationResult[]>, [readonly AccountCreation[]]>(async (accounts) =>
      Promise.resolve(accounts.map(() => ({ kind: 'created', account: CREATED }))),
    ),
    dryRun: jest.fn<Promise<void>, [readonly AccountCreation[]]>(),
    succeedDryRuns: jest.fn<Promise<boolean[]>, [readonly StartedImport[]]>(),
    fail: jest.fn<Promise<boolean[]>, [readonly FailedImport[]]>(async (failures) =>
      Promise.resolve(failures.map(() => true)),
    ),
    cancelMissed: jest.fn<Promise<boolean[]>, [Versions]>(async (versions) =>
      Promise.resolve(versions.map(() => false)),
    ),
    findReasons: jest.fn<Promise<UnstartedReason[]>, [Versions]>(async (versions) =>
      Promise.resolve(versions.map(() => ({}))),
    ),
    accountNumberKey: jest.fn<Promise<Buffer>, []>().mockResolvedValue(KEY),
  };
}

const LOOKUP: AccountLookup = {
  kind: 'cais-reference',
  scope: { organisationId: 1, supplierId: 1, externalAccountNumber: 'N-1' },
  values: [{ value: 'C-1' }],
};
const BREACH = { attr: 'debt.cais_reference', code: 'cais_reference_already_exists', detail: 'Taken.' };

/** The use case with fake statements. Any finding except `harmless` breaks the database rules. */
async function importing() {
  const statements = fakeStatements();
  const databaseRules = new DatabaseRules([LOOKUP], async (lookups) => {
    const findings = await lookups.find(LOOKUP);
    return findings.some((finding) => finding !== 'harmless') ? [BREACH] : [];
  });
  const validation = {
    read: (account: unknown) => Promise.resolve({ ok: true, account, databaseRules, ignoredFields: [] }),
  };
  const logger = new Logger({ LOG_LEVEL: 'silent' }, { maxDelayMs: 0 });
  const followUps = { enqueue: jest.fn() };
  const module = await Test.createTestingModule({
    providers: [
      ImportAccounts,
      AccountNumbers,
      { provide: AccountImportRepository, useValue: statements },
      { provide: AccountValidation, useValue: validation },
      { provide: AccountFollowUps, useValue: followUps },
      { provide: Logger, useValue: logger },
      { provide: CLOCK, useValue: { now: () => new Date('2026-11-21T12:00:00Z') } },
    ],
  }).compile();
  const failures = jest.spyOn(logger, 'failure');
  return { useCase: module.get(ImportAccounts), statements, followUps, failures };
}

const PROCESSED = { kind: 'processed' };

describe('creating accounts', () => {
  it('reads the key of the account numbers once', async () => {
    const { useCase, statements } = await importing();
    for (let turn = 0; turn < 3; turn += 1)
      expect(await useCase.import([JOB, OTHER])).toEqual([PROCESSED, PROCESSED]);
    expect(statements.accountNumberKey).toHaveBeenCalledTimes(1);
  });

  it('reads the key again if it could not be read', async () => {
    const { useCase, statements } = await importing();
    const error = new DatabaseUnavailable('unreachable');
    statements.accountNumberKey.mockRejectedValueOnce(error);
    expect(await useCase.import([JOB])).toEqual([{ kind: 'interrupted', error }]);
    expect(await useCase.import([JOB])).toEqual([PROCESSED]);
  });

  it('takes one write for a batch, which verifies the lookups of the database rules', async () => {
    const { useCase, statements } = await importing();
    expect(await useCase.import([JOB, OTHER])).toEqual([PROCESSED, PROCESSED]);
    const creation = expect.objectContaining({ preconditions: [LOOKUP] }) as AccountCreation;
    expect(statements.create.mock.calls).toEqual([[[creation, creation]]]);
  });

  it('starts in its first run only what another run has begun with', async () => {
    const { useCase, statements } = await importing();
    statements.read.mockResolvedValue([undefined, started(OTHER, { status: 'PENDING', attempt: 0 })]);
    expect(await useCase.import([JOB, OTHER], { isFirstRun: true })).toEqual([PROCESSED, PROCESSED]);
    expect(statements.start.mock.calls).toEqual([[[JOB]]]);
  });

  it('fails an account if the findings of the write break a database rule', async () => {
    const { useCase, statements } = await importing();
    statements.create.mockResolvedValueOnce([
      { kind: 'findings', findings: [['C-1']] },
      { kind: 'created', account: CREATED },
    ]);
    expect(await useCase.import([JOB, OTHER])).toEqual([{ kind: 'errored', code: BREACH.code }, PROCESSED]);
    expect(statements.create).toHaveBeenCalledTimes(1);
    expect(statements.fail.mock.calls).toEqual([
      [
        [
          {
            started: started(JOB),
            endStatus: 'ERRORED',
            code: BREACH.code,
            detail: `${BREACH.attr}: ${BREACH.detail}`,
          },
        ],
      ],
    ]);
  });

  it('writes an account again without preconditions if its findings break no rule', async () => {
    const { useCase, statements } = await importing();
    statements.create.mockResolvedValueOnce([
      { kind: 'created', account: CREATED },
      { kind: 'findings', findings: [['harmless']] },
    ]);
    expect(await useCase.import([JOB, OTHER])).toEqual([PROCESSED, PROCESSED]);
    const written = statements.create.mock.calls.map(([accounts]) =>
      accounts.map((creation) => [creation.started.processId, creation.preconditions]),
    );
    expect(written).toEqual([
      [
        ['7', [LOOKUP]],
        ['8', [LOOKUP]],
      ],
      [['8', []]],
    ]);
  });

  it('logs an unexpected failure with its process, and stores no detail of it', async () => {
    const error = new TypeError('x is not a function');
    const { useCase, statements, failures } = await importing();
    statements.create.mockRejectedValue(error);
    expect(await useCase.import([JOB])).toEqual([{ kind: 'errored', code: 'error' }]);
    expect(failures.mock.calls).toEqual([[expect.any(String), { ...JOB, error }]]);
    const [[[failed]]] = statements.fail.mock.calls as [[[FailedImport]]];
    expect(failed).toMatchObject({ started: { ...JOB, attempt: 1 }, endStatus: 'ERRORED', code: 'error' });
    expect(failed.detail).not.toContain('function');
  });

  it('fails a process that was started more than 25 times', async () => {
    const { useCase, statements } = await importing();
    statements.start.mockResolvedValueOnce([started(JOB, { attempt: 25 })]);
    expect(await useCase.import([JOB])).toEqual([PROCESSED]);
    statements.create.mockClear();
    statements.start.mockResolvedValueOnce([started(JOB, { attempt: 26 })]);
    expect(await useCase.import([JOB])).toEqual([{ kind: 'errored', code: 'error' }]);
    expect(statements.create).not.toHaveBeenCalled();
  });

  it('is outdated if a later attempt has taken over before the account is created', async () => {
    const { useCase, statements, followUps } = await importing();
    statements.create.mockResolvedValue([{ kind: 'outdated' }]);
    expect(await useCase.import([JOB])).toEqual([{ kind: 'outdated' }]);
    expect(followUps.enqueue).toHaveBeenCalledWith([]);
  });

  it('is outdated if a later attempt has taken over before the failure is stored', async () => {
    const { useCase, statements } = await importing();
    statements.create.mockRejectedValue(new TypeError('x'));
    statements.fail.mockResolvedValue([false]);
    expect(await useCase.import([JOB])).toEqual([{ kind: 'outdated' }]);
  });

  it('leaves a transient failure of the start to the queue, on the last attempt too', async () => {
    const { useCase, statements } = await importing();
    const error = new DatabaseUnavailable('unreachable');
    statements.start.mockRejectedValue(error);
    expect(await useCase.import([JOB], { isLastAttempt: true })).toEqual([{ kind: 'interrupted', error }]);
    expect(statements.fail).not.toHaveBeenCalled();
  });

  it('enqueues the follow-ups of a batch together, each in the trace of its request', async () => {
    const { useCase, followUps } = await importing();
    await useCase.import([{ ...JOB, traceparent: 'trace of 7' }, OTHER]);
    const label = { organisationId: 1, supplier: 'LEGACY' };
    expect(followUps.enqueue.mock.calls).toEqual([
      [
        [
          {
            account: CREATED,
            traceparent: 'trace of 7',
            label: { ...label, externalAccountNumber: 'N-7' },
          },
          {
            account: CREATED,
            traceparent: undefined,
            label: { ...label, externalAccountNumber: 'N-8' },
          },
        ],
      ],
    ]);
  });
});
