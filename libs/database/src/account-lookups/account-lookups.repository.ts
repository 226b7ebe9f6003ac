import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../connection/database';

/** The accounts that a lookup searches, and the account that it is made for, which the search excludes. */
export interface LookupScope {
  organisationId: number;
  supplierId: number;
  externalAccountNumber: string;
}

/** The roles of a stored customer, by its e-mail address. */
export interface StoredRoles {
  email: string;
  portfolioRoles: string[] | null;
  accountRoles: string[] | null;
  role: string | null;
}

/** A period for which a supply point was charged. Both days are included. */
export interface StoredChargedPeriod {
  supplyPoint: string;
  start_date: string;
  end_date: string;
}

/** The kinds of lookup, and the shape of one finding of each. */
export interface LookupFindings {
  /** A CAIS reference of a debt that another account has: the reference. */
  'cais-reference': string;
  /** A reference (`namespace`, `value`) that another account of the supplier has: its index in the lookup's values. */
  reference: number;
  /** The roles of a customer with one of these e-mail addresses, which are in lower case. */
  email: StoredRoles;
  /** A period for which one of these supply points was charged. */
  'supply-point': StoredChargedPeriod;
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
}

/** One list of findings for each lookup of an account, in the order of the lookups. A finding may occur repeatedly. */
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
] as const;

/**
 * Builds the common table expressions that run lookups inside a statement. The last one is
 * `finding (item, lookup, finding)`, see {@link FindingRow}. {@link lookupParameters} builds its parameters, which
 * start at number `first`.
 *
 * Searches accounts of the same organisation (references: of the same supplier) without the account of the lookup, so
 * that no organisation learns about another. The CTEs are materialized to make the planner start at the indexes of the
 * values. The opposite join order reads every account of the organisation for each account that is checked.
 */
export function buildFindings(first: number): string {
  const arrays = LOOKUP_COLUMNS.map(([, type], index) => `$${first + index}::${type}[]`);
  return `
    lookup_value AS MATERIALIZED (
      SELECT * FROM unnest(${arrays.join(', ')}) AS lookup_value (${LOOKUP_COLUMNS.map(([name]) => name).join(', ')})
    ), matched AS MATERIALIZED (
      SELECT lookup_value.*, stored.account_id, to_json(value) AS finding
      FROM lookup_value JOIN debt stored ON stored.cais_reference = lookup_value.value
      WHERE kind = 'cais-reference'
      UNION ALL
      SELECT lookup_value.*, stored.account_id, to_json(value_index)
      FROM lookup_value JOIN account_reference stored USING (supplier_id, namespace, value)
      WHERE kind = 'reference'
      UNION ALL
      SELECT lookup_value.*, stored.account_id, json_build_object('email', value,
        'portfolioRoles', stored.details -> 'portfolio_roles', 'accountRoles', stored.details -> 'account_roles',
        'role', stored.details ->> 'role')
      FROM lookup_value JOIN customer stored ON lower(stored.email) = lookup_value.value
      WHERE kind = 'email'
      UNION ALL
      SELECT lookup_value.*, stored.account_id, json_build_object('supplyPoint', value,
        'start_date', stored.start_date, 'end_date', stored.end_date)
      FROM lookup_value JOIN charged_period stored ON stored.supply_point_identifier = lookup_value.value
      WHERE kind = 'supply-point'
    ), finding AS MATERIALIZED (
      SELECT item, lookup, finding
      FROM matched
      JOIN account ON account.id = matched.account_id
      JOIN import_supplier supplier
        ON supplier.id = account.supplier_id AND supplier.organisation_id = matched.organisation_id
      WHERE NOT (account.supplier_id = matched.supplier_id
        AND account.external_account_number = matched.external_account_number)
    )`;
}

/** The parameters of {@link buildFindings}: the lookups of each item of a batch. */
export function lookupParameters(items: readonly (readonly AccountLookup[])[]): unknown[][] {
  const values = items.flatMap((lookups, index) =>
    lookups.flatMap(({ kind, scope, values }, lookup) =>
      values.map(({ value, namespace = null }, valueIndex) => ({
        ...{ item: index + 1, lookup, kind, scope, valueIndex, namespace, value },
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
   * @returns the findings of each lookup, in the order of the lookups; a finding may occur repeatedly
   */
  async answer(lookups: readonly AccountLookup[]): Promise<Findings> {
    const items = lookups.map((lookup) => [lookup]);
    const rows = await this.database.run<FindingRow>(lookUp, lookupParameters(items));
    return groupFindings(items, rows).map((findings) => findings?.[0] ?? []);
  }
}
