import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database';

/** Whose accounts are looked at, and which of them is the one that asks. */
export interface LookupScope {
  organisationId: number;
  supplierId: number;
  externalAccountNumber: string;
}

/**
 * Accounts of the same organisation, without the one that asks: what others have must not be learnt.
 *
 * `found` is materialized, so that its index is used whatever the planner thinks of the join: from the other end it
 * reads every account of the organisation, for each account that is checked.
 */
const OTHERS = `
  FROM found
  JOIN account ON account.id = found.account_id
  JOIN import_supplier supplier ON supplier.id = account.supplier_id AND supplier.organisation_id = $1
  WHERE NOT (account.supplier_id = $2 AND account.external_account_number = $3)`;

const caisReferences: Statement = {
  name: 'look-up-cais-references',
  text: `
    WITH found AS MATERIALIZED (
      SELECT account_id, cais_reference FROM debt WHERE cais_reference = ANY($4)
    )
    SELECT DISTINCT cais_reference AS reference ${OTHERS}`,
};

const accountReferences: Statement = {
  name: 'look-up-account-references',
  // Unique for each supplier, so only this supplier's count.
  text: `
    SELECT asked.place::integer - 1 AS place
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS asked (namespace, value, place)
    JOIN account_reference stored USING (namespace, value)
    JOIN account ON account.id = stored.account_id
    WHERE stored.supplier_id = $1 AND account.external_account_number <> $2`,
};

const roles: Statement = {
  name: 'look-up-roles',
  text: `
    WITH found AS MATERIALIZED (
      SELECT account_id, lower(email) AS email, details FROM customer WHERE lower(email) = ANY($4)
    )
    SELECT found.email, found.details -> 'portfolio_roles' AS "portfolioRoles",
      found.details -> 'account_roles' AS "accountRoles", found.details ->> 'role' AS role ${OTHERS}`,
};

const chargedPeriods: Statement = {
  name: 'look-up-charged-periods',
  text: `
    WITH found AS MATERIALIZED (
      SELECT account_id, supply_point_identifier, start_date, end_date
      FROM charged_period WHERE supply_point_identifier = ANY($4)
    )
    SELECT supply_point_identifier AS "supplyPoint", start_date::text, end_date::text ${OTHERS}`,
};

export interface StoredChargedPeriod {
  supplyPoint: string;
  start_date: string;
  end_date: string;
}

/** Questions of the account rules about stored accounts, each answered in one round trip. */
@Injectable()
export class AccountLookupsRepository {
  constructor(private readonly database: Database) {}

  async caisReferencesInUse(scope: LookupScope, references: readonly string[]): Promise<string[]> {
    const rows = await this.database.run<{ reference: string }>(caisReferences, [...who(scope), references]);
    return rows.map((row) => row.reference);
  }

  /** @returns the places of those references that another account of the supplier has */
  async accountReferencesInUse(
    scope: LookupScope,
    references: readonly { namespace: string; value: string }[],
  ): Promise<number[]> {
    const rows = await this.database.run<{ place: number }>(accountReferences, [
      scope.supplierId,
      scope.externalAccountNumber,
      references.map(({ namespace }) => namespace),
      references.map(({ value }) => value),
    ]);
    return rows.map((row) => row.place);
  }

  /** @returns roles by lower-case e-mail address, of those that have an account */
  async rolesHeldBy(scope: LookupScope, emails: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.database.run<{
      email: string;
      portfolioRoles: string[] | null;
      accountRoles: string[] | null;
      role: string | null;
    }>(roles, [...who(scope), emails.map((email) => email.toLowerCase())]);
    const held = new Map<string, string[]>();
    for (const { email, portfolioRoles, accountRoles, role } of rows) {
      const all = [...(held.get(email) ?? []), ...(portfolioRoles ?? []), ...(accountRoles ?? [])];
      held.set(email, role === null ? all : [...all, role]);
    }
    return held;
  }

  async chargedPeriods(scope: LookupScope, supplyPoints: readonly string[]): Promise<StoredChargedPeriod[]> {
    return this.database.run<StoredChargedPeriod & Record<string, unknown>>(chargedPeriods, [
      ...who(scope),
      supplyPoints,
    ]);
  }
}

function who({ organisationId, supplierId, externalAccountNumber }: LookupScope): unknown[] {
  return [organisationId, supplierId, externalAccountNumber];
}
