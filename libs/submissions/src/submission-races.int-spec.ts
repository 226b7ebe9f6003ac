import { PortageError } from '@portage/platform';
import { account, until } from '@portage/testing';
import { TestSubmission, useApplication } from '@portage/testing/application';
import { AbortSubmission } from './abort-submission';
import { CompleteSubmission } from './complete-submission';
import { OpenSubmission } from './open-submission';
import { ReceiveAccounts } from './receive-accounts';
import { RollBackSubmission } from './roll-back-submission';

const ROUNDS = 4;
const UPLOADS = 4;
const LINES = 150;
const ACCOUNTS = 12;

const test = useApplication();

/** The codes of the errors of what has failed. @throws an error that a client should not get */
const codesOf = (settled: readonly PromiseSettledResult<unknown>[]): string[] =>
  settled.flatMap((result) => {
    if (result.status === 'fulfilled') return [];
    if (result.reason instanceof PortageError) return [result.reason.code];
    throw result.reason as Error;
  });

async function uploadSlowly(id: string, prefix: string): Promise<unknown> {
  const chunks = Array.from({ length: 10 }, (_, chunk) =>
    Buffer.from(
      Array.from(
        { length: LINES / 10 },
        (__, line) => `${JSON.stringify(account(`${prefix}-${chunk}-${line}`))}\n`,
      ).join(''),
    ),
  );
  return test.app.get(ReceiveAccounts).receive(test.caller, id, {
    read: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return chunks.shift();
    },
    throwIfEnded: () => undefined,
  });
}

async function stateOf(id: string) {
  const [state] = await test.sql<{
    status: string;
    lines: number;
    accepted: number;
    processes: number;
    pending: number;
  }>(
    `SELECT status,
       (SELECT count(*)::int FROM submission_line WHERE submission_id = $1) AS lines,
       (SELECT sum(accepted)::int FROM submission_upload WHERE submission_id = $1) AS accepted,
       (SELECT count(*)::int FROM import_process WHERE submission_id = $1) AS processes,
       (SELECT count(*)::int FROM import_process WHERE submission_id = $1 AND status = 'PENDING') AS pending
     FROM submission WHERE id = $1`,
    [id],
  );
  return state!;
}

it('uploads, completions and aborts at the same time leave every line counted, and nothing pending after an abort', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = { import_supplier: 'LEGACY', reference: `race ${round}` };
    const { id } = (await test.app.get(OpenSubmission).open(test.caller, body)).submission;
    const complete = async () => test.app.get(CompleteSubmission).complete(test.caller, id);
    const abort = async () => test.app.get(AbortSubmission).abort(test.caller, id);
    const uploads = Array.from({ length: UPLOADS }, async (_, index) =>
      uploadSlowly(id, `R${round}-${index}`),
    );
    await until(async () => (await stateOf(id)).processes > 32 * round, 'No account was accepted.');
    const closings = round % 2 === 0 ? [complete(), abort(), abort()] : [abort(), complete(), complete()];
    const codes = codesOf(await Promise.allSettled([...uploads, ...closings]));
    expect(codes.filter((code) => code !== 'submission_not_open')).toEqual([]);
    const state = await stateOf(id);
    expect(state).toMatchObject({ status: 'ABORTED', pending: 0 });
    expect([state.lines, state.processes]).toEqual([state.accepted, state.accepted]);
    const late = await Promise.allSettled([uploadSlowly(id, `LATE${round}`), complete()]);
    expect(codesOf(late)).toEqual(['submission_not_open', 'submission_not_open']);
    expect(await stateOf(id)).toEqual(state);
  }
});

it('rollbacks and aborts at the same time take each account back once', async () => {
  const submission = await TestSubmission.open(test, 'race of rollbacks');
  for (let number = 0; number < ACCOUNTS; number += 1) await submission.account(`BACK-${number}`);
  await submission.complete();
  const rollBack = async () => test.app.get(RollBackSubmission).rollBack(submission.id, { isDryRun: false });
  const abort = async () =>
    test.app.get(AbortSubmission).abort({ organisationId: undefined, actor: 'operator:test' }, submission.id);
  const tallies = await Promise.all([rollBack(), rollBack(), abort(), rollBack(), rollBack()]);
  const rolledBack = tallies.map((tally) => ('rolledBack' in tally ? tally.rolledBack : 0));
  expect(rolledBack.reduce((sum, count) => sum + count, 0)).toBe(ACCOUNTS);
  const [rows] = await test.sql<object>(
    `SELECT (SELECT count(*)::int FROM account WHERE external_account_number LIKE 'BACK-%') AS accounts,
       (SELECT count(*)::int FROM import_process WHERE external_account_number LIKE 'BACK-%' AND status = 'CANCELLED') AS cancelled,
       (SELECT sum((details->>'rolled_back')::int)::int FROM audit_entry
         WHERE action = 'submission.rollback' AND subject = 'race of rollbacks') AS audited`,
  );
  expect(rows).toEqual({ accounts: 0, cancelled: ACCOUNTS, audited: ACCOUNTS });
});
