import { type Readable } from 'node:stream';
import { type DocumentKey } from './document-key';
import { DocumentStoreUnavailable, type StoreLimits, storeUnavailable } from './document-store';

/** What `ask` answers, or DocumentStoreUnavailable. The signal is given when nobody waits for the answer any more. */
export async function answeredWithin<T>(
  milliseconds: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const nobodyWaits = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DocumentStoreUnavailable('ETIMEDOUT'));
    }, milliseconds);
  });
  try {
    return await Promise.race([ask(nobodyWaits.signal), limit]);
  } catch (error) {
    nobodyWaits.abort();
    throw storeUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks about all keys, several at once, and gives up as a whole. */
export async function existingAmong(
  keys: Iterable<DocumentKey>,
  limits: StoreLimits,
  head: (key: DocumentKey) => Promise<unknown>,
): Promise<Set<DocumentKey>> {
  const found = new Set<DocumentKey>();
  const left = new Set(keys).values();
  await answeredWithin(limits.checkTimeoutMs, async (signal) => {
    const askInTurn = async () => {
      for (let next = left.next(); !next.done && !signal.aborted; next = left.next())
        if (await head(next.value)) found.add(next.value);
    };
    await Promise.all(Array.from({ length: limits.maxConcurrent }, askInTurn));
  });
  return found;
}

/** The bytes of an open document, which is closed when they have been read, or are not wanted, or time is up. */
export function contentOf(source: Readable, size: number, milliseconds: number): AsyncIterable<Uint8Array> {
  const timer = setTimeout(() => source.destroy(new DocumentStoreUnavailable('ETIMEDOUT')), milliseconds);
  source.once('close', () => {
    clearTimeout(timer);
  });
  // Whoever reads is told; where nobody reads any more an error must not end the process.
  source.on('error', () => undefined);
  return exactly(size, source);
}

async function* exactly(size: number, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = size;
  try {
    for await (const chunk of source) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
  } catch (error) {
    throw storeUnavailable(error);
  }
  if (left !== 0) throw new DocumentStoreUnavailable('ECHANGED');
}
