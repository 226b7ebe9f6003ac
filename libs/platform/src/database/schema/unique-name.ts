/** A column that is unique together with `supplier_id`, in `import_process` and in `account`. */
type NameColumn = 'external_account_number' | 'external_identifier';

/**
 * The end of a SELECT from one table that finds the row of a supplier by a unique name. All arguments are SQL.
 *
 * It is a range of one value, in its order, because only the index on the name has that order. For an equality the
 * planner considers all indexes that begin with the supplier as equally good while the table is small, and a session
 * retains a plan that reads all rows of the supplier until the table is analyzed.
 */
export function whereNameIs(column: NameColumn, supplierId: string, name: string): string {
  return `WHERE supplier_id = ${supplierId} AND ${column} >= ${name} AND ${column} <= ${name}
        ORDER BY ${column} LIMIT 1`;
}
