import type { Account, Customer } from '@portage/account-schema';
import { heldRoleRows } from './people';

const ORGANISATION = 7;

function rolesOf(...customers: Partial<Customer>[]) {
  return heldRoleRows({ customers } as Account, ORGANISATION).map(({ email, role }) => `${email} ${role}`);
}

describe('the roles of an e-mail address', () => {
  it('are those of all lists and of all customers with the address, each once', () => {
    expect(
      rolesOf(
        { email: 'A@example.org', role: 'FRIEND', portfolio_roles: ['ADMIN'], account_roles: ['CARER'] },
        { email: 'a@EXAMPLE.org', portfolio_roles: ['ADMIN', 'PAYER'] },
      ),
    ).toEqual(['a@example.org FRIEND', 'a@example.org ADMIN', 'a@example.org CARER', 'a@example.org PAYER']);
  });

  it('belong to the organisation', () => {
    expect(
      heldRoleRows({ customers: [{ email: 'a@example.org', role: 'FRIEND' }] } as Account, ORGANISATION),
    ).toEqual([{ organisationId: ORGANISATION, email: 'a@example.org', role: 'FRIEND' }]);
  });

  it('are none without an address, or if a role is empty or too long for any list', () => {
    expect(
      rolesOf({ role: 'FRIEND' }, { email: 'a@example.org', account_roles: ['', 'R'.repeat(201)] }),
    ).toEqual([]);
  });
});
