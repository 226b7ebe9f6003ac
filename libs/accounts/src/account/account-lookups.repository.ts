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

/** One list of findings for each lookup of an account, in the order of the lookups. */
export type Findings = LookupFindings[LookupKind][][];

/** A finding as statements return it. */
export interface FindingRow {
  /** Number of the item in the batch that the lookup belongs to, counted from 1. */
  item: number;
  /** Index of the lookup in the lookups of the item. */
  lookup: number;
  finding: LookupFindings[LookupKind];
}

const LOOKUP_COLUMNS = [
  ['item', 'integer'],
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

/**
 * Builds the common table expressions that run lookups inside a statement. The last one is
 * `finding (item, lookup, finding)`, see {@link FindingRow}. {@link lookupParameters} builds its parameters, which
 * start at number `first`.
 *
 * Searches accounts of the same organisation (references: of the same supplier) without the account of the lookup, so
 * that no organisation learns about another. Each value is one probe of an index that begins with the organisation or
 * the supplier, and has at most one finding: the cost does not depend on what is stored. LIMIT and OFFSET in the
 * subqueries make the planner probe for each value, independently of its statistics.
 */
export function buildFindings(first: number): string {
  const arrays = LOOKUP_COLUMNS.map(([, type], index) => `$${first + index}::${type}[]`);
  return `
    lookup_value AS MATERIALIZED (
      SELECT lookup_value.*, coalesce(own.id, 0) AS own_id
      FROM unnest(${arrays.join(', ')}) AS lookup_value (${LOOKUP_COLUMNS.map(([name]) => name).join(', ')})
      LEFT JOIN LATERAL (
        SELECT id FROM account
        ${whereNameIs('external_account_number', 'lookup_value.supplier_id', 'lookup_value.external_account_number')}
      ) own ON true
    ), finding AS MATERIALIZED (
      SELECT item, lookup, to_json(lookup_value.value) AS finding
      FROM lookup_value CROSS JOIN LATERAL (
        SELECT FROM debt stored WHERE stored.organisation_id = lookup_value.organisation_id
          AND stored.cais_reference = lookup_value.value AND stored.account_id <> own_id LIMIT 1
      ) stored
      WHERE kind = 'cais-reference'
      UNION ALL
      SELECT item, lookup, to_json(value_index)
      FROM lookup_value CROSS JOIN LATERAL (
        SELECT FROM account_reference stored WHERE stored.supplier_id = lookup_value.supplier_id
          AND stored.namespace = lookup_value.namespace AND stored.value = lookup_value.value
          AND stored.account_id <> own_id LIMIT 1
      ) stored
      WHERE kind = 'reference'
      UNION ALL
      SELECT item, lookup, json_build_object('email', lookup_value.value, 'roles', held.roles)
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
      SELECT item, lookup, json_build_object('index', value_index, 'start_date', stored.start_date,
        'end_date', stored.end_date)
      FROM lookup_value CROSS JOIN LATERAL (
        ${chargedBefore('lookup_value.organisation_id', 'lookup_value.value', 'lookup_value.start_date', 'lookup_value.end_date')}
          AND stored.account_id <> own_id LIMIT 1
      ) stored
      WHERE kind = 'charged-period'
    )`;
}

/** The parameters of {@link buildFindings}: the lookups of each item of a batch. */
export function lookupParameters(items: readonly (readonly AccountLookup[])[]): unknown[][] {
  const values = items.flatMap((lookups, index) =>
    lookups.flatMap(({ kind, scope, values }, lookup) =>
      values.map(({ value, namespace = null, startDate = null, endDate = null }, valueIndex) => ({
        item: index + 1,
        lookup,
        kind,
        scope,
        valueIndex,
        namespace,
        value,
        startDate,
        endDate,
      })),
    ),
  );
  return [
    values.map(({ item }) => item),
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
  ];
}

/**
 * Groups the rows of a statement by item and lookup.
 *
 * @param items the lookups of each item, as they were passed to {@link lookupParameters}
 * @returns the findings of each item, in the order of the items; undefined for an item without any
 */
export function groupFindings(
  items: readonly (readonly AccountLookup[])[],
  rows: readonly FindingRow[],
): (Findings | undefined)[] {
  const grouped: (Findings | undefined)[] = items.map(() => undefined);
  for (const { item, lookup, finding } of rows) {
    const findings = (grouped[item - 1] ??= (items[item - 1] ?? []).map(() => []));
    findings[lookup]?.push(finding);
  }
  return grouped;
}

const lookUp: Statement = {
  name: 'look-up-stored-accounts',
  text: `WITH ${buildFindings(1)} SELECT item, lookup, finding FROM finding`,
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
    const items = lookups.map((lookup) => [lookup]);
    const rows = await this.database.run<FindingRow>(lookUp, lookupParameters(items));
    return groupFindings(items, rows).map((findings) => findings?.[0] ?? []);
  }
}
