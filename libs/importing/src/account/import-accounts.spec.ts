import { Test } from '@nestjs/testing';
import {
  type AccountCreation,
  type AccountCreationResult,
  AccountImportRepository,
  DatabaseUnavailable,
  type FailedImport,
  type AccountLookup,
  type ProcessVersion,
  type StartedImport,
  type UnstartedReason,
} from '@portage/database';
import { Logger } from '@portage/observability';
import { CLOCK } from '../clock-token';
import { AccountFollowUps } from '../follow-ups/account-follow-ups';
import { AccountNumbers } from './account-numbers';
import { AccountValidation } from './account-validation';
import { DatabaseRules } from './database-rules';
import { ImportAccount } from './import-account';
import { AccountImports } from './ports/account-imports';

const JOB = { processId: '7', version: 1 };
const CREATED = { accountId: '1', documentIds: [], hasWelcomeEmail: false };
const KEY = Buffer.alloc(32, 7);

const started: StartedImport = {
  ...JOB,
  attempt: 1,
  isDryRun: false,
  isReleased: false,
  externalAccountNumber: 'N-1',
  externalIdentifier: 'N-1',
  payload: { import_supplier: 'LEGACY', external_account_number: 'N-1' },
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
};

/** A port whose results the tests set. */
class FakeAccountImports extends AccountImports {
  start = jest.fn<Promise<StartedImport | undefined>, [ProcessVersion]>().mockResolvedValue(started);
  create = jest
    .fn<Promise<AccountCreationResult>, [AccountCreation]>()
    .mockResolvedValue({ kind: 'created', account: CREATED });
  rehearse = jest.fn<Promise<void>, [AccountCreation]>();
  succeedDryRun = jest.fn<Promise<boolean>, [StartedImport]>().mockResolvedValue(true);
  fail = jest.fn<Promise<boolean>, [FailedImport]>().mockResolvedValue(true);
  cancelMissed = jest.fn<Promise<boolean>, [ProcessVersion]>().mockResolvedValue(false);
  findReason = jest.fn<Promise<UnstartedReason>, [ProcessVersion]>().mockResolvedValue({});
}

const LOOKUP: AccountLookup = {
  kind: 'cais-reference',
  scope: { organisationId: 1, supplierId: 1, externalAccountNumber: 'N-1' },
  values: [{ value: 'C-1' }],
};
const BREACH = { attr: 'debt.cais_reference', code: 'cais_reference_already_exists', detail: 'Taken.' };

/** The use case with fake ports. Any finding except `harmless` breaks the database rules. */
async function importing() {
  const imports = new FakeAccountImports();
  const accountNumberKey = jest.fn<Promise<Buffer>, []>().mockResolvedValue(KEY);
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
      ImportAccount,
      AccountNumbers,
      { provide: AccountImports, useValue: imports },
      { provide: AccountImportRepository, useValue: { accountNumberKey } },
      { provide: AccountValidation, useValue: validation },
      { provide: AccountFollowUps, useValue: followUps },
      { provide: Logger, useValue: logger },
      { provide: CLOCK, useValue: { now: () => new Date('2026-11-21T12:00:00Z') } },
    ],
  }).compile();
  const failures = jest.spyOn(logger, 'failure');
  return { useCase: module.get(ImportAccount), imports, accountNumberKey, followUps, failures };
}

describe('creating an account', () => {
  it('reads the key of the account numbers once', async () => {
    const { useCase, accountNumberKey } = await importing();
    for (let turn = 0; turn < 3; turn += 1)
      expect(await useCase.run(JOB, false)).toEqual({ kind: 'processed' });
    expect(accountNumberKey).toHaveBeenCalledTimes(1);
  });

  it('reads the key again if it could not be read', async () => {
    const { useCase, accountNumberKey } = await importing();
    accountNumberKey.mockRejectedValueOnce(new DatabaseUnavailable('unreachable'));
    await expect(useCase.run(JOB, false)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'processed' });
  });

  it('takes one write, which verifies the lookups of the database rules', async () => {
    const { useCase, imports } = await importing();
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'processed' });
    expect(imports.create.mock.calls).toEqual([[expect.objectContaining({ preconditions: [LOOKUP] })]]);
  });

  it('fails if the findings of the write break a database rule', async () => {
    const { useCase, imports } = await importing();
    imports.create.mockResolvedValue({ kind: 'findings', findings: [['C-1']] });
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'errored', code: BREACH.code });
    expect(imports.create).toHaveBeenCalledTimes(1);
    expect(imports.fail).toHaveBeenCalledWith({
      ...JOB,
      attempt: 1,
      status: 'ERRORED',
      code: BREACH.code,
      detail: `${BREACH.attr}: ${BREACH.detail}`,
    });
  });

  it('writes again without preconditions if the findings break no rule', async () => {
    const { useCase, imports } = await importing();
    imports.create.mockResolvedValueOnce({ kind: 'findings', findings: [['harmless']] });
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'processed' });
    expect(imports.create.mock.calls.map(([{ preconditions }]) => preconditions)).toEqual([
      [LOOKUP],
      undefined,
    ]);
  });

  it('logs an unexpected failure with its process, and stores no detail of it', async () => {
    const error = new TypeError('x is not a function');
    const { useCase, imports, failures } = await importing();
    imports.create.mockRejectedValue(error);
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'errored', code: 'error' });
    expect(failures.mock.calls).toEqual([[expect.any(String), { ...JOB, error }]]);
    expect(imports.fail).toHaveBeenCalledWith({
      ...JOB,
      attempt: 1,
      status: 'ERRORED',
      code: 'error',
      detail: expect.not.stringContaining('function'),
    });
  });

  it('fails a process that was started more than 25 times', async () => {
    const { useCase, imports } = await importing();
    imports.start.mockResolvedValueOnce({ ...started, attempt: 25 });
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'processed' });
    imports.create.mockClear();
    imports.start.mockResolvedValueOnce({ ...started, attempt: 26 });
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'errored', code: 'error' });
    expect(imports.create).not.toHaveBeenCalled();
  });

  it('is outdated if a later attempt has taken over before the account is created', async () => {
    const { useCase, imports, followUps } = await importing();
    imports.create.mockResolvedValue({ kind: 'outdated' });
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'outdated' });
    expect(followUps.enqueue).not.toHaveBeenCalled();
  });

  it('is outdated if a later attempt has taken over before the failure is stored', async () => {
    const { useCase, imports } = await importing();
    imports.create.mockRejectedValue(new TypeError('x'));
    imports.fail.mockResolvedValue(false);
    expect(await useCase.run(JOB, false)).toEqual({ kind: 'outdated' });
  });

  it('leaves a transient failure of the start to the queue, on the last attempt too', async () => {
    const { useCase, imports } = await importing();
    imports.start.mockRejectedValue(new DatabaseUnavailable('unreachable'));
    await expect(useCase.run(JOB, true)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(imports.fail).not.toHaveBeenCalled();
  });
});
