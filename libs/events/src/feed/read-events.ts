import { Injectable } from '@nestjs/common';
import { Turns } from '@portage/platform';
import { ImportSupplierDirectory } from '@portage/tenants';
import { BEGINNING, type EventPosition } from './event-position';
import { EventFeedRepository, type EventPage } from './event-feed.repository';
import { type EventType, sourceEvents } from './event-type';
import { EventArrivals } from './event-arrivals';
import { formatCursor, invalidCursor, requireCursor } from './event-cursor';
import type { EventsAnswer } from './events.dto';
import { buildFeedEvent } from './feed-event';

/** The cursor that means: from here on. */
export const NOW = 'now';

/** How long a request reads where a filter finds nothing. It answers with a cursor from which the next one goes on. */
const MAX_SEARCH_MS = 5_000;

/** A part of a feed that a client asks for. */
export interface EventsRequest {
  organisationId: number;
  supplierCode: string;
  /** The cursor of an earlier answer, {@link NOW}, or undefined for the beginning. */
  after: string | undefined;
  /** Undefined: all types. */
  types: readonly EventType[] | undefined;
  /** The most events of an answer. */
  limit: number;
  /** How long to wait where there is nothing, in milliseconds. */
  waitMs: number;
}

/** Reads the events of a supplier, and waits for them. */
@Injectable()
export class ReadEvents {
  private readonly turns = new Turns('Your organisation reads too many feeds at once.');

  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly feed: EventFeedRepository,
    private readonly arrivals: EventArrivals,
  ) {}

  /**
   * The next events after a cursor. A reader that follows `next` misses none and sees none twice. In one process the
   * reads of an organisation run one after the other; readers that wait use no database connection.
   *
   * @param stopping ends the wait: the answer then has no events
   * @param gone ends the request, in the middle of a statement too
   * @throws PortageError `not_found`; `validation_error` for a cursor that cannot be used
   * @throws Throttled if too many readers wait
   */
  async read(request: EventsRequest, stopping: AbortSignal, gone?: AbortSignal): Promise<EventsAnswer> {
    const { organisationId, supplierCode, types, limit, waitMs } = request;
    const { id: supplierId, code } = await this.suppliers.require(organisationId, supplierCode);
    const selection = { events: types?.flatMap(sourceEvents), limit };
    const started = performance.now();
    const signal = gone ? AbortSignal.any([stopping, gone]) : stopping;
    let after = await this.start(supplierId, request.after);
    for (;;) {
      const page = await this.turns.run(String(organisationId), async () =>
        this.feed.read({ supplierId, after }, selection, gone),
      );
      assertNotAhead(after, page);
      after = page.next;
      const remainingMs = started + waitMs - performance.now();
      const isOver = page.isExhausted
        ? remainingMs <= 0
        : performance.now() - started > Math.max(waitMs, MAX_SEARCH_MS);
      if (page.events.length > 0 || isOver || signal.aborted)
        return {
          events: page.events.map((event) => buildFeedEvent(event, code)),
          next: formatCursor(supplierId, after),
        };
      if (page.isExhausted) await this.arrivals.wait({ supplierId, after }, remainingMs, signal);
    }
  }

  private async start(supplierId: number, after: string | undefined): Promise<EventPosition> {
    if (after === undefined) return BEGINNING;
    return after === NOW ? this.feed.readHorizon() : requireCursor(supplierId, after);
  }
}

/** A feed never moves back. A cursor ahead of it is of a state of the database that was replaced by an earlier one. */
function assertNotAhead(after: EventPosition, { next, isExhausted }: EventPage): void {
  if (isExhausted && BigInt(next.transaction) < BigInt(after.transaction))
    throw invalidCursor(
      'after is ahead of the feed: the database was restored to an earlier state. Read from the beginning, without after, and skip the ids that you know.',
    );
}
