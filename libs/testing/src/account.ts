import { randomBytes } from 'node:crypto';

/** A small valid account. */
export function account(
  number = `N-${randomBytes(5).toString('hex')}`,
  more: object = {},
): Record<string, unknown> {
  return {
    import_supplier: 'LEGACY',
    external_account_number: number,
    customers: [{ given_name: 'Maeve', family_name: 'Aldous', landline: '01212345678' }],
    ...more,
  };
}
