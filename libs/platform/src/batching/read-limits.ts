import type { BatchLimits } from './batcher';

/** The limits of batches that read rows for concurrent requests, one statement a batch. */
export const READ_LIMITS = {
  // Covers the reads of all requests that one API process serves at the same time.
  maxSize: 256,
  // With more concurrent batches each one is too small to save time.
  maxConcurrent: 3,
  // Longer than any batch on a database nearby; short enough not to delay a request visibly.
  slowAfterMs: 50,
} satisfies BatchLimits<never>;
