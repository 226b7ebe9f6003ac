import { shapesOf } from '../compiler/constraints';
import { BODIES } from '../contract/requests';
import { isUnion, type ObjectType, type Shape } from '../vocabulary/shape';

/** All classes and unions of the contract: the bodies, and what their fields and variants refer to. */
export function contractShapes(): ReadonlySet<Shape> {
  const shapes = new Set<Shape>(BODIES);
  for (const shape of shapes) for (const inner of shapesIn(shape)) shapes.add(inner);
  return shapes;
}

/** The classes of the contract. */
export function contractClasses(): ObjectType[] {
  return [...contractShapes()].filter((shape): shape is ObjectType => !isUnion(shape));
}

/** The classes and unions that the fields of a class, or the variants of a union, refer to. */
function shapesIn(shape: Shape): Shape[] {
  if (isUnion(shape)) return Object.values(shape.variants);
  return [...shapesOf(shape).values()].filter((one) => one !== undefined);
}
