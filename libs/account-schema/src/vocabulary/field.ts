import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { type ValidationProfile } from '../context';
import { codeOf, type Constraint } from './constraint';
import { describeField, type FieldOptions } from './description';
import { holds } from './holds';
import { isUnion, type Shape } from './shape';

/**
 * The decorator behind all decorators of the vocabulary: registers `constraints` with class-validator, in
 * order and each with its code as context, and keeps the description.
 */
export function field(
  about: string,
  options: FieldOptions,
  constraints: readonly Constraint[],
  items: readonly Constraint[] = [],
): PropertyDecorator {
  const all: Constraint[] = [];
  if (options.required) all.push({ is: 'present' });
  if (!options.nullable) all.push({ is: 'notNull' });
  all.push(...constraints);
  return (target, property) => {
    for (const constraint of all) register(constraint, false)(target, property);
    for (const constraint of items) register(constraint, true)(target, property);
    describeField(target.constructor, String(property), { ...options, about });
  };
}

/** As `field`, for values that are objects themselves, or lists of them. */
export function objectField(
  about: string,
  options: FieldOptions,
  constraints: readonly Constraint[],
  shape: Shape,
): PropertyDecorator {
  const plain = field(about, options, constraints);
  return (target, property) => {
    plain(target, property);
    if (options.nullable) ValidateIf(isNotNull)(target, property);
    ValidateNested({ context: { code: 'invalid' } })(target, property);
    transformTo(shape)(target, property);
  };
}

/** Keeps class-validator from calling a permitted null a bad object; the compiler knows it by identity. */
export function isNotNull(_object: unknown, value: unknown): boolean {
  return value !== null;
}

function register(constraint: Constraint, each: boolean): PropertyDecorator {
  return ValidateBy(
    {
      name: constraint.is,
      constraints: [constraint],
      validator: { validate: (value) => holds(constraint, value), defaultMessage: () => codeOf(constraint) },
    },
    { each, context: { code: codeOf(constraint), profile: profileOf(constraint) } },
  );
}

/** Set where the constraint belongs to one profile: class-validator has no profiles, whoever runs it must leave it out. */
function profileOf(constraint: Constraint): ValidationProfile | undefined {
  return constraint.is === 'format' ? constraint.format.profile : undefined;
}

/** Lets class-transformer build the instances that stock class-validator needs. */
function transformTo(shape: Shape): PropertyDecorator {
  if (!isUnion(shape)) return Type(() => shape);
  const subTypes = Object.entries(shape.variants).map(([name, value]) => ({ name, value }));
  return Type(() => shape.undecided, {
    keepDiscriminatorProperty: true,
    discriminator: { property: shape.discriminator, subTypes },
  });
}
