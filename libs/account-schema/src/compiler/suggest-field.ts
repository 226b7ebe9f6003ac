import { isUnion, type ObjectType, type Shape } from '../vocabulary/shape';
import { findNearestName } from './nearest-name';
import { rulesOf } from './rules';

/** The fields of a class, each with the class or union that it holds. */
type Members = ReadonlyMap<string, Shape | undefined>;

const membersByType = new Map<ObjectType, Members>();

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
    shapes.flatMap((shape) => classesOf(shape).flatMap((type) => [...membersOf(type).keys()])),
  );
  return findNearestName(name, names);
}

function shapesAt(shape: Shape, field: string): Shape[] {
  return classesOf(shape).flatMap((type) => membersOf(type).get(field) ?? []);
}

function classesOf(shape: Shape): readonly ObjectType[] {
  return isUnion(shape) ? Object.values(shape.variants) : [shape];
}

function membersOf(type: ObjectType): Members {
  let members = membersByType.get(type);
  if (!members) {
    members = new Map(
      rulesOf(type).map(({ property, constraints }) => {
        const nested = constraints.find((one) => one.is === 'object' || one.is === 'itemsObjects');
        return [property, nested && 'shape' in nested ? nested.shape : undefined];
      }),
    );
    membersByType.set(type, members);
  }
  return members;
}
