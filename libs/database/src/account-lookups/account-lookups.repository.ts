import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../connection/database';

/** Whose accounts are looked at, and which of them is the one that asks. */
export interface LookupScope {
  organisationId: number;
  supplierId: number;
  externalAccountNumber: string;
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

/** What one account asks about the others, and by what each finding is told. */
export interface LookupFindings {
  /** Which of these references of debts other accounts have: the reference. */
  'cais-reference': string;
  /** Which of these references (`namespace`, `value`) another account of the supplier has: its place in the question. */
  reference: number;
  /** The roles of those with these addresses, in lower case. */
  email: StoredRoles;
  /** What these supply points were charged for. */
  'supply-point': StoredChargedPeriod;
}

export type LookupKind = keyof LookupFindings;

export interface LookupQuestion<Kind extends LookupKind = LookupKind> {
  kind: Kind;
  scope: LookupScope;
  values: readonly LookupValue[];
}

export interface LookupValue {
  value: string;
  /** Of a reference. */
  namespace?: string;
}

/**
 * What is found for questions, as parts of a statement that end with `finding (question, finding)`; the parameters are
 * those of {@link questionParameters}, from `first` on.
 *
 * Accounts of the same organisation (references: of the same supplier), without the one that asks: what others have
 * must not be learnt. What is materialized is found by its index, whatever the planner thinks of the joins: from the
 * other end it reads every account of the organisation, for each account that is checked.
 */
export function findings(first: number): string {
  const columns = ['integer', 'text', 'integer', 'integer', 'text', 'integer', 'text', 'text'];
  return `
    asked AS MATERIALIZED (
      SELECT * FROM unnest(${columns.map((type, index) => `$${first + index}::${type}[]`).join(', ')})
        AS asked (question, kind, organisation_id, supplier_id, external_account_number, place, namespace, value)
    ), stored_finding AS MATERIALIZED (
      SELECT asked.*, stored.account_id, to_json(value) AS finding
      FROM asked JOIN debt stored ON stored.cais_reference = asked.value
      WHERE kind = 'cais-reference'
      UNION ALL
      SELECT asked.*, stored.account_id, to_json(place)
      FROM asked JOIN account_reference stored USING (supplier_id, namespace, value)
      WHERE kind = 'reference'
      UNION ALL
      SELECT asked.*, stored.account_id, json_build_object('email', value,
        'portfolioRoles', stored.details -> 'portfolio_roles', 'accountRoles', stored.details -> 'account_roles',
        'role', stored.details ->> 'role')
      FROM asked JOIN customer stored ON lower(stored.email) = asked.value
      WHERE kind = 'email'
      UNION ALL
      SELECT asked.*, stored.account_id, json_build_object('supplyPoint', value,
        'start_date', stored.start_date, 'end_date', stored.end_date)
      FROM asked JOIN charged_period stored ON stored.supply_point_identifier = asked.value
      WHERE kind = 'supply-point'
    ), finding AS MATERIALIZED (
      SELECT question, finding
      FROM stored_finding found
      JOIN account ON account.id = found.account_id
      JOIN import_supplier supplier
        ON supplier.id = account.supplier_id AND supplier.organisation_id = found.organisation_id
      WHERE NOT (account.supplier_id = found.supplier_id
        AND account.external_account_number = found.external_account_number)
    )`;
}

/** For {@link findings}: `question` is the place, from 1 on, of those that ask together. */
export function questionParameters(asking: readonly (readonly LookupQuestion[])[]): unknown[][] {
  const all = asking.flatMap((questions, index) =>
    questions.flatMap(({ kind, scope, values }) =>
      values.map(({ value, namespace = null }, place) => ({
        ...{ question: index + 1, kind, scope, place, namespace, value },
      })),
    ),
  );
  return [
    all.map(({ question }) => question),
    all.map(({ kind }) => kind),
    all.map(({ scope }) => scope.organisationId),
    all.map(({ scope }) => scope.supplierId),
    all.map(({ scope }) => scope.externalAccountNumber),
    all.map(({ place }) => place),
    all.map(({ namespace }) => namespace),
    all.map(({ value }) => value),
  ];
}

const lookUp: Statement = {
  name: 'look-up-stored-accounts',
  text: `WITH ${findings(1)} SELECT question, finding FROM finding`,
};

/** Questions of the account rules about stored accounts: those of many accounts are answered in one round trip. */
@Injectable()
export class AccountLookupsRepository {
  constructor(private readonly database: Database) {}

  /** @returns what was found for each question, in the order of the questions; the same may be found more than once */
  async answer(questions: readonly LookupQuestion[]): Promise<LookupFindings[LookupKind][][]> {
    const rows = await this.database.run<{ question: number; finding: LookupFindings[LookupKind] }>(
      lookUp,
      questionParameters(questions.map((question) => [question])),
    );
    const answers: LookupFindings[LookupKind][][] = questions.map(() => []);
    for (const { question, finding } of rows) answers[question - 1]?.push(finding);
    return answers;
  }
}
