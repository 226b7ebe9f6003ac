import { Injectable } from '@nestjs/common';
import {
  type AuditAction,
  type AuditCursor,
  type AuditedAction,
  AuditRepository,
  operatorActor,
} from '@portage/platform';
import { toMoment } from '../console/moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from '../console/page-cursor';
import { PageReads } from '../console/page-reads';
import type { AuditEntryView } from '../console/audit.dto';

/** Filters of the audit. An entry matches if it matches all that are present. */
export interface AuditSearch {
  since?: Date | undefined;
  until?: Date | undefined;
  supplier?: string | undefined;
  /** The actor, such as `operator:ada`, or the name alone. */
  actor?: string | undefined;
  /** Changes by operators, or by the programs of suppliers. */
  by?: (typeof AUDITED_BY)[number] | undefined;
  action?: AuditAction | undefined;
}

export const AUDITED_BY = ['people', 'programs'] as const;

/** Entries that one request examines where filters match few of them, about. */
const MAX_EXAMINED = 5_000;
/** Entries that one statement reads of each source. */
const CHUNK_ROWS = 500;

const STAMP =
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$|^infinity$|^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The actions that are audited by events. */
const SCHEDULINGS: ReadonlySet<AuditAction> = new Set(['account.schedule', 'account.correct']);

/** Searches the audit. The scheduling of accounts and corrections is read from the events of their processes. */
@Injectable()
export class SearchAudit {
  constructor(
    private readonly reads: PageReads,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * The next entries, the newest first. One request examines about 5,000 entries, so that a page can have fewer than
   * `limit` although more follow.
   *
   * @throws PortageError `validation_error`, `unavailable`
   */
  async search(
    search: AuditSearch,
    { limit, cursor }: PageRequest,
    chunkRows = CHUNK_ROWS,
  ): Promise<Page<AuditEntryView>> {
    const start: AuditCursor = { occurredAt: search.until?.toISOString() ?? 'infinity', id: '0', version: 0 };
    let after = cursor === undefined ? { entries: start, schedulings: start } : readCursor(cursor);
    const since = search.since?.toISOString() ?? '-infinity';
    const items: AuditEntryView[] = [];
    return this.reads.run(async (reads) => {
      for (let examined = 0; examined < MAX_EXAMINED;) {
        const readsEntries = search.action === undefined || !SCHEDULINGS.has(search.action);
        // Accounts and corrections are scheduled by programs.
        const readsSchedulings =
          search.by !== 'people' && (search.action === undefined || SCHEDULINGS.has(search.action));
        const entries = readsEntries ? await this.audit.entries(since, after.entries, chunkRows, reads) : [];
        const schedulings = readsSchedulings
          ? await this.audit.schedulings(since, after.schedulings, chunkRows, reads)
          : [];
        const merged = mergeComplete(entries, schedulings, chunkRows);
        for (const { entry, isScheduling } of merged) {
          const position = { occurredAt: entry.occurredAt, id: entry.id, version: entry.version };
          after = isScheduling ? { ...after, schedulings: position } : { ...after, entries: position };
          if (matches(entry, search)) items.push(toView(entry));
          if (items.length === limit) return { items, next_cursor: writeCursor(after) };
        }
        examined += merged.length;
        if (entries.length < chunkRows && schedulings.length < chunkRows) return { items, next_cursor: null };
      }
      return { items, next_cursor: writeCursor(after) };
    });
  }
}

type Positions = Record<'entries' | 'schedulings', AuditCursor>;

/**
 * Merges the chunks of both sources, the newest first, as far as both are known: a source whose chunk is full may have
 * entries that precede the rest of the other.
 */
function mergeComplete(
  entries: readonly AuditedAction[],
  schedulings: readonly AuditedAction[],
  chunkRows: number,
): { entry: AuditedAction; isScheduling: boolean }[] {
  const merged: { entry: AuditedAction; isScheduling: boolean }[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [one, other] = [entries[left], schedulings[right]];
    const isLeftOver = !one && entries.length === chunkRows;
    const isRightOver = !other && schedulings.length === chunkRows;
    if (isLeftOver || isRightOver || (!one && !other)) return merged;
    // The text of timestamps in UTC sorts as the timestamps do.
    if (one && (!other || one.occurredAt >= other.occurredAt)) {
      merged.push({ entry: one, isScheduling: false });
      left += 1;
    } else if (other) {
      merged.push({ entry: other, isScheduling: true });
      right += 1;
    }
  }
}

function matches(entry: AuditedAction, { supplier, actor, action, by }: AuditSearch): boolean {
  return (
    (supplier === undefined || entry.supplier === supplier) &&
    (actor === undefined || entry.actor === actor || nameOf(entry.actor) === actor) &&
    (by === undefined || (by === 'people') === entry.actor.startsWith(operatorActor(''))) &&
    (action === undefined || entry.action === action)
  );
}

/** The name of an operator, or the prefix of an API key. */
function nameOf(actor: string): string {
  return actor.slice(actor.indexOf(':') + 1);
}

function toView({ occurredAt, actor, action, supplier, subject, details }: AuditedAction): AuditEntryView {
  return { occurred_at: toMoment(occurredAt), actor, action, import_supplier: supplier, subject, details };
}

function writeCursor({ entries, schedulings }: Positions): string {
  return encodeCursor([
    entries.occurredAt,
    entries.id,
    schedulings.occurredAt,
    schedulings.id,
    String(schedulings.version),
  ]);
}

function readCursor(cursor: string): Positions {
  const [at = '', id = '', scheduledAt = '', processId = '', version = ''] = decodeCursor(
    cursor,
    5,
    ([one = '', oneId = '', other = '', otherId = '', otherVersion = '']) =>
      STAMP.test(one) && STAMP.test(other) && isId(oneId) && isId(otherId) && /^\d{1,9}$/.test(otherVersion),
  );
  return {
    entries: { occurredAt: at, id, version: 0 },
    schedulings: { occurredAt: scheduledAt, id: processId, version: Number(version) },
  };
}
