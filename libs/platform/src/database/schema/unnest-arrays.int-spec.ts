import { AccountRequestRepository, ImportedAccountRepository } from '@portage/accounts';
import { AccountImportRepository } from '@portage/imports';
import { startApplication, type TestApplication } from '@portage/testing/application';
import { DataSource } from 'typeorm';
import { Database } from '../connection/database';

let test: TestApplication;
beforeAll(async () => {
  test = await startApplication();
  // Without rows every plan is as cheap as another.
  await test.app.get(DataSource).query(`
    INSERT INTO organisation (name) VALUES ('Own');
    INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency,
      time_zone, verify_documents, reject_undocumented_fields, send_migration_emails)
    SELECT id, name, 'GB', 'direct', 'core', name, 'GBP', 'UTC', false, false, false FROM organisation;
    INSERT INTO import_process (supplier_id, is_dry_run, status, latest_event, external_account_number,
      external_identifier, payload_hash, payload_digest)
    SELECT import_supplier.id, false, 'PENDING', 'CREATED', 'N-' || n, 'N-' || n, '', ''
    FROM import_supplier, generate_series(1, 2000) AS n;
    INSERT INTO import_process_payload (process_id, payload) SELECT id, '{}' FROM import_process;
    ANALYZE`);
});
afterAll(async () => {
  await test.app.close();
});

describe('a statement with arrays', () => {
  it('of one member each is planned five times by a connection, and not at every call', async () => {
    const accounts = test.app.get(ImportedAccountRepository);
    const imports = test.app.get(AccountImportRepository);
    const requests = test.app.get(AccountRequestRepository);
    const version = { processId: '1', version: 1 };
    for (let call = 0; call < 20; call += 1) {
      await accounts.find([{ supplierId: 1, externalAccountNumber: `A-${call}` }]);
      await accounts.lockSkipLocked(test.app.get(Database), ['1']);
      await imports.read([version]);
      await imports.start([version]);
      await requests.start(['1'], 'transactions');
      await requests.findOutcomes(['1']);
    }
    const plans = await test.app.get(DataSource).query<
      { name: string; custom: number }[]
    >(`SELECT name, custom_plans::integer AS custom FROM pg_prepared_statements
         WHERE generic_plans + custom_plans >= 20 ORDER BY name`);
    expect(plans).toEqual(
      [
        'find-imported-accounts',
        'lock-accounts-skip-locked',
        'outcomes-of-account-requests',
        'read-imports',
        'start-account-requests',
        'start-imports',
      ].map((name) => ({ name, custom: 5 })),
    );
  });
});
