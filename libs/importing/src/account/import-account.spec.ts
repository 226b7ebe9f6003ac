import type { Config } from '@portage/config';
import { type AccountImportRepository, DatabaseUnavailable, type StartedImport } from '@portage/database';
import type { Logger } from '@portage/observability';
import type { AccountFollowUps } from '../follow-ups/account-follow-ups';
import type { AccountValidation } from './account-validation';
import { ImportAccount } from './import-account';
import { ImportBatches } from './import-batches';

const JOB = { processId: '7', version: 1 };
const CREATED = { processId: JOB.processId, accountId: '1', documentIds: [], hasWelcomeEmail: false };
const KEY = Buffer.alloc(32, 7);

const started: StartedImport = {
  ...JOB,
  attempt: 1,
  isDryRun: false,
  isReleased: false,
  externalAccountNumber: 'N-1',
  externalIdentifier: 'N-1',
  payload: { import_supplier: 'LEGACY', external_account_number: 'N-1' },
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

const LIMITS = { WORKER_BATCH_ACCOUNTS: 25, WORKER_BATCH_PARTS: 5_000, BATCHES_AT_ONCE: 2 } as Config;

/** The use case over a repository that answers as it is told. */
function importing(answers: Partial<Record<keyof AccountImportRepository, unknown>> = {}, from = started) {
  const imports = {
    start: jest.fn().mockResolvedValue([from]),
    create: jest.fn().mockResolvedValue([CREATED]),
    fail: jest.fn().mockResolvedValue(true),
    accountNumberKey: jest.fn().mockResolvedValue(KEY),
    ...answers,
  };
  const validation = {
    read: (value: unknown) => Promise.resolve({ ok: true, value, ignoredFields: [], preconditions: [] }),
  };
  const logger = { failure: jest.fn() };
  const run = new ImportAccount(
    imports as unknown as AccountImportRepository,
    new ImportBatches(imports as unknown as AccountImportRepository, LIMITS),
    validation as unknown as AccountValidation,
    { enqueue: jest.fn() } as unknown as AccountFollowUps,
    logger as unknown as Logger,
    { now: () => new Date('2026-11-21T12:00:00Z') },
    LIMITS,
  );
  return { run, imports, logger };
}

describe('creating an account', () => {
  it('asks for the key of the account numbers once', async () => {
    const { run, imports } = importing();
    for (let turn = 0; turn < 3; turn += 1) expect(await run.run(JOB, false)).toEqual({ kind: 'processed' });
    expect(imports.accountNumberKey).toHaveBeenCalledTimes(1);
  });

  it('asks again for the key when it could not be had, instead of failing from then on', async () => {
    const accountNumberKey = jest
      .fn()
      .mockRejectedValueOnce(new DatabaseUnavailable('away'))
      .mockResolvedValue(KEY);
    const { run } = importing({ accountNumberKey });
    await expect(run.run(JOB, false)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await run.run(JOB, false)).toEqual({ kind: 'processed' });
  });

  it('that fails for an unknown reason is logged by its process, and the client learns nothing of it', async () => {
    const error = new TypeError('x is not a function');
    const { run, imports, logger } = importing({ create: jest.fn().mockRejectedValue(error) });
    expect(await run.run(JOB, false)).toEqual({ kind: 'errored', code: 'error' });
    expect(logger.failure.mock.calls).toEqual([[expect.any(String), { ...JOB, error }]]);
    expect(imports.fail).toHaveBeenCalledWith({
      ...JOB,
      attempt: 1,
      status: 'ERRORED',
      code: 'error',
      detail: expect.not.stringContaining('function'),
    });
  });

  it('that takes its workers down with it is given up after 25 starts', async () => {
    expect(await importing({}, { ...started, attempt: 25 }).run.run(JOB, false)).toEqual({
      kind: 'processed',
    });
    const { run, imports } = importing({}, { ...started, attempt: 26 });
    expect(await run.run(JOB, false)).toEqual({ kind: 'errored', code: 'error' });
    expect(imports.create).not.toHaveBeenCalled();
  });

  it.each([
    ['created', { create: jest.fn().mockResolvedValue([]) }],
    [
      'failed',
      { create: jest.fn().mockRejectedValue(new TypeError('x')), fail: jest.fn().mockResolvedValue(false) },
    ],
  ])('that somebody else has taken over counts as outdated when it is %s', async (_what, answers) => {
    expect(await importing(answers).run.run(JOB, false)).toEqual({ kind: 'outdated' });
  });

  it('that cannot be started for a reason that will pass is left to the queue, on the last attempt too', async () => {
    const { run, imports } = importing({
      start: jest.fn().mockRejectedValue(new DatabaseUnavailable('away')),
    });
    await expect(run.run(JOB, true)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(imports.fail).not.toHaveBeenCalled();
  });
});
