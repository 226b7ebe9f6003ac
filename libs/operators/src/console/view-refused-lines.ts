import { Injectable } from '@nestjs/common';
import type { SubmissionLineError } from '@portage/imports';
import { MAX_ID, type Statement } from '@portage/platform';
import { toMoment } from './moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from './page-cursor';
import { PageReads } from './page-reads';

/** An error of a refused line. */
export interface RefusedLineErrorView {
  code: string;
  /** The path of the field. */
  path: string | null;
  /** The sentence, which may quote the account. Null for a role that may not read payloads. */
  detail: string | null;
}

/** A line of a submission without an account, because it was refused. */
export interface RefusedLineView {
  submission_id: string;
  /** The reference of the submission. */
  reference: string;
  /** The number of the upload in its submission. */
  upload: number;
  /** The line in its upload, from 1. */
  line: number;
  /** As far as the line could be read. */
  external_account_number: string | null;
  /** The begin of the upload. */
  received_at: string;
  errors: RefusedLineErrorView[];
}

/** Filters of the list. A line matches if it matches all that are present. */
export interface RefusedLineFilter {
  /** With `path`, of one of its errors. */
  errorCode?: string | undefined;
  path?: string | undefined;
  /** The id of a submission. */
  submission?: string | undefined;
  /** The beginning of the external account number. */
  text?: string | undefined;
}

/** The place of a line in the list. */
interface Position {
  submissionId: string;
  uploadNumber: number;
  line: number;
}

interface LineRow extends Position {
  isLine: boolean;
  reference: string;
  externalAccountNumber: string | null;
  startedAt: string;
  errors: SubmissionLineError[];
  examined: number;
}

/** Lines that one request examines where filters match few of them. */
const MAX_EXAMINED = 10_000;
/** Submissions that one request reads: a statement for each. */
const MAX_SUBMISSIONS = 200;
const MAX_INTEGER = 2_147_483_647;

/**
 * The refused lines of a submission before the place $2 to $4. Rows are compared, so that only the index with this order is
 * read.
 */
const refusedLines = (id: string) => `submission_line
        WHERE outcome IS NOT NULL AND (submission_id, outcome, upload_number, line) > (${id}, 'refused', 0, 0)
          AND (submission_id, outcome, upload_number, line) < (${id}, 'refused',
            CASE ${id} WHEN $2::bigint THEN $3::integer ELSE ${MAX_INTEGER} END,
            CASE ${id} WHEN $2::bigint THEN $4::integer ELSE ${MAX_INTEGER} END)`;

const browse: Statement = {
  name: 'browse-refused-lines',
  // The lines of the next submission that has any; $5 is the only submission.
  text: `
    WITH received AS MATERIALIZED (
      SELECT id, reference FROM submission
      WHERE (supplier_id, id) >= ($1, coalesce($5::bigint, 0)) AND (supplier_id, id) <= ($1, least($2::bigint, $5::bigint))
        AND EXISTS (SELECT FROM ${refusedLines('submission.id')} OFFSET 0)
      ORDER BY supplier_id DESC, id DESC LIMIT 1
    ), scanned AS MATERIALIZED (
      SELECT received.id AS submission_id, reference, refused.* FROM received CROSS JOIN LATERAL (
        SELECT upload_number, line, external_account_number, errors FROM ${refusedLines('received.id')}
        ORDER BY submission_id DESC, outcome DESC, upload_number DESC, line DESC LIMIT $9
      ) AS refused
    )
    SELECT true AS is_line, matched.*, started_at, 0 AS examined FROM (
      SELECT * FROM scanned
      WHERE ($8::text IS NULL OR starts_with(external_account_number, $8))
        AND (coalesce($6::text, $7::text) IS NULL OR EXISTS (
          SELECT FROM json_array_elements(errors) AS error
          WHERE ($6::text IS NULL OR error ->> 'code' = $6) AND ($7::text IS NULL OR error ->> 'attr' = $7)
        ))
      ORDER BY upload_number DESC, line DESC LIMIT $10
    ) AS matched JOIN submission_upload upload ON upload.submission_id = matched.submission_id AND number = upload_number
    UNION ALL
    (SELECT false, last.*, NULL, (SELECT count(*) FROM scanned)::integer FROM scanned AS last
    ORDER BY upload_number, line LIMIT 1)`,
};

/** Lists the refused lines of a supplier for operators, the newest first, without counting them. */
@Injectable()
export class ViewRefusedLines {
  constructor(private readonly reads: PageReads) {}

  /**
   * A page of the list. One request examines at most 10,000 lines, so that a page can have fewer than `limit` although more
   * follow. A line whose account was accepted since is no longer in it.
   *
   * @param hasSentences true: with the sentences of errors, which may quote the account
   * @throws PortageError `not_found`, `validation_error`, `unavailable`
   */
  async list(
    code: string,
    { errorCode, path, submission, text }: RefusedLineFilter,
    { limit, cursor }: PageRequest,
    hasSentences = false,
  ): Promise<Page<RefusedLineView>> {
    const buildPage = (next: string | null) => ({
      items: lines.map((line) => buildLine(line, hasSentences)),
      next_cursor: next,
    });
    let before = cursor === undefined ? [MAX_ID, '0', '0'] : readCursor(cursor);
    const filters = [submission ?? null, errorCode ?? null, path ?? null, text ?? null];
    const lines: LineRow[] = [];
    return this.reads.run(async (reads) => {
      const { id } = await this.reads.requireSupplier(code, reads);
      let examined = 0;
      for (let step = 0; step < MAX_SUBMISSIONS && examined < MAX_EXAMINED; step += 1) {
        const bounds = [MAX_EXAMINED - examined, limit - lines.length];
        const rows = await reads.run<LineRow>(browse, [id, ...before, ...filters, ...bounds]);
        const end = rows.find(({ isLine }) => !isLine);
        if (!end) return buildPage(null);
        const found = rows.filter(({ isLine }) => isLine);
        for (const line of found.toSorted((one, other) => (isAfter(one, other) ? -1 : 1))) lines.push(line);
        const last = lines.length === limit ? lines.at(-1) : end;
        before = toPosition(last ?? end);
        if (lines.length === limit) break;
        examined += end.examined;
      }
      return buildPage(encodeCursor(before));
    });
  }
}

const toPosition = ({ submissionId, uploadNumber, line }: Position) => [
  submissionId,
  String(uploadNumber),
  String(line),
];

/** Both are of one submission. */
function isAfter(one: Position, other: Position): boolean {
  return one.uploadNumber === other.uploadNumber
    ? one.line > other.line
    : one.uploadNumber > other.uploadNumber;
}

function readCursor(cursor: string): string[] {
  return decodeCursor(
    cursor,
    3,
    (values) => values.every(isId) && values.slice(1).every((number) => Number(number) <= MAX_INTEGER),
  );
}

function buildLine(row: LineRow, hasSentences: boolean): RefusedLineView {
  return {
    submission_id: row.submissionId,
    reference: row.reference,
    upload: row.uploadNumber,
    line: row.line,
    external_account_number: row.externalAccountNumber,
    received_at: toMoment(row.startedAt),
    errors: row.errors.map(({ code, detail, attr }) => ({
      code,
      path: attr,
      detail: hasSentences ? detail : null,
    })),
  };
}
