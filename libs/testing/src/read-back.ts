import { createHash } from 'node:crypto';
import type { PortageClient } from './portage-client';

type Json = Record<string, unknown>;

/** The address at which a supplier reads an imported account back. */
export const readBackPath = (supplier: string, identifier: string): string =>
  `/v2/data-import/accounts/${encodeURIComponent(supplier)}/${encodeURIComponent(identifier)}/account/`;

/** The address at which a supplier reads back what was added to an account. */
export const additionsPath = (supplier: string, identifier: string, query = ''): string =>
  readBackPath(supplier, identifier).replace(/account\/$/, `additions/${query}`);

/**
 * Imports an account, reads it back and compares it with what was sent: with its digest, and with the account as
 * validation converts it. The differences between the two are those that docs/api.md lists.
 */
export async function importAndReadBack(portage: PortageClient, payload: Json): Promise<void> {
  const number = payload['external_account_number'] as string;
  const identifier = (payload['external_identifier'] ?? number) as string;
  const supplier = payload['import_supplier'] as string;
  const converted = await portage.post('/v1/data-import/validate-account/', payload);
  expect([number, converted.status, converted.body.errors]).toEqual([number, 200, undefined]);
  expect((await portage.schedule(payload)).status).toBe(201);
  const path = readBackPath(supplier, identifier);
  await portage.waitForAccount(identifier, 'PROCESSED', { supplier });
  const answer = await portage.get(path);
  expect(answer.body).toEqual({
    platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/) as string,
    account_created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
    payload_digest: `sha-256=:${createHash('sha256').update(JSON.stringify(payload)).digest('base64')}:`,
    account: expect.any(Object) as object,
    additions: { notes: 0, transactions: 0, historical_statements: 0, payment_instructions: 0 },
  });
  expect(comparable(answer.body.account as Json)).toEqual(
    comparable(asStored(converted.body as Json, answer.body.account as Json)),
  );
}

/** The differences between a converted account and the account tables. */
function asStored(converted: Json, stored: Json): Json {
  const { debt, debts, notes, ledgers, statements, ...fields } = converted as Json &
    Partial<Record<'debts' | 'notes' | 'ledgers' | 'statements', Json[]>>;
  const ofStored = (name: string, at: number) => (stored[name] as Json[] | undefined)?.[at] ?? {};
  return {
    external_identifier: converted['external_account_number'],
    ...fields,
    ...billingAddressOf(converted),
    // One list has both.
    debts: [...(debts ?? []), ...(debt ? [debt] : [])],
    // Defaults are stored.
    notes: (notes ?? []).map((note, at) => ({
      created_at: ofStored('notes', at)['created_at'],
      is_pinned: false,
      is_archived: false,
      ...note,
    })),
    // The balance is computed where none was sent.
    ledgers: (ledgers ?? []).map((ledger, at) => ({
      ledger_balance: ofStored('ledgers', at)['ledger_balance'],
      ...ledger,
    })),
    ...(converted['transfer_balance'] === undefined && {
      transfer_balance: stored['transfer_balance'],
    }),
    // In the order of their periods.
    statements: (statements ?? []).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
  };
}

/** An occupier account without billing address has that of its supply. */
function billingAddressOf(account: Json): Json {
  const [address, ...others] = (account['supply_addresses'] ?? []) as Json[];
  const isOccupier =
    account['unknown_occupier'] === true || /_OCCUPIER$/.test(String(account['account_type']));
  const isGiven = Object.keys(account).some((name) => name.startsWith('billing_address'));
  if (!isOccupier || isGiven || !address || others.length > 0) return {};
  const parts = Object.entries(address).filter(([name]) => /^supply_(address\d|postcode)$/.test(name));
  return Object.fromEntries(parts.map(([name, value]) => [name.replace('supply_', 'billing_'), value]));
}

function orderOf({ bill_period_from_date: from, statement_id: id }: Json): string {
  return `${from as string} ${id as string}`;
}

/** Without null and empty lists, and with decimal text without zeros at its end. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(
          ([, member]) =>
            member !== null && member !== undefined && !(Array.isArray(member) && member.length === 0),
        )
        .map(([name, member]) => [name, comparable(member)]),
    );
  if (typeof value === 'string' && /^-?\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, '');
  return value;
}
