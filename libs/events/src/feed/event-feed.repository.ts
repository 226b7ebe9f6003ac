import { Injectable } from '@nestjs/common';
import { ImportProcessEventEntity } from '@portage/imports';
import { Database, MAX_ID, type Statement, translateErrors } from '@portage/platform';
import { SubmissionEventEntity } from '@portage/submissions';
import type { FeedSourceEvent } from './event-type';
import { beforeTransaction, type EventPosition } from './event-position';

/** An event with what the feed shows of it. Process, submission and error are as they are when the event is read. */
export interface StoredEvent {
  /** Of the event: the feed continues after it. */
  position: EventPosition;
  event: FeedSourceEvent;
  occurredAt: string;
  errorCode: string | null;
  /** The detail of the error while its process still has it. */
  errorDetail: string | null;
  /** The account; null for an event of a submission. */
  externalAccountNumber: string | null;
  /** Null also once the data of the account was erased, unless it is the account number. */
  externalIdentifier: string | null;
  /** The number on the platform; null also while the account is not imported. */
  accountNumber: string | null;
  /** The submission that had sent the account, or that has ended. */
  submissionId: string | null;
  reference: string | null;
  /** Of an ended submission: its counts by their names in the tables, and whether it is reconciled. */
  counts: Record<string, number> | null;
  reconciled: boolean | null;
}

/** A part of a feed. */
export interface EventPage {
  events: StoredEvent[];
  /** Where to read on: nothing is added before it any more. */
  next: EventPosition;
  /** True if the feed had nothing more after `next`. */
  isExhausted: boolean;
}

/** A supplier whose feed is read from a position on. */
export interface FollowedFeed {
  supplierId: number;
  after: EventPosition;
}

/** How far the feed lags behind, and why. */
export interface FeedHold {
  /** The oldest transaction that is in progress, in any database of the server, and has an id. */
  transaction: string;
  /** True if there is such a transaction. */
  isHeld: boolean;
  /** Seconds since it began, where that is known: sessions of other roles may hide it. */
  seconds: number | null;
}

/** Events that one statement reads where a filter finds few of them. */
const MAX_SCANNED_ROWS = 10_000;

interface EventRow extends Omit<EventPosition, 'event'>, Omit<StoredEvent, 'position'> {
  kind: 'event' | 'last' | 'horizon';
  /** Of the row `horizon`: the events that the statement has scanned. */
  scannedRows: number | null;
}

const KEY = 'transaction_id, source, id, version, attempt, event';

const readEvents: Statement = {
  name: 'read-events',
  // The horizon and the rows are of one snapshot: every transaction below the horizon has ended, and later ones are
  // above it. The scan is limited apart from the filter, so that a filter that matches few events does not make the
  // statement longer. OFFSET 0 makes the planner use the primary key for each event.
  text: `
    WITH scanned AS MATERIALIZED (
      SELECT * FROM (
        (SELECT transaction_id, 0 AS source, process_id AS id, version, attempt, event, occurred_at, error_code,
          submission_id, NULL::jsonb AS counts, NULL::boolean AS reconciled
        FROM import_process_event
        WHERE supplier_id = $1 AND transaction_id < event_feed_horizon()
          AND (transaction_id, process_id, version, attempt, event)
            > ($2::bigint, $3::bigint, $4::integer, $5::integer, $6::text)
        ORDER BY transaction_id, process_id, version, attempt, event LIMIT $11)
        UNION ALL
        (SELECT transaction_id, 1, submission_id, number, 0, event, occurred_at, NULL, submission_id, counts, reconciled
        FROM submission_event
        WHERE supplier_id = $1 AND transaction_id < event_feed_horizon()
          AND (transaction_id, submission_id, number) > ($2::bigint, $7::bigint, $8::integer)
        ORDER BY transaction_id, submission_id, number LIMIT $11)
      ) both_sources ORDER BY ${KEY} LIMIT $11
    ), matched AS MATERIALIZED (
      SELECT * FROM scanned WHERE $9::text[] IS NULL OR event = ANY($9) ORDER BY ${KEY} LIMIT $10
    )
    SELECT 'event' AS kind, matched.transaction_id AS transaction, source, matched.id, matched.version, matched.attempt,
      event, occurred_at, matched.error_code,
      CASE WHEN process.version = matched.version AND process.error_code = matched.error_code
        THEN process.error_detail END AS error_detail,
      process.external_account_number,
      CASE WHEN process.payload_hash <> '' OR process.external_identifier = process.external_account_number
        THEN process.external_identifier END AS external_identifier,
      process.account_number, matched.submission_id, submission.reference, counts,
      reconciled, NULL::integer AS scanned_rows
    FROM matched
    LEFT JOIN LATERAL (SELECT * FROM import_process WHERE id = matched.id AND source = 0 OFFSET 0) process ON true
    LEFT JOIN LATERAL (SELECT reference FROM submission WHERE id = matched.submission_id OFFSET 0) submission ON true
    UNION ALL
    (SELECT 'last', ${KEY}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM scanned ORDER BY transaction_id DESC, source DESC, id DESC, version DESC, attempt DESC, event DESC LIMIT 1)
    UNION ALL
    SELECT 'horizon', event_feed_horizon(), 0, 0, 0, 0, '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      (SELECT count(*)::integer FROM scanned)`,
};

const findNews: Statement = {
  name: 'find-new-events',
  // OFFSET 0 makes the planner probe the indexes once for each feed.
  text: `
    SELECT DISTINCT followed.supplier_id
    FROM unnest($1::integer[], $2::bigint[]) AS followed (supplier_id, after)
    WHERE EXISTS (
      SELECT FROM import_process_event WHERE supplier_id = followed.supplier_id AND transaction_id >= followed.after
        AND transaction_id < event_feed_horizon() OFFSET 0
    ) OR EXISTS (
      SELECT FROM submission_event WHERE supplier_id = followed.supplier_id AND transaction_id >= followed.after
        AND transaction_id < event_feed_horizon() OFFSET 0
    )`,
};

const READ_HOLD = `
  SELECT pg_snapshot_xmin(snapshot)::text AS transaction,
    pg_snapshot_xmin(snapshot) < pg_snapshot_xmax(snapshot) AS "isHeld",
    (SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 FROM pg_stat_activity
      WHERE backend_xid = pg_snapshot_xmin(snapshot)::xid LIMIT 1) AS seconds
  FROM pg_current_snapshot() snapshot`;

/** Reads the feeds of suppliers: their events in an order to which nothing is added before a position that was read. */
@Injectable()
export class EventFeedRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next events of a supplier after a position, in the order of the feed. A page without events whose feed is not
   * exhausted only moves the position on.
   *
   * @param types the stored events to return; undefined: all that suppliers see
   * @param limit the most events of the page
   * @param signal cancels the statement
   */
  async read(
    { supplierId, after }: FollowedFeed,
    { events, limit }: { events: readonly FeedSourceEvent[] | undefined; limit: number },
    signal?: AbortSignal,
  ): Promise<EventPage> {
    const maxScanned = events ? Math.max(limit, MAX_SCANNED_ROWS) : limit;
    const key = [supplierId, after.transaction, ...processKey(after), ...submissionKey(after)];
    const values = [...key, events ?? null, limit, maxScanned];
    const rows = await this.database.run<EventRow>(readEvents, values, signal);
    const found = rows.filter(({ kind }) => kind === 'event');
    const last = rows.find(({ kind }) => kind === 'last');
    const horizon = rows.find(({ kind }) => kind === 'horizon') as EventRow;
    const stored = found.map((row) => ({ ...row, position: positionOf(row) }));
    if (found.length === limit)
      return { events: stored, next: (stored.at(-1) as StoredEvent).position, isExhausted: false };
    if (horizon.scannedRows === maxScanned && last)
      return { events: stored, next: positionOf(last), isExhausted: false };
    return { events: stored, next: beforeTransaction(horizon.transaction), isExhausted: true };
  }

  /** The position of now: before every event that a transaction in progress or a later one writes. */
  async readHorizon(): Promise<EventPosition> {
    const [row] = await translateErrors(
      this.database.manager.query<[{ horizon: string }]>('SELECT event_feed_horizon() AS horizon'),
    );
    return beforeTransaction(row.horizon);
  }

  /**
   * The suppliers that have an event in or after the transaction of the given position. One cheap statement for all of
   * them.
   */
  async findNews(followed: readonly FollowedFeed[]): Promise<number[]> {
    const rows = await this.database.run<{ supplierId: number }>(findNews, [
      followed.map(({ supplierId }) => supplierId),
      followed.map(({ after }) => after.transaction),
    ]);
    return rows.map(({ supplierId }) => supplierId);
  }

  /** True if the feed has more than `count` events, of any type, from the transaction of the position on. */
  async hasMoreThan(count: number, { supplierId, after: { transaction } }: FollowedFeed): Promise<boolean> {
    // Each part reads an index, and ends with the limit, however long the feed is.
    const counted = [ImportProcessEventEntity, SubmissionEventEntity].map(async (entity) =>
      translateErrors(
        this.database.manager
          .createQueryBuilder()
          .select('count(*)::integer', 'count')
          .from(
            (events) =>
              events
                .select('1')
                .from<ImportProcessEventEntity | SubmissionEventEntity>(entity, 'event')
                .where('event.supplierId = :supplierId AND event.transactionId >= :transaction')
                .limit(count + 1),
            'found',
          )
          .setParameters({ supplierId, transaction })
          .getRawOne<{ count: number }>(),
      ),
    );
    const found = await Promise.all(counted);
    return found.reduce((sum, part) => sum + (part?.count ?? 0), 0) > count;
  }

  /** The transaction that holds the feeds back at this moment. */
  async readHold(): Promise<FeedHold> {
    const [hold] = await translateErrors(this.database.manager.query<[FeedHold]>(READ_HOLD));
    return hold;
  }
}

/** The key of the process events that come after the position. */
function processKey({ source, id, version, attempt, event }: EventPosition): unknown[] {
  return source === 0 ? [id, version, attempt, event] : [MAX_ID, 0, 0, ''];
}

/** The key of the submission events that come after the position. */
function submissionKey({ source, id, version }: EventPosition): unknown[] {
  return source === 0 ? ['0', 0] : [id, version];
}

function positionOf({ transaction, source, id, version, attempt, event }: EventRow): EventPosition {
  return { transaction, source, id, version, attempt, event: source === 0 ? event : '' };
}
