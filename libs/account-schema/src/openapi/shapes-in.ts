import { rulesOf } from '../compiler/rules';
import { isUnion, type Shape } from '../vocabulary/shape';

/** The classes and unions that the fields of a class, or the variants of a union, refer to. */
export function shapesIn(shape: Shape): Shape[] {
  if (isUnion(shape)) return Object.values(shape.variants);
  return rulesOf(shape).flatMap(({ constraints }) =>
    constraints.flatMap((one) => (one.is === 'object' || one.is === 'itemsObjects' ? [one.shape] : [])),
  );
}
