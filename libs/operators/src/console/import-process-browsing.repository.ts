import { Injectable } from '@nestjs/common';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from '@portage/imports';
import { type Executor, MAX_ID, type Statement } from '@portage/platform';

/** A process in a list of operators. Times are PostgreSQL's text. */
export interface BrowsedProcess {
  id: string;
  externalAccountNumber: string;
  status: ImportProcessStatus;
  errorCode: string | null;
  accountNumber: string | null;
  submissionId: string | null;
  version: number;
  createdAt: string;
  modifiedAt: string;
}

/** Filters of a list. A process matches if it matches all that are present. */
export interface BrowseFilter {
  supplierId: number;
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
  /** The id of a submission. */
  submission?: string | undefined;
  /** Processes that were created at or after this moment. */
  from?: Date | undefined;
  /** Processes that were created before this moment. */
  to?: Date | undefined;
}

/** A part of a list. */
export interface BrowsedPage<Cursor> {
  processes: BrowsedProcess[];
  /** Where to read on; undefined at the end of the list. */
  next: Cursor | undefined;
}

/** Where a list by identifier is read on: after this external account number, or after this account number. */
export type IdentifierCursor = { external: string } | { account: string };

/** Processes that one statement examines where filters match few of them. */
export const MAX_EXAMINED_PROCESSES = 10_000;

/** Processes of concurrent requests get their ids up to this long before or after their times of creation. */
const ID_ORDER_TOLERANCE_MS = 300_000;

/** Sorts after every text that begins with the text before it. */
const LAST_CHARACTER = '\u{10FFFF}';

/** The columns of a {@link BrowsedProcess}. */
export const BROWSED_COLUMNS = `id, external_account_number, status, error_code, account_number, submission_id, version,
  created_at, modified_at`;

/**
 * A page of one of the lists. `scan` is bounded: it reads `scanned` from the index of the most selective filter, in the
 * order of its `identifier`, whatever the other filters find in it. $1 to $6 are the filters, $7 and $8 bound the scan, $9
 * limits it, $10 limits the page, and $11 is the beginning of the identifier.
 *
 * @param end SQL of the identifier at which the scan has ended
 */
const pageStatement = (name: string, scan: string, order: string, end: string): Statement => ({
  name: `browse-processes-${name}`,
  text: `
    WITH ${scan}
    SELECT 'process' AS kind, ${BROWSED_COLUMNS}, identifier FROM (
      SELECT * FROM scanned
      WHERE starts_with(identifier, $11)
        AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR error_code = $3)
        AND ($4::bigint IS NULL OR submission_id = $4)
        AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)
      ORDER BY ${order} LIMIT $10
    ) matched
    UNION ALL
    SELECT 'end', NULL, NULL, NULL, NULL, NULL, NULL, count(*)::integer, NULL, NULL, (${end}) FROM scanned`,
});

/**
 * A list by id, the newest first.
 *
 * Rows are compared, and not columns: with equal columns the order would be that of the id alone, and a generic plan, which
 * does not know how many rows have a value, would read the primary key and look for them. Only one index has the order of
 * the whole row.
 */
const newestFirst = (name: string, scan: string) =>
  pageStatement(
    name,
    `scanned AS MATERIALIZED (
      SELECT ${BROWSED_COLUMNS}, id::text AS identifier FROM ${scan} LIMIT $9
    )`,
    'id DESC',
    'min(id)::text',
  );

const bySupplier = newestFirst(
  'of-supplier',
  `import_process WHERE (supplier_id, id) > ($1, $7) AND (supplier_id, id) < ($1, $8)
      ORDER BY supplier_id DESC, id DESC`,
);

const byStatus = newestFirst(
  'by-status',
  `import_process
      WHERE (supplier_id, status, id) > ($1, $2, $7) AND (supplier_id, status, id) < ($1, $2, $8)
      ORDER BY supplier_id DESC, status DESC, id DESC`,
);

const byError = newestFirst(
  'by-error',
  `import_process
      WHERE error_code IS NOT NULL
        AND (supplier_id, error_code, id) > ($1, $3, $7) AND (supplier_id, error_code, id) < ($1, $3, $8)
      ORDER BY supplier_id DESC, error_code DESC, id DESC`,
);

const bySubmission = newestFirst(
  'of-submission',
  // The index has the status before the id: one range for each status that is wanted.
  `(
        SELECT process.* FROM unnest(CASE WHEN $2::text IS NULL THEN '{${IMPORT_PROCESS_STATUSES.join(',')}}'::text[]
          ELSE ARRAY[$2::text] END) AS wanted (status)
        CROSS JOIN LATERAL (
          SELECT * FROM import_process
          WHERE submission_id IS NOT NULL
            AND (submission_id, import_process.status, id) > ($4, wanted.status, $7)
            AND (submission_id, import_process.status, id) < ($4, wanted.status, $8)
          ORDER BY submission_id DESC, import_process.status DESC, id DESC LIMIT $9
        ) process
      ) of_submission WHERE supplier_id = $1 ORDER BY id DESC`,
);

const byExternalNumber = pageStatement(
  'by-external-number',
  // The range has all texts with the prefix in any collation, and is read in the order of its index. starts_with decides.
  `scanned AS MATERIALIZED (
      SELECT ${BROWSED_COLUMNS}, external_account_number AS identifier FROM import_process
      WHERE supplier_id = $1 AND external_account_number > $7 AND external_account_number >= $11
        AND external_account_number <= $8
      ORDER BY external_account_number LIMIT $9
    )`,
  'identifier',
  'max(identifier)',
);

const byAccountNumber = pageStatement(
  'by-account-number',
  // Account numbers are of one form and random, so that few accounts of other suppliers are examined in vain. An account
  // whose external number matches too is in the other list.
  `accounts AS MATERIALIZED (
      SELECT number, process_id, supplier_id FROM account WHERE number > $7 AND number >= $11 AND number <= $8
      ORDER BY number LIMIT $9
    ), scanned AS MATERIALIZED (
      SELECT process.*, accounts.number AS identifier
      FROM accounts CROSS JOIN LATERAL (SELECT * FROM import_process WHERE id = accounts.process_id OFFSET 0) process
      WHERE accounts.supplier_id = $1 AND process.supplier_id = $1
        AND NOT starts_with(process.external_account_number, $11)
    )`,
  'identifier',
  'SELECT max(number) FROM accounts',
);

const ofSupplier = `(supplier_id, id) <= ($1, ${MAX_ID}) AND (supplier_id, id)`;

const firstIdSince: Statement = {
  name: 'first-process-created-since',
  // Bisection in one statement, as round trips would take most of the time: at most 64 probes of the index.
  text: `
    WITH RECURSIVE bounds AS (
      SELECT (SELECT id FROM import_process WHERE ${ofSupplier} > ($1, 0) ORDER BY supplier_id, id LIMIT 1) AS low,
        (SELECT id FROM import_process WHERE ${ofSupplier} > ($1, 0) ORDER BY supplier_id DESC, id DESC LIMIT 1) + 1 AS high
    ), bisection AS (
      SELECT low, high FROM bounds
      UNION ALL
      SELECT CASE WHEN is_since THEN low ELSE near.id + 1 END, CASE WHEN is_since THEN middle ELSE high END
      FROM (SELECT low, high, (low + high) / 2 AS middle FROM bisection WHERE low < high) AS halves
      LEFT JOIN LATERAL (
        SELECT id, created_at FROM import_process WHERE ${ofSupplier} >= ($1, middle) ORDER BY supplier_id, id LIMIT 1
      ) AS near ON true
      CROSS JOIN LATERAL (SELECT coalesce(near.created_at >= $2, true) AS is_since) AS compared
    )
    SELECT low::text AS id FROM bisection WHERE low >= high`,
};

interface ScannedRow extends BrowsedProcess {
  kind: 'process' | 'end';
  identifier: string | null;
}

/** Lists of processes for the pages of operators. No statement reads more than is bounded. */
@Injectable()
export class ImportProcessBrowsingRepository {
  /**
   * The next processes before the cursor, the newest first. A page without processes only moves the cursor on.
   *
   * @param cursor the id of the process that was examined last
   */
  async browse(
    filter: BrowseFilter,
    cursor: string | undefined,
    limit: number,
    executor: Executor,
  ): Promise<BrowsedPage<string>> {
    const range = await this.idsBetween(filter, executor);
    const before = cursor === undefined || BigInt(cursor) > BigInt(range.before) ? range.before : cursor;
    const examined = isFiltered(filter) ? MAX_EXAMINED_PROCESSES : limit;
    return readPage(statementFor(filter), filter, [range.after, before, examined, limit, ''], executor);
  }

  /**
   * The next processes whose external account number begins with `text`, by that number, and after them those whose
   * account number does.
   */
  async browseByIdentifier(
    filter: BrowseFilter,
    text: string,
    cursor: IdentifierCursor,
    limit: number,
    executor: Executor,
  ): Promise<BrowsedPage<IdentifierCursor>> {
    const read = async (statement: Statement, after: string) =>
      readPage(
        statement,
        filter,
        [after, text + LAST_CHARACTER, MAX_EXAMINED_PROCESSES, limit, text],
        executor,
      );
    if ('account' in cursor) {
      const { processes, next } = await read(byAccountNumber, cursor.account);
      return { processes, next: next === undefined ? undefined : { account: next } };
    }
    const { processes, next } = await read(byExternalNumber, cursor.external);
    if (next !== undefined) return { processes, next: { external: next } };
    const hasAccountNumbers = /^A-[0-9a-f]{4,8}$/.test(text);
    return { processes, next: hasAccountNumbers ? { account: '' } : undefined };
  }

  /**
   * The ids between which processes were created within the time of the filter. Ids grow with the time of creation, so
   * that a few probes of the index find them; the statement compares the times themselves.
   */
  private async idsBetween(
    { supplierId, from, to }: BrowseFilter,
    executor: Executor,
  ): Promise<{ after: string; before: string }> {
    const idAt = async (moment: number) =>
      (await executor.run<{ id: string }>(firstIdSince, [supplierId, new Date(moment)]))[0]?.id;
    const after = from && (await idAt(from.getTime() - ID_ORDER_TOLERANCE_MS));
    const before = to && (await idAt(to.getTime() + ID_ORDER_TOLERANCE_MS));
    return { after: after === undefined ? '0' : String(BigInt(after) - 1n), before: before ?? MAX_ID };
  }
}

function statementFor({ status, errorCode, submission }: BrowseFilter): Statement {
  if (errorCode !== undefined) return byError;
  if (submission !== undefined) return bySubmission;
  return status === undefined ? bySupplier : byStatus;
}

/** True if the scan may examine rows that do not match. */
function isFiltered({ status, errorCode, submission, from, to }: BrowseFilter): boolean {
  if (from ?? to) return true;
  if (errorCode !== undefined) return status !== undefined || submission !== undefined;
  return false;
}

/** @param scan the bounds of the scan, its limit, the limit of the page, and the beginning of the identifiers */
async function readPage(
  statement: Statement,
  { supplierId, status, errorCode, submission, from, to }: BrowseFilter,
  scan: readonly [after: string, before: string, examined: number, limit: number, text: string],
  executor: Executor,
): Promise<BrowsedPage<string>> {
  const filters = [status ?? null, errorCode ?? null, submission ?? null, from ?? null, to ?? null];
  const rows = await executor.run<ScannedRow>(statement, [supplierId, ...filters, ...scan]);
  const [, , examined, limit] = scan;
  const found = rows.filter(({ kind }) => kind === 'process');
  const end = rows.find(({ kind }) => kind === 'end') as ScannedRow;
  const processes = found.map(({ kind: _kind, identifier: _identifier, ...process }) => process);
  const last = found.length === limit ? found.at(-1) : end.version < examined ? undefined : end;
  return { processes, next: last?.identifier ?? undefined };
}
