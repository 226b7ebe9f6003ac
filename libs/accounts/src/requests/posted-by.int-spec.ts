import { ImportedTestAccount, payment, useApplication } from '@portage/testing/application';
import { InspectAccount } from '../whole-account/inspect-account';
import { AddHistoricalStatements } from '../statements/add-historical-statements';
import { AddNotes } from '../notes/add-notes';

const test = useApplication();

it('each note, transaction, statement and instruction has the API key that posted it', async () => {
  const account = await ImportedTestAccount.create(test, 'P-1', {
    notes: [{ body: 'Came with the account.' }],
  });
  const about = { import_supplier: 'LEGACY', external_account_number: 'P-1' };
  const by = (actor: string) => ({ ...test.caller, actor });
  await test.app
    .get(AddNotes)
    .add({ ...by('api-key:notes'), body: { ...about, notes: [{ body: 'Posted.' }] } });
  await test.app.get(AddHistoricalStatements).add({
    ...by('api-key:statements'),
    body: {
      ...about,
      statements: [
        { statement_id: 'ST-1', bill_period_from_date: '2024-03-01', bill_period_to_date: '2024-03-31' },
      ],
    },
  });
  // The date is before the open period, so that a note explains the adjustment.
  await account.add([payment('T-1', 10, '2019-01-01')]);
  await account.activate('pm_1', { actor: 'api-key:instructions' });
  const [{ number }] = (await account.sql<{ number: string }>(
    'SELECT number FROM account WHERE id = $1',
  )) as [{ number: string }];
  const whole = await test.app.get(InspectAccount).show(number);
  const actors = {
    notes: whole.notes.map(({ actor }) => actor),
    statements: whole.historicalStatements.map(({ actor }) => actor),
    transactions: whole.transactions.map(({ actor }) => actor),
    instructions: whole.paymentInstructions.map(({ actor }) => actor),
  };
  expect(actors).toEqual({
    notes: [null, 'api-key:notes', 'api-key:test'],
    statements: ['api-key:statements'],
    transactions: ['api-key:test'],
    instructions: ['api-key:instructions'],
  });
});
