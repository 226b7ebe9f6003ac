import { randomBytes } from 'node:crypto';
import { ImportSuppliers, Organisations } from '@portage/tenants';
import {
  importAccounts,
  scheduleAccount,
  type TestApplication,
  useApplication,
} from '@portage/testing/application';
import { AccountRequestRepository, type NewAccountRequest } from '../requests/account-request.repository';
import { type EndedInstruction, PaymentInstructions } from './payment-instructions';
import type { VerifiedInstruction } from './vendors/payment-vendor';

const test = useApplication();
let otherCaller: TestApplication['caller'];

beforeAll(async () => {
  const { id } = await test.app.get(Organisations).create('Other Ltd');
  otherCaller = { organisationId: id, actor: 'api-key:other' };
  await test.app.get(ImportSuppliers).create('OTHER', 'Other Ltd', {});
  await test.app.get(ImportSuppliers).create('SECOND', 'Supplier Ltd', {});
});

let next = 0;
/** Imports an account of a supplier. Returns its id, or the error code of its process. */
async function importAccount(supplier: 'LEGACY' | 'SECOND' | 'OTHER', more: object = {}): Promise<string> {
  const number = `P-${next++}`;
  const caller = supplier === 'OTHER' ? otherCaller : test.caller;
  const body = { import_supplier: supplier, external_account_number: number, ...more };
  await scheduleAccount(test, caller, body);
  const [end] = await importAccounts(test, number);
  if (end !== 'processed') return end!;
  const [row] = await test.sql<{ id: string }>('SELECT id FROM account WHERE external_account_number = $1', [
    number,
  ]);
  return row!.id;
}

/** Stores a request for an instruction. @returns its id */
async function submit(accountId: string, reference: string): Promise<string> {
  const input = { vendor: 'STRIPE', reference, type: 'CARD', ledgerCode: '', ledgerCodes: [''], terms: {} };
  const request: NewAccountRequest = {
    organisationId: test.organisationId,
    accountId,
    kind: 'payment-instruction',
    fingerprint: randomBytes(32),
    idempotencyKey: undefined,
    actor: 'api-key:test',
    input: JSON.stringify(input),
  };
  const stored = await test.app.get(AccountRequestRepository).submit(request);
  if (typeof stored !== 'object') throw new Error('The request was not stored.');
  return stored.id;
}

const confirmed = (reference: string): VerifiedInstruction => ({
  vendor: 'STRIPE',
  type: 'CARD',
  reference,
  customerReference: 'cus_1',
  details: { brand: 'visa' },
});

/** Activates an instruction, as the worker does once its vendor has confirmed it. */
async function activate(accountId: string, reference: string): Promise<EndedInstruction> {
  const instructions = test.app.get(PaymentInstructions);
  const started = await instructions.start(await submit(accountId, reference));
  return instructions.activate(started!, confirmed(reference));
}
const activeOwners = async (reference: string) =>
  (
    await test.sql<{ code: string }>(
      `SELECT supplier.code FROM payment_instruction JOIN account ON account.id = account_id
       JOIN import_supplier supplier ON supplier.id = supplier_id
       WHERE reference = $1 AND is_active ORDER BY 1`,
      [reference],
    )
  ).map(({ code }) => code);

const REFUSED = { kind: 'refused', code: 'instruction_not_available' };
const imported = (reference: string) => ({
  payment_instructions: [{ type: 'CARD', vendor: 'stripe', reference, instruction_identifier: 'card-1' }],
});

describe('a vendor reference with a verified instruction', () => {
  it('is refused for another organisation, and the request leaves nothing', async () => {
    const [mine, theirs] = [await importAccount('LEGACY'), await importAccount('OTHER')];
    expect(await activate(mine, 'pm_1')).toEqual({ kind: 'stored' });
    expect(await activate(theirs, 'pm_1')).toEqual(REFUSED);
    expect(await activeOwners('pm_1')).toEqual(['LEGACY']);
  });

  it('is accepted for other accounts and suppliers of the organisation', async () => {
    for (const supplier of ['LEGACY', 'LEGACY', 'SECOND'] as const)
      expect(await activate(await importAccount(supplier), 'pm_2')).toEqual({ kind: 'stored' });
    expect(await activeOwners('pm_2')).toEqual(['LEGACY', 'LEGACY', 'SECOND']);
  });

  it('excludes no organisation while its vendor has not confirmed it', async () => {
    await importAccount('OTHER', imported('pm_3'));
    expect(await activate(await importAccount('LEGACY'), 'pm_3')).toEqual({ kind: 'stored' });
    expect(await activeOwners('pm_3')).toEqual(['LEGACY', 'OTHER']);
    // An import says nothing about instructions of others.
    expect(await importAccount('OTHER', imported('pm_3'))).toMatch(/^\d+$/);
    expect(await activate(await importAccount('OTHER'), 'pm_3')).toEqual(REFUSED);
  });

  it('is accepted once the other organisation has replaced its instruction', async () => {
    const [mine, theirs] = [await importAccount('LEGACY'), await importAccount('OTHER')];
    await activate(theirs, 'pm_5');
    await activate(theirs, 'pm_6');
    expect(await activate(mine, 'pm_5')).toEqual({ kind: 'stored' });
  });

  it('is stored for one of two organisations that post it concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const ids = await Promise.all([importAccount('LEGACY'), importAccount('OTHER')]);
      const outcomes = await Promise.all(ids.map(async (id) => activate(id, `pm_race_${round}`)));
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'stored']);
      expect(await activeOwners(`pm_race_${round}`)).toHaveLength(1);
    }
  });
});

it('An attempt of a suspended worker changes nothing once another attempt has ended', async () => {
  const account = await importAccount('LEGACY');
  const instructions = test.app.get(PaymentInstructions);
  const id = await submit(account, 'pm_suspended');
  const [suspended, repeated] = [await instructions.start(id), await instructions.start(id)];
  expect(await instructions.activate(repeated!, confirmed('pm_suspended'))).toEqual({ kind: 'stored' });
  expect(await activate(account, 'pm_replacement')).toEqual({ kind: 'stored' });
  expect(await instructions.activate(suspended!, confirmed('pm_suspended'))).toEqual({ kind: 'outdated' });
  const rows = await test.sql(
    'SELECT reference, is_active FROM payment_instruction WHERE account_id = $1 ORDER BY id',
    [account],
  );
  expect(rows).toEqual([
    { reference: 'pm_suspended', is_active: false },
    { reference: 'pm_replacement', is_active: true },
  ]);
});
