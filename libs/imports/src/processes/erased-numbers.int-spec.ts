import { SearchAudit } from '@portage/operators';
import { ImportSuppliers } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  eraseAccount,
  ImportedTestAccount,
  importPending,
  scheduleAccount,
  useApplication,
  WITHOUT_CACHES,
} from '@portage/testing/application';
import { CorrectAccount } from '../accounts/correct-account';
import { ValidateAccount } from '../accounts/validate-account';
import { StageAccount } from '../staging/stage-account';
import { ImportStatus } from './import-status';
import { EraseAccount } from '@portage/submissions';

describe('the number of an erased account', () => {
  const test = useApplication('postgres', {}, WITHOUT_CACHES);
  let next = 0;

  const allow = async (reimportAfterErasure: boolean) =>
    test.app.get(ImportSuppliers).set('LEGACY', { reimportAfterErasure });

  beforeEach(async () => allow(true));

  const body = (number: string, supplier = 'LEGACY') => ({
    ...account(number, { external_identifier: `ID-${number}` }),
    import_supplier: supplier,
  });

  const send = async (number: string) => scheduleAccount(test, test.caller, body(number));

  /** An account that was imported and erased. Returns the platform account number. */
  async function erased(): Promise<{ number: string; platformNumber: string }> {
    const number = `E-${(next += 1)}`;
    await ImportedTestAccount.create(test, number, body(number));
    return { number, platformNumber: await eraseAccount(test, number) };
  }

  const accounts = async (number: string) =>
    test.sql<{ number: string; name: string; identifier: string; isErased: boolean }>(
      `SELECT account.number, process.external_account_number AS name, process.external_identifier AS identifier,
         erased_at IS NOT NULL AS "isErased"
       FROM account JOIN import_process process ON process.id = process_id
       WHERE starts_with(account.external_account_number, $1) AND account.external_account_number
         = process.external_account_number ORDER BY account.id`,
      [number],
    );

  it('is refused with what the operator has to allow, and stays so until then', async () => {
    await allow(false);
    const { number } = await erased();
    const refused = {
      code: 'account_import_process_already_imported',
      message: expect.stringContaining('reimport_after_erasure') as string,
    };
    await expect(send(number)).rejects.toMatchObject(refused);
    expect((await test.app.get(ValidateAccount).validate(test.organisationId, body(number))).errors).toEqual([
      expect.objectContaining({ detail: expect.stringContaining('reimport_after_erasure') as string }),
    ]);
    await expect(
      test.app.get(StageAccount).stage(test.caller, body(number), undefined),
    ).rejects.toMatchObject({
      code: 'account_import_process_already_imported',
    });
    await allow(true);
    await send(number);
  });

  it('is imported as a new account beside what the erasure has retained', async () => {
    const { number, platformNumber } = await erased();
    expect((await test.app.get(ValidateAccount).validate(test.organisationId, body(number))).errors).toEqual(
      [],
    );
    await send(number);
    await importPending(test);
    const [old, created] = await accounts(number);
    expect(old).toEqual({
      number: platformNumber,
      name: `${number} (erased ${platformNumber})`,
      identifier: null,
      isErased: true,
    });
    expect(created).toMatchObject({ name: number, identifier: `ID-${number}`, isErased: false });
    expect(created!.number).not.toBe(platformNumber);
    const { view } = await test.app.get(ImportStatus).readV2(test.organisationId, 'LEGACY', `ID-${number}`);
    expect(view).toMatchObject({ status: 'PROCESSED' });
    const { items } = await test.app
      .get(SearchAudit)
      .search({ action: 'account.reimport' }, { limit: 1, cursor: undefined });
    expect(items).toMatchObject([
      {
        actor: 'api-key:test',
        import_supplier: 'LEGACY',
        subject: number,
        details: { erased_account: platformNumber },
      },
    ]);
  });

  it('is taken once by requests at once, with and without a key', async () => {
    const { number } = await erased();
    await Promise.all([
      send(number),
      scheduleAccount(test, test.caller, body(number), 'key-1'),
      send(number),
    ]);
    await importPending(test);
    expect(await accounts(number)).toHaveLength(2);
  });

  it('is erased and imported again any number of times', async () => {
    const { number } = await erased();
    await send(number);
    await importPending(test);
    const [, second] = await accounts(number);
    await test.app.get(EraseAccount).erase(second!.number, { keepsDocuments: true });
    await send(number);
    await importPending(test);
    expect((await accounts(number)).map(({ isErased }) => isErased)).toEqual([true, true, false]);
  });

  it('is staged and processed as a new account', async () => {
    const { number } = await erased();
    expect(await test.app.get(StageAccount).stage(test.caller, body(number), undefined)).toMatchObject({
      isNew: true,
    });
    await expect(
      test.app.get(StageAccount).stage(test.caller, body(number), undefined),
    ).resolves.toMatchObject({
      isNew: false,
    });
  });

  it('is not freed by a request that is refused, or is a correction', async () => {
    const { number } = await erased();
    const invalid = { ...body(number), customers: 'none' };
    await expect(scheduleAccount(test, test.caller, invalid)).rejects.toMatchObject({
      code: 'import_process_failed_validation',
    });
    const correction = { body: body(number), ifMatch: undefined };
    await expect(
      test.app.get(CorrectAccount).correct(test.caller, 'LEGACY', `ID-${number}`, correction),
    ).rejects.toMatchObject({
      code: 'account_erased',
      message: expect.stringContaining('reimport_after_erasure') as string,
    });
    expect(await accounts(number)).toMatchObject([{ name: number, isErased: true }]);
  });

  it('is not freed for a supplier by the setting of another one', async () => {
    await allow(false);
    await test.app.get(ImportSuppliers).create('OTHER', 'Supplier Ltd', { reimportAfterErasure: true });
    const { number } = await erased();
    await expect(send(number)).rejects.toMatchObject({ code: 'account_import_process_already_imported' });
    // The same number of the other supplier is another account.
    await scheduleAccount(test, test.caller, body(number, 'OTHER'));
    expect(await accounts(number)).toMatchObject([{ name: number, isErased: true }]);
  });

  it('stays refused for another account with its identifier', async () => {
    const { number } = await erased();
    const other = { ...body(`${number}-OTHER`), external_identifier: `ID-${number}` };
    await expect(scheduleAccount(test, test.caller, other)).rejects.toMatchObject({
      code: 'external_identifier_already_exists',
    });
  });
});
