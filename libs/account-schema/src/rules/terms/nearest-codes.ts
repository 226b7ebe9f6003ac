import { nearestFirst } from '../../compiler/nearest-name';
import { quote } from './quote';

/** Maximum number of codes that a message names. */
const MAX_NAMED_CODES = 5;

/**
 * Maximum number of codes that the values of one body are compared with, so that a body with many unknown codes takes no
 * more time where the operator's lists are long.
 */
const MAX_COMPARED_CODES = 20_000;

/** Codes that differ from the value in more characters count as equally different. */
const MAX_DISTANCE = 6;

/** A set of codes, or a map by code. */
export interface Codes {
  readonly size: number;
  keys(): Iterable<string>;
}

/** Names the codes of the operator's lists that are nearest to the unknown ones of one body. */
export class NearestCodes {
  private comparisonsLeft = MAX_COMPARED_CODES;

  /** A sentence, after a space, to end a message with. Empty once the body has been compared with enough codes. */
  describe(value: string, valid: Codes): string {
    if (valid.size === 0) return ' The operator has listed none.';
    if (valid.size > this.comparisonsLeft) return '';
    this.comparisonsLeft -= valid.size;
    const named = nearestFirst(value, [...valid.keys()], MAX_DISTANCE)
      .slice(0, MAX_NAMED_CODES)
      .map(quote)
      .join(', ');
    return valid.size > MAX_NAMED_CODES
      ? ` The nearest of the ${valid.size} valid ones: ${named}.`
      : ` Valid: ${named}.`;
  }
}
