import type { Readable } from 'node:stream';
import { withTimeout } from '../values/with-timeout';
import type { DocumentKey } from './document-key';
import { DocumentStoreUnavailable, type StoreLimits, toStoreError } from './document-store';

/**
 * Runs `operation` with a timeout. Its signal is aborted when the timeout expires or the operation fails.
 *
 * @throws DocumentStoreUnavailable
 */
export async function withStoreTimeout<T>(
  timeoutMs: number,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  try {
    const operating = operation(abort.signal);
    return await withTimeout(timeoutMs, operating, () => new DocumentStoreUnavailable('ETIMEDOUT'));
  } catch (error) {
    abort.abort();
    throw toStoreError(error);
  }
}

/** Checks all keys, several concurrently, with one timeout for all of them. */
export async function findExisting(
  keys: Iterable<DocumentKey>,
  limits: StoreLimits,
  head: (key: DocumentKey) => Promise<unknown>,
): Promise<Set<DocumentKey>> {
  const found = new Set<DocumentKey>();
  const remaining = new Set(keys).values();
  await withStoreTimeout(limits.checkTimeoutMs, async (signal) => {
    const checkRemaining = async () => {
      for (let next = remaining.next(); !next.done && !signal.aborted; next = remaining.next())
        if (await head(next.value)) found.add(next.value);
    };
    await Promise.all(Array.from({ length: limits.maxConcurrent }, checkRemaining));
  });
  return found;
}

/** Streams an open document, and closes it after the last byte, when the reader stops, or when the timeout expires. */
export function streamContent(source: Readable, size: number, timeoutMs: number): AsyncIterable<Uint8Array> {
  const timer = setTimeout(() => source.destroy(new DocumentStoreUnavailable('ETIMEDOUT')), timeoutMs);
  source.once('close', () => {
    clearTimeout(timer);
  });
  // A reader gets the error from the iterator. Without a reader an unhandled error would end the process.
  source.on('error', () => undefined);
  return requireSize(size, source);
}

async function* requireSize(size: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let remaining = size;
  try {
    for await (const chunk of source) {
      remaining -= chunk.length;
      if (remaining < 0) break;
      yield chunk;
    }
  } catch (error) {
    throw toStoreError(error);
  }
  if (remaining !== 0) throw new DocumentStoreUnavailable('ECHANGED');
}
