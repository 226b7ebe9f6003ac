import { FinishSubmissions } from '@portage/events';
import { CancelImport, ImportProcessSteeringRepository } from '@portage/imports';
import { Database } from '@portage/platform';
import { account, uploadAnswer } from '@portage/testing';
import {
  eraseAccount,
  importAccounts,
  insertProcesses,
  openSubmission,
  scheduleAccount,
  StoredProcesses,
  uploadAccounts,
  useApplication,
} from '@portage/testing/application';
import { DataSource } from 'typeorm';
import { SubmissionRepository } from './submission.repository';
import { AbortSubmission } from './abort-submission';
import { ReceiveAccounts } from './receive-accounts';
import { Submissions } from './submissions';
import { EraseProcess } from './erasure/erase-process';

const test = useApplication();
const stored = new StoredProcesses(test);
const book = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => account(`${prefix}-${index}`));
const read = async (id: string) => test.app.get(Submissions).read(test.organisationId, id);
const withReference = (number: string, value: string) =>
  account(number, { references: [{ namespace: 'portal', value }] });

describe('an upload', () => {
  it('takes one statement and one job for each 64 lines', async () => {
    const id = await openSubmission(test);
    const run = jest.spyOn(test.app.get(Database), 'run');
    const result = await uploadAccounts(test, id, book('A', 200));
    const names = run.mock.calls.map(([{ name }]) => name);
    run.mockRestore();
    expect(result).toEqual(uploadAnswer({ lines: 200, accepted: 200 }));
    expect(names.filter((name) => name === 'write-pending-processes-of-submission')).toHaveLength(4);
    const batches = await stored.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM import_process WHERE submission_id = $1 GROUP BY batch_id ORDER BY count',
      [id],
    );
    expect(batches.map(({ count }) => count)).toEqual([8, 64, 64, 64]);
  });

  it('refuses lines that break a rule about stored accounts, and stores harmless findings', async () => {
    const first = await openSubmission(test);
    await uploadAccounts(test, first, [withReference('REF-1', 'taken')]);
    expect(await importAccounts(test, 'REF-1')).toEqual(['processed']);
    const second = await openSubmission(test);
    expect(
      await uploadAccounts(test, second, [
        withReference('REF-2', 'taken'),
        withReference('REF-3', 'free'),
        account('REF-4'),
      ]),
    ).toEqual(uploadAnswer({ lines: 3, accepted: 2, refused: 1 }));
    const [line] = await stored.sql<{ external_account_number: string; errors: { attr: string }[] }>(
      `SELECT external_account_number, errors FROM submission_line WHERE submission_id = $1 AND outcome = 'refused'`,
      [second],
    );
    expect(line).toMatchObject({
      external_account_number: 'REF-2',
      errors: [{ attr: expect.stringMatching(/references/) }],
    });
    // The account was imported since, and is repeated with its own reference.
    expect(await uploadAccounts(test, first, [withReference('REF-1', 'taken')])).toMatchObject({
      repeated: 1,
    });
  });

  it('stores lines about the same account one after the other', async () => {
    const id = await openSubmission(test);
    const [one, changed] = [account('SAME'), account('SAME', { customers: [{ family_name: 'Bell' }] })];
    expect(await uploadAccounts(test, id, [one, one, changed, one])).toEqual(
      uploadAnswer({ lines: 4, accepted: 1, refused: 1, repeated: 2 }),
    );
    expect((await read(id)).counts).toMatchObject({ received: 2, refused: 1, pending: 1 });
  });

  it('about one account takes three statements for each 64 lines, and counts each line', async () => {
    const id = await openSubmission(test);
    const run = jest.spyOn(test.app.get(Database), 'run');
    const changed = account('ONE', { customers: [{ family_name: 'Bell' }] });
    const faulty = { external_account_number: 'ONE' };
    const result = await uploadAccounts(test, id, [
      account('ONE'),
      ...Array.from({ length: 639 }, (_, index) => [account('ONE'), changed, faulty][index % 3]!),
    ]);
    const names = run.mock.calls.map(([{ name }]) => name);
    run.mockRestore();
    expect(result).toMatchObject({
      lines: 640,
      accepted: 1,
      refused: 426,
      repeated: 213,
      unchanged: 0,
      corrections: 0,
    });
    // The first account, what is stored of it, and the lines that were decided by that.
    expect(names.filter((name) => name === 'write-pending-processes-of-submission')).toHaveLength(20);
    expect(names.filter((name) => name === 'find-existing-import-processes')).toHaveLength(10);
    const lines = await stored.sql<{ line: number; outcome: string | null }>(
      'SELECT line, outcome FROM submission_line WHERE submission_id = $1 ORDER BY line',
      [id],
    );
    expect(lines).toEqual([
      { line: 1, outcome: null },
      { line: 640, outcome: 'refused' },
    ]);
  });

  it('stores refused lines about one account in one statement, and counts each', async () => {
    const id = await openSubmission(test);
    const run = jest.spyOn(test.app.get(Database), 'run');
    const faulty = { external_account_number: 'TWICE' };
    const result = await uploadAccounts(test, id, [
      ...Array.from({ length: 60 }, () => ({})),
      faulty,
      faulty,
      account('ONCE'),
    ]);
    const statements = run.mock.calls.filter(
      ([{ name }]) => name === 'write-pending-processes-of-submission',
    );
    run.mockRestore();
    expect(result).toEqual(uploadAnswer({ lines: 63, accepted: 1, refused: 62 }));
    expect(statements).toHaveLength(1);
    const refused = await stored.sql(
      `SELECT line, external_account_number AS number FROM submission_line
       WHERE submission_id = $1 AND outcome = 'refused' ORDER BY line`,
      [id],
    );
    expect(refused).toEqual([
      { line: 60, number: null },
      { line: 62, number: 'TWICE' },
    ]);
    expect((await read(id)).counts).toMatchObject({ received: 3, refused: 2, pending: 1 });
  });

  it('keeps the lines that were read completely if it fails', async () => {
    const id = await openSubmission(test);
    const [first, second] = book('CUT', 2).map((one) => JSON.stringify(one)) as [string, string];
    const chunks = [Buffer.from(`${first}\n${second}`)];
    const cut = new Error('The connection was lost.');
    const receive = test.app.get(ReceiveAccounts).receive(test.caller, id, {
      throwIfEnded: () => undefined,
      read: async () => {
        const chunk = chunks.shift();
        return chunk ? Promise.resolve(chunk) : Promise.reject(cut);
      },
    });
    await expect(receive).rejects.toBe(cut);
    expect((await read(id)).counts).toMatchObject({ received: 1, pending: 1 });
  });
});

describe('the errors of a refused line', () => {
  const errorsOf = async (number: string) => {
    const [line] = await stored.sql<{ errors: { code: string }[] }>(
      'SELECT errors FROM submission_line WHERE external_account_number = $1',
      [number],
    );
    return line?.errors.map(({ code }) => code);
  };
  const invalid = (number: string) => account(number, { customers: [{ family_name: 'A', landline: '1' }] });

  it('are erased with the account', async () => {
    const id = await openSubmission(test);
    await uploadAccounts(test, id, [
      account('ERASE-1'),
      account('ERASE-2'),
      invalid('ERASE-1'),
      invalid('ERASE-2'),
    ]);
    expect([await errorsOf('ERASE-1'), await errorsOf('ERASE-2')]).toEqual([
      ['invalid_phone_number'],
      ['invalid_phone_number'],
    ]);
    await importAccounts(test, 'ERASE-1');
    await eraseAccount(test, 'ERASE-1');
    expect(await errorsOf('ERASE-1')).toEqual(['erased']);
    await test.app.get(CancelImport).cancel(test.caller, 'LEGACY', 'ERASE-2');
    await test.app.get(EraseProcess).erase('LEGACY', 'ERASE-2');
    expect(await errorsOf('ERASE-2')).toEqual(['erased']);
    expect((await read(id)).counts.received).toBe(4);
  });
});

describe('the maintenance', () => {
  it('cancels what an abort has left at the end of its 20 s', async () => {
    const id = await openSubmission(test);
    await uploadAccounts(test, id, book('SLOW', 620), 100_000);
    const processes = test.app.get(ImportProcessSteeringRepository);
    const steer = processes.steer.bind(processes);
    const now = performance.now.bind(performance);
    let passedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const steering = jest.spyOn(processes, 'steer').mockImplementation(async (...args) => {
      passedMs += 20_000;
      return steer(...args);
    });
    const { cancelled, submission } = await test.app.get(AbortSubmission).abort(test.caller, id);
    steering.mockRestore();
    clock.mockRestore();
    expect([cancelled, submission.status]).toEqual([500, 'ABORTED']);
    const count = async () => (await test.app.get(SubmissionRepository).count(id)).processes;
    expect(await count()).toEqual({ CANCELLED: 500, PENDING: 120 });
    await test.app.get(FinishSubmissions).run();
    expect(await count()).toEqual({ CANCELLED: 620 });
    expect(await test.app.get(FinishSubmissions).run()).toBe(1);
  });

  it('cancels what an interrupted abort has left, and notices the end', async () => {
    const id = await openSubmission(test);
    await uploadAccounts(test, id, book('LEFT', 3));
    const submissions = test.app.get(SubmissionRepository);
    await test.app.get(Database).transaction(async (executor) => submissions.abort(id, executor));
    expect(await test.app.get(FinishSubmissions).run()).toBe(0);
    expect((await submissions.count(id)).processes).toEqual({ CANCELLED: 3 });
    expect(await test.app.get(FinishSubmissions).run()).toBe(1);
    expect((await submissions.find(undefined, id))?.finishedAt).toEqual(expect.any(String));
    expect(await test.app.get(FinishSubmissions).run()).toBe(0);
  });

  it('stores and counts its refused lines too if another transaction takes an identifier of the batch', async () => {
    const id = await openSubmission(test);
    await uploadAccounts(test, id, [account('HELD')]);
    await stored.sql(`UPDATE import_process SET status = 'CANCELLED' WHERE external_account_number = 'HELD'`);
    const other = test.app.get(DataSource).createQueryRunner();
    await other.startTransaction();
    const taking = { external_account_number: `'OTHER'`, external_identifier: `'TAKEN'` };
    await other.query(insertProcesses('generate_series(1, 1)', taking));
    const sent = uploadAccounts(test, id, [
      account('HELD', { external_identifier: 'TAKEN' }),
      { import_supplier: 'LEGACY', external_account_number: 'FAULTY', customers: 'none' },
      account('FREE'),
    ]);
    // The statement of the batch waits for the transaction that has the identifier.
    await test.untilWaiting();
    await other.commitTransaction();
    await other.release();
    expect(await sent).toMatchObject({ lines: 3, accepted: 1, refused: 2 });
    const refused = await stored.sql(
      `SELECT external_account_number AS number FROM submission_line WHERE outcome = 'refused' AND submission_id = $1
       ORDER BY number`,
      [id],
    );
    expect(refused).toEqual([{ number: 'FAULTY' }, { number: 'HELD' }]);
    expect((await read(id)).counts).toMatchObject({ refused: 2, pending: 1, cancelled: 1 });
  });

  it('leaves an account of an aborted submission that was sent by itself since', async () => {
    const id = await openSubmission(test);
    await uploadAccounts(test, id, book('AGAIN', 2));
    await test.app.get(AbortSubmission).abort(test.caller, id);
    await scheduleAccount(test, test.caller, account('AGAIN-0'));
    await test.app.get(FinishSubmissions).run();
    expect((await test.app.get(SubmissionRepository).count(id)).processes).toEqual({
      PENDING: 1,
      CANCELLED: 1,
    });
  });
});
