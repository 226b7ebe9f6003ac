import { Injectable } from '@nestjs/common';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditCursor,
  type AuditedAction,
  AuditRepository,
  LIST_CHUNK_ROWS,
  parseUtcDatetime,
  PortageError,
} from '@portage/platform';

/** Filters of audit entries. An entry matches if it matches all filters that are present. */
export interface AuditFilter {
  /** From this moment on: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SSZ`. */
  since?: string | undefined;
  /** Before this moment, in the same forms. */
  until?: string | undefined;
  supplier?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
}

const ALWAYS = '-infinity';
const NOW: AuditCursor = { occurredAt: 'infinity', id: '0', version: 0 };

/** Lists audited actions (`audit list`). The scheduling of accounts is read from the events of their processes. */
@Injectable()
export class AuditTrail {
  constructor(private readonly audit: AuditRepository) {}

  /**
   * Lists matching entries, the newest first. Memory holds one chunk of each source, and no statement reads more.
   *
   * @param chunkRows rows of each source that are read and held at once
   * @throws PortageError `operation_refused` when a filter is invalid
   */
  list(
    { since, until, supplier, actor, action }: AuditFilter,
    chunkRows = LIST_CHUNK_ROWS,
  ): AsyncGenerator<AuditedAction> {
    if (action !== undefined && !AUDIT_ACTIONS.includes(action as AuditAction))
      throw new PortageError('operation_refused', `--action is one of ${AUDIT_ACTIONS.join(', ')}.`);
    const from = since === undefined ? ALWAYS : parseMoment('--since', since);
    const cursor = until === undefined ? NOW : { ...NOW, occurredAt: parseMoment('--until', until) };
    const isMatch = (entry: AuditedAction) =>
      (supplier === undefined || entry.supplier === supplier) &&
      (actor === undefined || entry.actor === actor) &&
      (action === undefined || entry.action === action);
    const entries = this.source(cursor, chunkRows, (after) => this.audit.entries(from, after, chunkRows));
    const schedulings = this.source(cursor, chunkRows, (after) =>
      this.audit.schedulings(from, after, chunkRows),
    );
    if (action === undefined) return filterEntries(isMatch, mergeNewestFirst(entries, schedulings));
    return filterEntries(isMatch, action === 'account.schedule' ? schedulings : entries);
  }

  private async *source(
    start: AuditCursor,
    chunkRows: number,
    read: (after: AuditCursor) => Promise<AuditedAction[]>,
  ): AsyncGenerator<AuditedAction> {
    for (let after = start; ;) {
      const chunk = await read(after);
      yield* chunk;
      if (chunk.length < chunkRows) return;
      after = chunk.at(-1) as AuditedAction;
    }
  }
}

async function* filterEntries<T>(isMatch: (entry: T) => boolean, all: AsyncGenerator<T>): AsyncGenerator<T> {
  for await (const entry of all) if (isMatch(entry)) yield entry;
}

/** Merges two sorted sources. The text of timestamps in UTC sorts as the timestamps do. */
async function* mergeNewestFirst(
  leftSource: AsyncGenerator<AuditedAction>,
  rightSource: AsyncGenerator<AuditedAction>,
): AsyncGenerator<AuditedAction> {
  let [left, right] = [await leftSource.next(), await rightSource.next()];
  while (!left.done || !right.done) {
    if (!left.done && (right.done || left.value.occurredAt >= right.value.occurredAt)) {
      yield left.value;
      left = await leftSource.next();
    } else if (!right.done) {
      yield right.value;
      right = await rightSource.next();
    }
  }
}

function parseMoment(option: string, text: string): string {
  const read = parseUtcDatetime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (read) return read.toISOString();
  throw new PortageError(
    'operation_refused',
    `${option} is a day such as 2026-11-21, or a moment such as 2026-11-21T08:30:00Z, in UTC.`,
  );
}
