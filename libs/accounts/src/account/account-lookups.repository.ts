import { Injectable } from '@nestjs/common';
import { Database, type Statement, whereNameIs } from '@portage/platform';

/** The accounts that a lookup searches, and the account that it is made for, which the search excludes. */
export interface LookupScope {
  organisationId: number;
  supplierId: number;
  externalAccountNumber: string;
}

/** The different roles of the stored customers with an e-mail address; at least one. */
export interface StoredRoles {
  email: string;
  roles: string[];
}

/** A period for which a supply point was charged. Both days are included. */
export interface StoredChargedPeriod {
  /** Index in the lookup's values of the period that it overlaps. */
  index: number;
  start_date: string;
  end_date: string;
}

/** The kinds of lookup, and the shape of one finding of each. A lookup has at most one finding for each value. */
export interface LookupFindings {
  /** A CAIS reference of a debt that another account has: the reference. */
  'cais-reference': string;
  /** A reference (`namespace`, `value`) that another account of the supplier has: its index in the lookup's values. */
  reference: number;
  /** The roles of one of these e-mail addresses, which are in lower case. */
  email: StoredRoles;
  /** A stored period that overlaps one of these periods of supply points. */
  'charged-period': StoredChargedPeriod;
}

/** The name of a kind of lookup. */
export type LookupKind = keyof LookupFindings;

/** A search of the stored accounts for values of one account. */
export interface AccountLookup<Kind extends LookupKind = LookupKind> {
  kind: Kind;
  scope: LookupScope;
  values: readonly LookupValue[];
}

/** A value that a lookup searches for. */
export interface LookupValue {
  value: string;
  /** Namespace of a reference. */
  namespace?: string;
  /** First and last day of a period; its value is the supply point. */
  startDate?: string;
  endDate?: string;
}

/** One list of findings for each lookup, in the order of the lookups. */
export type Findings = LookupFindings[LookupKind][][];

const LOOKUP_COLUMNS = [
  ['lookup', 'integer'],
  ['kind', 'text'],
  ['organisation_id', 'integer'],
  ['supplier_id', 'integer'],
  ['external_account_number', 'text'],
  ['value_index', 'integer'],
  ['namespace', 'text'],
  ['value', 'text'],
  ['start_date', 'date'],
  ['end_date', 'date'],
] as const;

/** Roles that are returned for one e-mail address: more than a list of roles has. */
const MAX_ROLES = 100;

/**
 * Stored periods of a supply point that are compared with a period. They do not overlap one another unless the rule was
 * off or two accounts were imported at the same time, so that the first one decides.
 */
const MAX_COMPARED_PERIODS = 100;

/**
 * Builds a query for the days of an organisation's supply point that were charged before, as `stored (account_id,
 * start_date, end_date)`. It compares the periods that end next after the first requested day. All arguments are SQL.
 */
export function chargedBefore(
  organisationId: string,
  supplyPoint: string,
  startDate: string,
  endDate: string,
): string {
  return `SELECT stored.start_date, stored.end_date FROM (
          SELECT account_id, start_date, end_date FROM charged_period
          WHERE organisation_id = ${organisationId}
            AND hashtextextended(supply_point_identifier, 0) = hashtextextended(${supplyPoint}, 0)
            AND supply_point_identifier = ${supplyPoint} AND end_date >= ${startDate}
          ORDER BY end_date LIMIT ${MAX_COMPARED_PERIODS}
        ) stored
        WHERE stored.start_date <= greatest(${startDate}, ${endDate})`;
}

const arrays = LOOKUP_COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`);

const lookUp: Statement = {
  name: 'look-up-stored-accounts',
  // Searches accounts of the same organisation (references: of the same supplier) without the account of the lookup, so
  // that no organisation learns about another. Each value is one probe of an index that begins with the organisation or
  // the supplier, and has at most one finding: the cost does not depend on what is stored. LIMIT and OFFSET in the
  // subqueries make the planner probe for each value, independently of its statistics.
  text: `
    WITH lookup_value AS MATERIALIZED (
      SELECT lookup_value.*, coalesce(own.id, 0) AS own_id
      FROM unnest(${arrays.join(', ')}) AS lookup_value (${LOOKUP_COLUMNS.map(([name]) => name).join(', ')})
      LEFT JOIN LATERAL (
        SELECT id FROM account
        ${whereNameIs('external_account_number', 'lookup_value.supplier_id', 'lookup_value.external_account_number')}
      ) own ON true
    )
      SELECT lookup, to_json(lookup_value.value) AS finding
      FROM lookup_value CROSS JOIN LATERAL (
        SELECT FROM debt stored WHERE stored.organisation_id = lookup_value.organisation_id
          AND stored.cais_reference = lookup_value.value AND stored.account_id <> own_id LIMIT 1
      ) stored
      WHERE kind = 'cais-reference'
      UNION ALL
      SELECT lookup, to_json(value_index)
      FROM lookup_value CROSS JOIN LATERAL (
        SELECT FROM account_reference stored WHERE stored.supplier_id = lookup_value.supplier_id
          AND stored.namespace = lookup_value.namespace AND stored.value = lookup_value.value
          AND stored.account_id <> own_id LIMIT 1
      ) stored
      WHERE kind = 'reference'
      UNION ALL
      SELECT lookup, json_build_object('email', lookup_value.value, 'roles', held.roles)
      FROM lookup_value CROSS JOIN LATERAL (
        -- Steps from one role to the next in the index, however many accounts have it.
        WITH RECURSIVE held AS (
          (SELECT role, 1 AS step FROM held_role stored WHERE stored.organisation_id = lookup_value.organisation_id
            AND stored.email = lookup_value.value AND stored.account_id <> own_id ORDER BY role LIMIT 1)
          UNION ALL
          SELECT following.role, held.step + 1 FROM held CROSS JOIN LATERAL (
            SELECT stored.role FROM held_role stored WHERE stored.organisation_id = lookup_value.organisation_id
              AND stored.email = lookup_value.value AND stored.role > held.role AND stored.account_id <> own_id
            ORDER BY stored.role LIMIT 1
          ) following
          WHERE held.step < ${MAX_ROLES}
        )
        SELECT json_agg(role) AS roles FROM held
      ) held
      WHERE kind = 'email' AND held.roles IS NOT NULL
      UNION ALL
      SELECT lookup, json_build_object('index', value_index, 'start_date', stored.start_date,
        'end_date', stored.end_date)
      FROM lookup_value CROSS JOIN LATERAL (
        ${chargedBefore('lookup_value.organisation_id', 'lookup_value.value', 'lookup_value.start_date', 'lookup_value.end_date')}
          AND stored.account_id <> own_id LIMIT 1
      ) stored
      WHERE kind = 'charged-period'`,
};

/** Searches stored accounts for the account rules. The lookups of many accounts share one round trip. */
@Injectable()
export class AccountLookupsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Runs lookups.
   *
   * @returns the findings of each lookup, in the order of the lookups
   */
  async answer(lookups: readonly AccountLookup[]): Promise<Findings> {
    const values = lookups.flatMap(({ kind, scope, values: ofLookup }, lookup) =>
      ofLookup.map(({ value, namespace = null, startDate = null, endDate = null }, valueIndex) => ({
        lookup,
        kind,
        scope,
        valueIndex,
        namespace,
        value,
        startDate,
        endDate,
      })),
    );
    const rows = await this.database.run<{ lookup: number; finding: LookupFindings[LookupKind] }>(lookUp, [
      values.map(({ lookup }) => lookup),
      values.map(({ kind }) => kind),
      values.map(({ scope }) => scope.organisationId),
      values.map(({ scope }) => scope.supplierId),
      values.map(({ scope }) => scope.externalAccountNumber),
      values.map(({ valueIndex }) => valueIndex),
      values.map(({ namespace }) => namespace),
      values.map(({ value }) => value),
      values.map(({ startDate }) => startDate),
      values.map(({ endDate }) => endDate),
    ]);
    const findings: Findings = lookups.map(() => []);
    for (const { lookup, finding } of rows) findings[lookup]?.push(finding);
    return findings;
  }
}
