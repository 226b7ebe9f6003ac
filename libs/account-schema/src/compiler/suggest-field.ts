import { classesOf, type ObjectType, type Shape } from '../vocabulary/shape';
import { findNearestName } from './nearest-name';
import { shapesOf } from './constraints';

/**
 * The documented name that an undocumented field may have meant.
 *
 * @param path the dotted path of the undocumented field, as in `ignoredFields`
 * @param body the class of the body
 */
export function suggestField(path: string, body: ObjectType): string | undefined {
  const segments = path.split('.');
  const name = segments.pop() ?? '';
  let shapes: readonly Shape[] = [body];
  for (const segment of segments)
    if (!/^\d+$/.test(segment)) shapes = shapes.flatMap((shape) => shapesAt(shape, segment));
  const names = new Set(
    shapes.flatMap((shape) => classesOf(shape).flatMap((type) => [...shapesOf(type).keys()])),
  );
  return findNearestName(name, names);
}

function shapesAt(shape: Shape, field: string): Shape[] {
  return classesOf(shape).flatMap((type) => shapesOf(type).get(field) ?? []);
}
