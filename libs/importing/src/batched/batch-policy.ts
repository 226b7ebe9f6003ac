import type { BatchLimits } from '@portage/batching';
import { isItemLevelError } from './item-level-error';

/** The limits of all batches in this library. Tests provide their own under {@link BATCH_POLICY}. */
export interface BatchPolicy {
  /** Batches of one kind that run at the same time, if the earlier ones are slow or the next one is full. */
  maxConcurrentBatches: number;
  /** Time in milliseconds after which a running batch counts as slow, so that the next one starts without waiting. */
  slowAfterMs: number;
  /** Lookups in one statement. */
  maxLookups: number;
  /** Values (references, e-mail addresses ...) of the lookups in one statement. A larger lookup is made alone. */
  maxLookupValues: number;
  /** Parts (customers, transactions ...) of the accounts in one such statement. A larger account is created alone. */
  maxAccountParts: number;
}

/** The limits of production. */
export const batchPolicy: BatchPolicy = {
  // With more concurrent batches each one is too small to save time. With one, the process idles while PostgreSQL
  // works.
  maxConcurrentBatches: 3,
  // Longer than any batch without lock waits on a database nearby; short enough not to delay a request visibly.
  slowAfterMs: 50,
  // Covers the lookups of all accounts that one API process checks at the same time.
  maxLookups: 256,
  // Bounds the findings that one statement may return.
  maxLookupValues: 10_000,
  // A large account would delay the small ones in its batch.
  maxAccountParts: 5_000,
};

/** Injection token of the {@link BatchPolicy}. */
export const BATCH_POLICY = Symbol('batch policy');

/** The limits that all batches of statements have in common. */
export function buildCommonLimits({ maxConcurrentBatches, slowAfterMs }: BatchPolicy) {
  return {
    maxConcurrent: maxConcurrentBatches,
    slowAfterMs,
    retryIndividually: isItemLevelError,
  } satisfies Partial<BatchLimits<never>>;
}
