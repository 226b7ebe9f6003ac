import { excerpt } from '../../compiler/fault';
import { type FieldError } from '../../context';

/**
 * Errors as their places come in the payload. What is said of an object, or of a field it lacks, comes before
 * what is said of the fields it has; errors at the same place keep their order.
 */
export function inPayloadOrder(errors: readonly FieldError[], payload: unknown): FieldError[] {
  const places = new PlaceFinder();
  return errors
    .map((error) => ({ error, place: places.of(error.attr, payload) }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ error }) => error);
}

/** Turns a path into the positions of its segments; positions of keys are looked up once an object. */
class PlaceFinder {
  private readonly positions = new Map<object, ReadonlyMap<string, number>>();

  of(attr: string, payload: unknown): number[] {
    const place: number[] = [];
    let value = payload;
    for (const segment of attr.split('.')) {
      if (segment === 'non_field_errors') break;
      if (typeof value !== 'object' || value === null) break;
      const position = Array.isArray(value) ? Number(segment) : this.positionOf(segment, value);
      place.push(Number.isNaN(position) ? -1 : position);
      value = (value as Record<string, unknown>)[segment];
    }
    return place;
  }

  private positionOf(key: string, object: object): number {
    let positions = this.positions.get(object);
    if (!positions) {
      positions = new Map(Object.keys(object).map((name, i) => [excerpt(name), i]));
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
