import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database';

/** Whose accounts are looked at, and which of them is the one that asks. */
export interface LookupScope {
  organisationId: number;
  supplierId: number;
  externalAccountNumber: string;
}

/** What one account asks. */
export interface LookupQuestion<Value> {
  scope: LookupScope;
  values: readonly Value[];
}

export interface StoredReference {
  namespace: string;
  value: string;
}

export interface StoredRoles {
  email: string;
  portfolioRoles: string[] | null;
  accountRoles: string[] | null;
  role: string | null;
}

export interface StoredChargedPeriod {
  supplyPoint: string;
  start_date: string;
  end_date: string;
}

/** Which question a row belongs to, from 1. */
interface Placed {
  question: number;
}

const ASKED = `unnest($1::integer[], $2::integer[], $3::integer[], $4::text[], $5::text[])
  AS asked (question, organisation_id, supplier_id, external_account_number, value)`;

/**
 * Accounts of the same organisation, without the one that asks: what others have must not be learnt.
 *
 * `found` is materialized, so that its index is used whatever the planner thinks of the join: from the other end it
 * reads every account of the organisation, for each account that is checked.
 */
const OTHERS = `
  FROM found
  JOIN account ON account.id = found.account_id
  JOIN import_supplier supplier
    ON supplier.id = account.supplier_id AND supplier.organisation_id = found.organisation_id
  WHERE NOT (account.supplier_id = found.supplier_id
    AND account.external_account_number = found.external_account_number)`;

const FOUND = 'SELECT asked.*, stored.account_id';

const caisReferences: Statement = {
  name: 'look-up-cais-references',
  text: `
    WITH found AS MATERIALIZED (${FOUND} FROM ${ASKED} JOIN debt stored ON stored.cais_reference = asked.value)
    SELECT DISTINCT question, value ${OTHERS}`,
};

const accountReferences: Statement = {
  name: 'look-up-account-references',
  // Unique for each supplier, so only this supplier's count.
  text: `
    SELECT question, asked.place::integer - 1 AS place
    FROM ROWS FROM (unnest($1::integer[]), unnest($2::integer[]), unnest($3::text[]), unnest($4::text[]),
      unnest($5::text[]), unnest($6::integer[]))
      AS asked (question, supplier_id, external_account_number, namespace, value, place)
    JOIN account_reference stored USING (supplier_id, namespace, value)
    JOIN account ON account.id = stored.account_id
    WHERE account.external_account_number <> asked.external_account_number`,
};

const roles: Statement = {
  name: 'look-up-roles',
  text: `
    WITH found AS MATERIALIZED (
      ${FOUND}, stored.details FROM ${ASKED} JOIN customer stored ON lower(stored.email) = asked.value
    )
    SELECT question, found.value AS email, found.details -> 'portfolio_roles' AS "portfolioRoles",
      found.details -> 'account_roles' AS "accountRoles", found.details ->> 'role' AS role ${OTHERS}`,
};

const chargedPeriods: Statement = {
  name: 'look-up-charged-periods',
  text: `
    WITH found AS MATERIALIZED (
      ${FOUND}, start_date, end_date
      FROM ${ASKED} JOIN charged_period stored ON stored.supply_point_identifier = asked.value
    )
    SELECT question, value AS "supplyPoint", start_date::text, end_date::text ${OTHERS}`,
};

/** Questions of the account rules about stored accounts: those of many accounts are answered in one round trip. */
@Injectable()
export class AccountLookupsRepository {
  constructor(private readonly database: Database) {}

  /** @returns of each question those references that other accounts have */
  async caisReferencesInUse(questions: readonly LookupQuestion<string>[]): Promise<string[][]> {
    const rows = await this.database.run<Placed & { value: string }>(caisReferences, asked(questions));
    return answers(questions, rows, ({ value }) => value);
  }

  /** @returns of each question the places of those references that another account of the supplier has */
  async accountReferencesInUse(questions: readonly LookupQuestion<StoredReference>[]): Promise<number[][]> {
    const all = questions.flatMap(({ scope, values }, index) =>
      values.map((reference, place) => ({ question: index + 1, scope, ...reference, place: place + 1 })),
    );
    const rows = await this.database.run<Placed & { place: number }>(accountReferences, [
      all.map(({ question }) => question),
      all.map(({ scope }) => scope.supplierId),
      all.map(({ scope }) => scope.externalAccountNumber),
      all.map(({ namespace }) => namespace),
      all.map(({ value }) => value),
      all.map(({ place }) => place),
    ]);
    return answers(questions, rows, ({ place }) => place);
  }

  /**
   * @param questions e-mail addresses in lower case
   * @returns of each question the roles of those that have an account
   */
  async rolesHeldBy(questions: readonly LookupQuestion<string>[]): Promise<StoredRoles[][]> {
    const rows = await this.database.run<Placed & StoredRoles>(roles, asked(questions));
    return answers(questions, rows, (row) => row);
  }

  /** @param questions identifiers of supply points */
  async chargedPeriods(questions: readonly LookupQuestion<string>[]): Promise<StoredChargedPeriod[][]> {
    const rows = await this.database.run<Placed & StoredChargedPeriod>(chargedPeriods, asked(questions));
    return answers(questions, rows, (row) => row);
  }
}

/** All values of all questions, each with what it belongs to. */
function asked(questions: readonly LookupQuestion<string>[]): unknown[] {
  const all = questions.flatMap(({ scope, values }, index) =>
    values.map((value) => ({ question: index + 1, scope, value })),
  );
  return [
    all.map(({ question }) => question),
    all.map(({ scope }) => scope.organisationId),
    all.map(({ scope }) => scope.supplierId),
    all.map(({ scope }) => scope.externalAccountNumber),
    all.map(({ value }) => value),
  ];
}

function answers<Row extends Placed, Answer>(
  questions: readonly unknown[],
  rows: readonly Row[],
  answerOf: (row: Row) => Answer,
): Answer[][] {
  const all: Answer[][] = questions.map(() => []);
  for (const row of rows) all[row.question - 1]?.push(answerOf(row));
  return all;
}
