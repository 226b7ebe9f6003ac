// Compiled by `npm run typecheck` and package.spec.ts, never run: the types accept the account and the requests of
// the documentation, and refuse misspelt names.
import { type Account, type PortageClient, PortageError } from '@portage/client';

/** The minimal account of the documentation. */
export const minimalAccount: Account = { import_supplier: 'DEMO', external_account_number: 'A-1' };

// @ts-expect-error a required field is misspelt
export const misspeltAccount: Account = { import_suplier: 'DEMO', external_account_number: 'A-1' };

// @ts-expect-error an optional field is misspelt
export const unknownField: Account = { ...minimalAccount, custmers: [] };

export async function callOperations(portage: PortageClient): Promise<string | null> {
  await portage.validateAccount({ body: minimalAccount });
  await portage.scheduleAccount({
    body: { payload: minimalAccount, task_params: { is_dry_run: true, schedule_window_start: '2030-01-01' } },
  });
  await portage.scheduleAccount({ text: '{}' });
  // @ts-expect-error a required field is missing
  await portage.scheduleAccount({ body: { import_supplier: 'DEMO' } });
  // @ts-expect-error a required parameter is missing
  await portage.readAccountImport({ path: { supplier: 'DEMO' } });
  // @ts-expect-error the contract has no such status
  await portage.listAllImportProcesses({ path: { supplier: 'DEMO' }, query: { status: ['DONE'] } });
  await portage.createTransactions({
    body: {
      import_supplier: 'DEMO',
      external_account_number: 'A-1',
      transactions: [
        { type: 'PAYMENT', transaction_id: 'T-1', transaction_date: '2024-05-01', amount: '65.00' },
      ],
    },
  });

  const { data, error } = await portage.createNotes({
    body: { import_supplier: 'DEMO', external_account_number: 'A-1', notes: [{ body: 'Moved.' }] },
    throwOnError: false,
  });
  const first: string | undefined = error === undefined ? data[0]?.status : error.errors[0]?.attr;
  if (error instanceof PortageError && error.code === first) return error.body.detail;
  const result = await portage.readAccountImport({ path: { supplier: 'DEMO', identifier: 'A-1' } });
  return result.data.platform_identifier;
}
