import { Injectable } from '@nestjs/common';
import { type AuditAction, operatorActor } from '@portage/platform';
import { toMoment } from '../console/moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from '../console/page-cursor';
import { PageReads } from '../console/page-reads';
import { type AuditedAction, AuditedActionRepository, type AuditPosition } from './audited-action.repository';

/** An entry of the audit. */
export interface AuditEntryView {
  occurred_at: string;
  actor: string;
  action: AuditAction;
  import_supplier: string | null;
  subject: string | null;
  details: Record<string, unknown>;
}

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

/** Entries that one request examines where filters match few of them. */
const MAX_EXAMINED = 5_000;
/** Entries that one statement reads. */
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
    private readonly audit: AuditedActionRepository,
  ) {}

  /**
   * The next entries, the newest first. One request examines at most 5,000 entries, so that a page can have fewer than
   * `limit` although more follow.
   *
   * @throws PortageError `validation_error`, `unavailable`
   */
  async search(
    search: AuditSearch,
    { limit, cursor }: PageRequest,
    chunkRows = CHUNK_ROWS,
  ): Promise<Page<AuditEntryView>> {
    let position: AuditPosition =
      cursor === undefined
        ? { occurredAt: search.until?.toISOString() ?? 'infinity', id: '0', version: 0 }
        : readCursor(cursor);
    const isScheduling = search.action === undefined ? undefined : SCHEDULINGS.has(search.action);
    const source = {
      since: search.since?.toISOString() ?? '-infinity',
      hasEntries: isScheduling !== true,
      // Accounts and corrections are scheduled by programs.
      hasSchedulings: isScheduling !== false && search.by !== 'people',
    };
    const items: AuditEntryView[] = [];
    return this.reads.run(async (reads) => {
      for (let examined = 0; examined < MAX_EXAMINED; examined += chunkRows) {
        const entries = await this.audit.read(source, position, chunkRows, reads);
        for (const entry of entries) {
          position = entry;
          if (matches(entry, search)) items.push(toView(entry));
          if (items.length === limit) return { items, next_cursor: writeCursor(position) };
        }
        if (entries.length < chunkRows) return { items, next_cursor: null };
      }
      return { items, next_cursor: writeCursor(position) };
    });
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

function writeCursor({ occurredAt, id, version }: AuditPosition): string {
  return encodeCursor([occurredAt, id, String(version)]);
}

function readCursor(cursor: string): AuditPosition {
  const [occurredAt = '', id = '', version = ''] = decodeCursor(
    cursor,
    3,
    ([at = '', entry = '', count = '']) => STAMP.test(at) && isId(entry) && /^\d{1,9}$/.test(count),
  );
  return { occurredAt, id, version: Number(version) };
}
