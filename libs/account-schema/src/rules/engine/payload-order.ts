import { excerpt, MAX_PATH_SEGMENT_LENGTH } from '../../compiler/fault';
import type { FieldError } from '../../context';

/**
 * Sorts errors by their position in the payload. Errors about an object or its missing fields come before errors
 * about the fields that it has. Errors at the same position keep their order.
 */
export function sortByPayloadOrder(errors: readonly FieldError[], payload: unknown): FieldError[] {
  const locator = new PathLocator();
  return errors
    .map((error) => ({ error, positions: locator.positionsOf(error.attr, payload) }))
    .sort((a, b) => compare(a.positions, b.positions))
    .map(({ error }) => error);
}

/** Converts a path to the positions of its segments. The positions of an object's keys are computed once. */
class PathLocator {
  private readonly positions = new Map<object, ReadonlyMap<string, number>>();

  positionsOf(attr: string, payload: unknown): number[] {
    const positions: number[] = [];
    let value = payload;
    for (const segment of attr.split('.')) {
      if (segment === 'non_field_errors') break;
      if (typeof value !== 'object' || value === null) break;
      const position = Array.isArray(value) ? Number(segment) : this.positionOf(segment, value);
      positions.push(Number.isNaN(position) ? -1 : position);
      value = (value as Record<string, unknown>)[segment];
    }
    return positions;
  }

  private positionOf(key: string, object: object): number {
    let positions = this.positions.get(object);
    if (!positions) {
      positions = new Map(Object.keys(object).map((name, i) => [excerpt(name, MAX_PATH_SEGMENT_LENGTH), i]));
      this.positions.set(object, positions);
    }
    return positions.get(key) ?? -1;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
