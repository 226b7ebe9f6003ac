import { validateSync, type ValidationError } from 'class-validator';
import { rulesOf } from '../src/compiler/rules';
import { type ValidationProfile } from '../src/index';
import { isObject } from '../src/vocabulary/json';
import { isUnion, type ObjectType, type Shape } from '../src/vocabulary/shape';

/** What stock class-validator says of one input: the code that takes precedence, and all that failed. */
export interface StockVerdict {
  readonly code: string;
  readonly codes: ReadonlySet<string>;
}

/**
 * Runs class-validator's own executor over a payload. Of the constraints that fail at one place the first in
 * the order of the decorators is the verdict; what is wrong inside a value that is wrong itself is left out.
 */
export function stockVerdicts(
  type: ObjectType,
  payload: unknown,
  profile: ValidationProfile,
): Map<string, StockVerdict> {
  const verdicts = new Map<string, StockVerdict>();
  collect(validateSync(instanceOf(type, payload)), '', profile, verdicts);
  return verdicts;
}

function collect(
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
    else collect(children, `${path}.`, profile, verdicts);
  }
}

/**
 * The instance that class-validator wants, documented fields only. Does what class-transformer does with the
 * same decorators, but takes any payload: class-transformer itself throws at some that are merely invalid.
 */
function instanceOf(shape: Shape, payload: unknown): object {
  const plain = isObject(payload) ? payload : {};
  const type = isUnion(shape) ? variantOf(shape, plain) : shape;
  const instance = new type() as Record<string, unknown>;
  for (const { property, constraints } of rulesOf(type)) {
    if (!Object.hasOwn(plain, property)) continue;
    const value = plain[property];
    const nested = constraints.find((one) => one.is === 'object' || one.is === 'itemsObjects');
    instance[property] = nested && 'shape' in nested ? nestedInstances(nested.shape, value) : value;
  }
  return instance;
}

function variantOf(shape: Exclude<Shape, ObjectType>, plain: Record<string, unknown>): ObjectType {
  const choice = plain[shape.discriminator];
  const known = typeof choice === 'string' && Object.hasOwn(shape.variants, choice);
  return (known ? shape.variants[choice] : undefined) ?? shape.undecided;
}

function nestedInstances(shape: Shape, value: unknown): unknown {
  if (isObject(value)) return instanceOf(shape, value);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => (isObject(item) ? instanceOf(shape, item) : item));
}
