import { Injectable } from '@nestjs/common';
import { countsOfSuppliers } from '@portage/imports';
import { type Executor, MAX_ID, type Statement } from '@portage/platform';
import type { ActionItemKind } from './action-items.dto';

/** What waits for an operator. Times are PostgreSQL's text. */
export interface StoredActionItem {
  kind: ActionItemKind;
  supplier: string;
  subject: string | null;
  count: number;
  /** True if there are more than `count`. */
  isCapped: boolean;
  since: string | null;
  /** The id of the submission. */
  id: string | null;
}

/** Rows of one kind and supplier that are counted, where nothing keeps their count. */
const MAX_COUNTED = 10_000;
/** Payment instructions that are examined, of all suppliers, for each outcome. */
const MAX_INSTRUCTIONS = 1_000;
/** Items of one statement. */
const MAX_ITEMS = 200;
/** Submissions among which the first with a refused line is looked for. */
const MAX_SUBMISSIONS = 1_000;
/** Ends of submissions of a supplier that are looked at, the newest first. */
const MAX_ENDS = 20;
const MAX_INTEGER = '2147483647';

/** Nothing is left to do for a supplier whose migration is complete. */
const OPEN = `status <> 'Complete'`;

const paused: Statement = {
  name: 'action-items-of-paused-suppliers',
  text: `
    SELECT 'supplier_paused' AS kind, code AS supplier, coalesce((
      SELECT sum(count) FROM (${countsOfSuppliers('SELECT supplier.id')}) AS counted WHERE kind = 'PENDING'
    ), 0)::float8 AS count FROM import_supplier supplier WHERE status = 'Paused' ORDER BY code LIMIT ${MAX_ITEMS}`,
};

const counted: Statement = {
  name: 'action-items-by-counts',
  // Rows are compared, so that only the index with this order is read.
  text: `
    WITH counted AS MATERIALIZED (
      SELECT supplier_id, kind, sum(count)::float8 AS count
      FROM (${countsOfSuppliers(`SELECT id FROM import_supplier WHERE ${OPEN}`)}) AS counted
      WHERE kind IN ('ERRORED', 'DRY_RUN_ERRORED', 'LINE_REFUSED') GROUP BY 1, 2 HAVING sum(count) > 0
    )
    SELECT CASE kind WHEN 'ERRORED' THEN 'accounts_errored' WHEN 'DRY_RUN_ERRORED' THEN 'dry_runs_errored'
        ELSE 'lines_refused' END AS kind,
      supplier.code AS supplier, count, CASE WHEN kind = 'LINE_REFUSED' THEN (
        SELECT upload.started_at FROM (
          SELECT id FROM submission
          WHERE (submission.supplier_id, id) > (supplier.id, 0) AND (submission.supplier_id, id) <= (supplier.id, ${MAX_ID})
          ORDER BY submission.supplier_id, id LIMIT ${MAX_SUBMISSIONS}
        ) AS received CROSS JOIN LATERAL (
          SELECT upload_number FROM submission_line
          WHERE outcome IS NOT NULL AND (submission_id, outcome, upload_number, line) > (received.id, 'refused', 0, 0)
            AND (submission_id, outcome, upload_number, line) <= (received.id, 'refused', ${MAX_INTEGER}, ${MAX_INTEGER})
          ORDER BY submission_id, outcome, upload_number, line LIMIT 1
        ) AS line JOIN submission_upload upload ON upload.submission_id = received.id AND upload.number = upload_number
        ORDER BY received.id LIMIT 1
      ) ELSE (
        SELECT modified_at FROM import_process
        WHERE (import_process.supplier_id, status, id) > (supplier.id, kind, 0)
          AND (import_process.supplier_id, status, id) <= (supplier.id, kind, ${MAX_ID})
        ORDER BY import_process.supplier_id, status, id LIMIT 1
      ) END AS since
    FROM counted JOIN import_supplier supplier ON supplier.id = supplier_id ORDER BY code, kind LIMIT ${MAX_ITEMS}`,
};

/**
 * Rows of a supplier that a partial index has, counted up to {@link MAX_COUNTED}. Rows are compared with the order of that
 * index, so that no plan reads another one.
 */
const boundedCount = (name: string, kind: string, rows: string, first: string): Statement => ({
  name,
  text: `
    SELECT ${kind} AS kind, supplier.code AS supplier, least(found.count, ${MAX_COUNTED})::float8 AS count,
      found.count > ${MAX_COUNTED} AS is_capped, (${first}) AS since
    FROM import_supplier supplier CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM (SELECT FROM ${rows} LIMIT ${MAX_COUNTED + 1}) AS row
    ) AS found
    WHERE supplier.${OPEN} AND found.count > 0 ORDER BY code LIMIT ${MAX_ITEMS}`,
});

const AWAITING = `import_process WHERE import_process.status = 'DRY_RUN_SUCCEEDED'
        AND (supplier_id, is_dry_run, id) > (supplier.id, false, 0)
        AND (supplier_id, is_dry_run, id) <= (supplier.id, false, ${MAX_ID})`;

const awaitingRelease = boundedCount(
  'action-items-awaiting-release',
  `'accounts_awaiting_release'`,
  AWAITING,
  `SELECT modified_at FROM ${AWAITING} ORDER BY supplier_id, is_dry_run, id LIMIT 1`,
);

const unsettled = (state: 'MISSING' | 'REFUSED') => `document WHERE state IN ('MISSING', 'REFUSED')
        AND (unsettled_supplier_id, state, id) > (supplier.id, '${state}', 0)
        AND (unsettled_supplier_id, state, id) <= (supplier.id, '${state}', ${MAX_ID})`;

const unsettledDocuments = (state: 'MISSING' | 'REFUSED') =>
  boundedCount(
    `action-items-documents-${state.toLowerCase()}`,
    `'documents_${state.toLowerCase()}'`,
    unsettled(state),
    `SELECT inspected_at FROM ${unsettled(state)} ORDER BY unsettled_supplier_id, state, id LIMIT 1`,
  );

const instructions: Statement = {
  name: 'action-items-payment-instructions',
  text: `
    WITH refused AS MATERIALIZED (
      SELECT wanted.outcome, request.* FROM unnest('{refused,unavailable,failed}'::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
        SELECT id, account_id, finished_at FROM account_request
        WHERE kind = 'payment-instruction'
          AND (coalesce(account_request.outcome ->> 'kind', 'waiting'), id) > (wanted.outcome, 0)
          AND (coalesce(account_request.outcome ->> 'kind', 'waiting'), id) <= (wanted.outcome, ${MAX_ID})
        ORDER BY coalesce(account_request.outcome ->> 'kind', 'waiting') DESC, id DESC LIMIT ${MAX_INSTRUCTIONS}
      ) AS request
    )
    SELECT 'payment_instructions_refused' AS kind, supplier.code AS supplier, count(*)::float8 AS count,
      EXISTS (SELECT FROM refused GROUP BY outcome HAVING count(*) = ${MAX_INSTRUCTIONS}) AS is_capped,
      min(finished_at) AS since
    FROM refused CROSS JOIN LATERAL (SELECT supplier_id FROM account WHERE account.id = account_id OFFSET 0) AS account
    JOIN import_supplier supplier ON supplier.id = supplier_id
    WHERE supplier.${OPEN} AND NOT EXISTS (
      SELECT FROM account_request later WHERE later.account_id = refused.account_id AND later.id > refused.id
        AND kind = 'payment-instruction' AND later.outcome ->> 'kind' = 'stored' OFFSET 0
    )
    GROUP BY code ORDER BY code LIMIT ${MAX_ITEMS}`,
};

const webhooks: Statement = {
  name: 'action-items-webhooks',
  text: `
    SELECT 'webhook_failing' AS kind, supplier.code AS supplier, endpoint.id::text AS subject, attempts::float8 AS count,
      coalesce(failing_since, disabled_at) AS since
    FROM webhook_endpoint endpoint JOIN import_supplier supplier ON supplier.id = supplier_id
    WHERE failing_since IS NOT NULL AND endpoint.status = 'ENABLED' OR disabled_reason <> 'manual'
    ORDER BY endpoint.id LIMIT ${MAX_ITEMS}`,
};

const unreconciled: Statement = {
  name: 'action-items-submissions',
  // Only the last end counts, and none if accounts were retried since. No supplier hides those of another.
  text: `
    SELECT 'submission_not_reconciled' AS kind, supplier.code AS supplier, reference AS subject, 1::float8 AS count,
      occurred_at AS since, submission.id
    FROM import_supplier supplier CROSS JOIN LATERAL (
      SELECT submission_id, number, occurred_at FROM submission_event
      WHERE NOT reconciled AND (supplier_id, submission_id) > (supplier.id, 0)
        AND (supplier_id, submission_id) <= (supplier.id, ${MAX_ID})
      ORDER BY supplier_id DESC, submission_id DESC LIMIT ${MAX_ENDS}
    ) AS event JOIN submission ON submission.id = submission_id
    WHERE supplier.${OPEN} AND submission.status = 'RECEIVED' AND finished_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM submission_event later
      WHERE later.submission_id = event.submission_id AND later.number > event.number
    )
    ORDER BY submission.id DESC`,
};

const missingDocuments = unsettledDocuments('MISSING');
const refusedDocuments = unsettledDocuments('REFUSED');

const STATEMENTS = [
  paused,
  awaitingRelease,
  counted,
  instructions,
  missingDocuments,
  refusedDocuments,
  webhooks,
  unreconciled,
];

/** The statements of the items that are metrics too. */
const OBSERVED = [awaitingRelease, missingDocuments, refusedDocuments, unreconciled];

/** What waits for an operator, as far as the tables say. No statement grows with the number of accounts. */
@Injectable()
export class ActionItemsRepository {
  /** At most 200 of each kind, and 20 submissions of each supplier. */
  async list(executor: Executor): Promise<StoredActionItem[]> {
    return this.read(STATEMENTS, executor);
  }

  /** Accounts that await their release, documents, and submissions that are not reconciled. */
  async listObserved(executor: Executor): Promise<StoredActionItem[]> {
    return this.read(OBSERVED, executor);
  }

  private async read(statements: readonly Statement[], executor: Executor): Promise<StoredActionItem[]> {
    const items: StoredActionItem[] = [];
    for (const statement of statements) {
      const rows = await executor.run<Partial<StoredActionItem>>(statement, []);
      for (const row of rows)
        items.push({ subject: null, isCapped: false, since: null, id: null, ...row } as StoredActionItem);
    }
    return items;
  }
}
