import { validateSync, type ValidationError } from 'class-validator';
import { constraintsOf } from '../src/compiler/constraints';
import type { ValidationProfile } from '../src/context';
import { isObject } from '../src/vocabulary/json';
import { isUnion, type ObjectType, type Shape } from '../src/vocabulary/shape';

/** The result of stock class-validator for one path: the code that takes precedence, and all codes that failed. */
export interface StockVerdict {
  readonly code: string;
  readonly codes: ReadonlySet<string>;
}

/**
 * Runs class-validator's own executor on a payload. If several constraints fail at one path, the first in the order
 * of the decorators is the verdict. Errors inside an invalid value are omitted.
 *
 * @returns the verdicts of a profile
 */
export function stockVerdicts(
  type: ObjectType,
  payload: unknown,
): (profile: ValidationProfile) => Map<string, StockVerdict> {
  const errors = validateSync(instanceOf(type, payload));
  return (profile) => {
    const verdicts = new Map<string, StockVerdict>();
    collectVerdicts(errors, '', profile, verdicts);
    return verdicts;
  };
}

function collectVerdicts(
  errors: readonly ValidationError[],
  prefix: string,
  profile: ValidationProfile,
  verdicts: Map<string, StockVerdict>,
): void {
  for (const { property, constraints = {}, contexts = {}, children = [] } of errors) {
    const path = prefix + property;
    const failed = Object.keys(constraints)
      .map((name) => contexts[name] as { code: string; profile?: ValidationProfile })
      .filter((context) => context.profile === undefined || context.profile === profile)
      .map(({ code }) => code);
    const [code] = failed;
    if (code !== undefined) verdicts.set(path, { code, codes: new Set(failed) });
    else collectVerdicts(children, `${path}.`, profile, verdicts);
  }
}

/**
 * Builds the instance that class-validator needs, with documented fields only. Does the same as class-transformer
 * with these decorators, but accepts any payload: class-transformer throws on some invalid ones.
 */
function instanceOf(shape: Shape, payload: unknown): object {
  const plain = isObject(payload) ? payload : {};
  const type = isUnion(shape) ? variantOf(shape, plain) : shape;
  const instance = new type() as Record<string, unknown>;
  for (const { property, constraints } of constraintsOf(type)) {
    if (!Object.hasOwn(plain, property)) continue;
    const value = plain[property];
    const nested = constraints.find((one) => one.name === 'object' || one.name === 'itemsObjects');
    instance[property] = nested && 'shape' in nested ? nestedInstances(nested.shape, value) : value;
  }
  return instance;
}

function variantOf(shape: Exclude<Shape, ObjectType>, plain: Record<string, unknown>): ObjectType {
  const choice = plain[shape.discriminator];
  const known = typeof choice === 'string' && Object.hasOwn(shape.variants, choice);
  return (known ? shape.variants[choice] : undefined) ?? shape.discriminatorOnly;
}

function nestedInstances(shape: Shape, value: unknown): unknown {
  if (isObject(value)) return instanceOf(shape, value);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => (isObject(item) ? instanceOf(shape, item) : item));
}
