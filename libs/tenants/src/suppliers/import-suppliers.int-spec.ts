import { PortageError } from '@portage/platform';
import { StoredProcesses, useApplication } from '@portage/testing/application';
import { ImportSupplierRepository } from './import-supplier.repository';
import { ImportSuppliers } from './import-suppliers';

// search-audit.int-spec.ts tests the audit entries of these changes.

const test = useApplication();
let suppliers: ImportSuppliers;

beforeAll(async () => {
  suppliers = test.app.get(ImportSuppliers);
});

type Settings = Parameters<ImportSuppliers['create']>[2];

const DEFAULTS = {
  status: 'Ongoing',
  region: 'GB',
  creationMode: 'direct',
  profile: 'core',
  currency: 'GBP',
  timeZone: 'Europe/London',
  verifyDocuments: false,
  rejectUndocumentedFields: false,
  sendMigrationEmails: false,
  retainPayloadDays: null,
  v1ErrorFormat: 'standard',
  maxProcessingAccounts: null,
  corrections: true,
  reimportAfterErasure: false,
  ruleSettings: {},
};

let created = 0;
/** Creates a supplier for one test. Returns its code. */
async function newSupplier(settings: Settings = {}): Promise<string> {
  const code = `S-${created++}`;
  await suppliers.create(code, 'Supplier Ltd', settings);
  return code;
}

/** The stored rows of all suppliers and audit entries. */
async function stored(): Promise<unknown[]> {
  const processes = new StoredProcesses(test);
  return [
    await processes.sql('SELECT * FROM import_supplier ORDER BY id'),
    await processes.sql('SELECT * FROM audit_entry ORDER BY id'),
  ];
}

describe('a supplier', () => {
  it.each([
    'A\u001b[2J',
    'A\u009b',
    'A\u202e',
    'A\u200b',
    'A\ufeffB',
    'A\u0000B',
    'A\nB',
    'A/1',
    '',
    'A'.repeat(129),
  ])('has a code of 1 to 128 visible characters without a slash, so not %j', async (code) => {
    const before = await stored();
    await expect(suppliers.create(code, 'Supplier Ltd', {})).rejects.toThrow(PortageError);
    expect(await stored()).toEqual(before);
  });

  it('has defaults for all settings', async () => {
    const code = await newSupplier({ region: 'DE' });
    expect(await test.app.get(ImportSupplierRepository).requireByCode(code)).toMatchObject({
      ...DEFAULTS,
      code,
      documentRoot: code,
      region: 'DE',
      organisationId: test.organisationId,
    });
  });

  it('keeps settings that are not changed', async () => {
    const code = await newSupplier({ region: 'DE' });
    await suppliers.set(code, { currency: 'EUR' });
    expect(await test.app.get(ImportSupplierRepository).requireByCode(code)).toMatchObject({
      ...DEFAULTS,
      region: 'DE',
      currency: 'EUR',
    });
  });

  it.each([
    [{ region: 'XX' }, '--region must be an ISO 3166 country code such as GB.'],
    [{ region: 'gb' }, '--region must be an ISO 3166 country code such as GB.'],
    [{ creationMode: 'sometimes' }, '--creation-mode must be one of direct, dry-run-first, staged.'],
    [{ profile: 'none' }, '--profile must be one of core, gb-energy.'],
    [{ currency: 'QQQ' }, '--currency must be an ISO 4217 code such as GBP.'],
    [{ timeZone: 'Mars/Olympus' }, '--time-zone must be an IANA time zone such as Europe/London.'],
  ])('can neither be created nor changed with %j', async (settings, refusal) => {
    const before = await stored();
    await expect(suppliers.create('NEW', 'Supplier Ltd', settings as Settings)).rejects.toThrow(
      new PortageError('operation_refused', refusal),
    );
    await expect(suppliers.set('LEGACY', settings as Settings)).rejects.toThrow(
      new PortageError('operation_refused', refusal),
    );
    expect(await stored()).toEqual(before);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['whose code is taken', async () => suppliers.create('LEGACY', 'Supplier Ltd', {})],
    ['of an unknown organisation', async () => suppliers.create('NEW', 'Unknown Ltd', {})],
    ['that does not exist', async () => suppliers.set('UNKNOWN', { currency: 'EUR' })],
    ['that does not exist, with a new status', async () => suppliers.setStatus('UNKNOWN', 'Paused')],
    ['with an unknown status', async () => suppliers.setStatus('LEGACY', 'paused')],
  ])('%s is refused', async (_what, attempt) => {
    const before = await stored();
    await expect(attempt()).rejects.toThrow(PortageError);
    expect(await stored()).toEqual(before);
  });
});
