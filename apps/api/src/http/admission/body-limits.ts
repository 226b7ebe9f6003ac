import { type JsonLimits, MAX_JSON_VALUES, MAX_NESTING } from '@portage/platform';

/**
 * Limits of each JSON body, checked before it is parsed. A parsed value takes many times its two bytes of text, and
 * functions that walk a value call themselves for each level of nesting.
 */
export const JSON_BODY_LIMITS: JsonLimits = {
  values: MAX_JSON_VALUES,
  // Validation reports a field that is nested deeper than MAX_NESTING with its path. This refuses what no account has.
  nesting: 2 * MAX_NESTING,
};

/** Maximum size of a request body without an authenticated caller. Requests for a token are far smaller. */
export const MAX_ANONYMOUS_BODY_BYTES = 16_384;

/** Memory of all bodies without an authenticated caller, by one network and in total. */
export const ANONYMOUS_MEMORY = { maxBytesOfOwner: 2 << 20, maxBytes: 16 << 20 } as const;

/**
 * Memory that an upload of a submission reserves, whatever its length: the line that is read, its value, and the batches
 * that are filled and stored.
 */
export const UPLOAD_MEMORY_BYTES = 16 << 20;

/** A body is in memory up to three times: as received, as text and as the strings of its values. */
const COPIES_OF_BODY = 3;

/** Estimated memory of one parsed value or key, without the characters of strings. */
const BYTES_PER_VALUE = 64;

/** Estimated memory of a body of `bytes` with `values` values and keys. */
export function estimateMemory(bytes: number, values: number): number {
  return bytes * COPIES_OF_BODY + values * BYTES_PER_VALUE;
}
