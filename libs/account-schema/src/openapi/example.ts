import { constraintsOf } from '../compiler/constraints';
import type { Constraint, ConstraintName } from '../vocabulary/constraint';
import { fieldsOf } from '../vocabulary/description';
import { classesOf, type Shape } from '../vocabulary/shape';

/** A payload that passes all field checks, with the required fields and those that have an example. */
export function exampleOf(shape: Shape): Record<string, unknown> {
  const [type] = classesOf(shape);
  if (!type) throw new Error('A union has at least one variant.');
  const descriptions = fieldsOf(type);
  const example: Record<string, unknown> = {};
  for (const { property, constraints, items } of constraintsOf(type)) {
    const description = descriptions.get(property);
    if (description?.example !== undefined) example[property] = description.example;
    else if (description?.required || description?.inExample)
      example[property] = exampleValue(constraints, items);
  }
  return example;
}

/** A valid value for a field without an example; undefined for free text, which needs an explicit example. */
export function exampleValue(constraints: readonly Constraint[], items: readonly Constraint[]): unknown {
  for (const constraint of constraints) {
    if (constraint.name === 'object') return exampleOf(constraint.shape);
    if (constraint.name === 'itemsObjects') return [exampleOf(constraint.shape)];
    if (constraint.name === 'format') return constraint.format.example;
    if (constraint.name === 'isIn') return constraint.values[0];
  }
  if (items.length > 0) {
    const item = exampleValue(items, []);
    return item === undefined ? undefined : [item];
  }
  const kind = constraints.find(({ name }) => name in PLAIN_EXAMPLES);
  return kind && PLAIN_EXAMPLES[kind.name];
}

const PLAIN_EXAMPLES: Partial<Record<ConstraintName, unknown>> = {
  isBoolean: false,
  isInt: 1,
  isDecimal: '12.50',
  date: '2024-06-01',
  datetime: '2024-06-01T09:00:00Z',
  time: '06:30',
  json: {},
};
