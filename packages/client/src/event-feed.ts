import type { Event, EventPage, operations } from './generated/api';
import { Unreachable } from './retry/retrier';
import type { Options } from './operations';

/** The type of an event. */
export type EventType = Event['type'];

/** What to follow, and where to store the cursor. */
export interface FollowEventsOptions {
  /** The cursor to go on from: `next` of a page, or `now`. From the beginning without it. */
  after?: string | undefined;
  /** Only events of these types; by default all. */
  types?: readonly EventType[];
  /** The most events of a page, by default that of the service. */
  limit?: number;
  /** Seconds for which the service holds a request while there is nothing, by default 20, the most. */
  wait?: number;
  /** Ends the iteration when aborted. */
  signal?: AbortSignal;
  /** Called with the cursor of each page once all of its events were taken, so that nothing is lost by a crash. */
  onCursor?: (next: string) => void | Promise<void>;
}

/** Reads one page; the client has the operation. */
type ReadPage = (request: Options<'readEvents'>) => Promise<{ data: EventPage }>;

type Query = operations['readEvents']['parameters']['query'];

const MAX_WAIT_SECONDS = 20;

/** What a held request may take besides the time that it is held. */
const MARGIN_MS = 15_000;

/**
 * Follows the feed of a supplier, event by event, without an end.
 *
 * @throws what the operation throws; the iteration can begin again with the last cursor
 */
export async function* followEvents(
  read: ReadPage,
  supplier: string,
  { after, types, limit, wait = MAX_WAIT_SECONDS, signal, onCursor }: FollowEventsOptions,
): AsyncGenerator<Event, void> {
  let next = after;
  while (signal?.aborted !== true) {
    const query = {
      supplier,
      wait,
      ...(next !== undefined && { after: next }),
      ...(types !== undefined && { types: [...types] }),
      ...(limit !== undefined && { limit }),
    };
    const page = await untilAborted(readHeld(read, query, signal), signal);
    if (page === undefined) return;
    next = page.next;
    yield* page.events;
    await onCursor?.(next);
  }
}

/**
 * Reads a page with a request that the service holds. If that has no answer, reads it with requests that are not held,
 * and that are retried.
 */
async function readHeld(read: ReadPage, query: Query, signal: AbortSignal | undefined): Promise<EventPage> {
  try {
    const timeoutMs = (query.wait ?? 0) * 1_000 + MARGIN_MS;
    // A retry would go on after the signal was aborted.
    return (await read({ query, timeoutMs, retry: { maxAttempts: 1 }, signal })).data;
  } catch (error) {
    if (!(error instanceof Unreachable) || signal?.aborted === true) throw error;
    return (await read({ query: { ...query, wait: 0 } })).data;
  }
}

/** The result, or undefined as soon as the signal is aborted. A request that is given up is not awaited. */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (!signal) return result;
  let end: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    end = () => {
      resolve(undefined);
    };
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    result.catch(() => undefined);
  }
}
