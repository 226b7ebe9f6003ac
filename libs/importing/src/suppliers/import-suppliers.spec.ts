import type { ImportSupplierRepository, OrganisationRepository } from '@portage/database';
import { Refusal } from '../refusal';
import { ImportSuppliers } from './import-suppliers';

/** An installation with the organisation Supplier Ltd and the supplier TAKEN. */
function installation() {
  const create = jest.fn((_owner: number, code: string, settings: object) =>
    Promise.resolve(code === 'TAKEN' ? undefined : { code, ...settings }),
  );
  const update = jest.fn((code: string, change: object) =>
    Promise.resolve(code === 'TAKEN' ? { code, ...change } : undefined),
  );
  const findByCode = (code: string) =>
    Promise.resolve(code === 'TAKEN' ? { code, ruleSettings: {} } : undefined);
  const suppliers = { create, update, findByCode } as unknown as ImportSupplierRepository;
  const findByName = (name: string) => Promise.resolve(name === 'Supplier Ltd' ? { id: 7 } : undefined);
  const organisations = { findByName } as unknown as OrganisationRepository;
  return { use: new ImportSuppliers(suppliers, organisations, 'operator:test'), create, update };
}

type Settings = Parameters<ImportSuppliers['create']>[2];

describe('a supplier', () => {
  it.each(['A\u001b[2J', 'A\u009b', 'A\u202e', 'A\u200b', 'A\ufeff', 'A/1', '', 'A'.repeat(129)])(
    'has a code of 1 to 128 visible characters without a slash, so not %j',
    async (code) => {
      const { use, create } = installation();
      await expect(use.create(code, 'Supplier Ltd', {})).rejects.toThrow(Refusal);
      expect(create).not.toHaveBeenCalled();
    },
  );

  it('has defaults for all settings', async () => {
    const { use, create } = installation();
    await use.create('NEW', 'Supplier Ltd', { region: 'DE' });
    expect(create).toHaveBeenCalledWith(
      7,
      'NEW',
      expect.objectContaining({
        region: 'DE',
        creationMode: 'direct',
        profile: 'core',
        documentRoot: 'NEW',
        currency: 'GBP',
        timeZone: 'Europe/London',
        verifyDocuments: false,
        rejectUndocumentedFields: false,
        sendMigrationEmails: false,
      }),
      { actor: 'operator:test', action: 'supplier.create' },
    );
  });

  it('keeps settings that are not changed', async () => {
    const { use, update } = installation();
    await use.set('TAKEN', { currency: 'EUR' });
    expect(update).toHaveBeenCalledWith(
      'TAKEN',
      { currency: 'EUR', ruleSettings: {} },
      { actor: 'operator:test', action: 'supplier.set' },
    );
  });

  it.each([
    [{ region: 'XX' }, '--region XX is not an ISO 3166 country code such as GB.'],
    [{ region: 'gb' }, '--region gb is not an ISO 3166 country code such as GB.'],
    [{ creationMode: 'sometimes' }, '--creation-mode must be one of direct, dry-run-first, staged.'],
    [{ profile: 'none' }, '--profile must be one of core, gb-energy.'],
    [{ currency: 'QQQ' }, '--currency QQQ is not an ISO 4217 code such as GBP.'],
    [
      { timeZone: 'Mars/Olympus' },
      '--time-zone Mars/Olympus is not an IANA time zone such as Europe/London.',
    ],
  ])('can neither be created nor changed with %j', async (settings, refusal) => {
    const { use, create, update } = installation();
    await expect(use.create('NEW', 'Supplier Ltd', settings as Settings)).rejects.toThrow(
      new Refusal(refusal),
    );
    await expect(use.set('TAKEN', settings as Settings)).rejects.toThrow(new Refusal(refusal));
    expect([create.mock.calls, update.mock.calls]).toEqual([[], []]);
  });

  it.each(['', 'a/b', 'a\u0000b', 'a\nb', 'x'.repeat(129)])('cannot have the code %j', async (code) => {
    await expect(installation().use.create(code, 'Supplier Ltd', {})).rejects.toThrow(Refusal);
  });

  it.each([
    ['whose code is taken', (use: ImportSuppliers) => use.create('TAKEN', 'Supplier Ltd', {})],
    ['of an unknown organisation', (use: ImportSuppliers) => use.create('NEW', 'Nobody', {})],
    ['that does not exist', (use: ImportSuppliers) => use.set('NOBODY', { currency: 'EUR' })],
    ['that does not exist, with a new status', (use: ImportSuppliers) => use.setStatus('NOBODY', 'Paused')],
    ['with an unknown status', (use: ImportSuppliers) => use.setStatus('TAKEN', 'paused')],
  ])('%s is refused', async (_what, attempt) => {
    await expect(attempt(installation().use)).rejects.toThrow(Refusal);
  });
});
