import { describeAmount } from './amounts';
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { ValidationProfile } from '../context';
import { codeOf, type Constraint } from './constraint';
import { describeField, type FieldOptions } from './description';
import { isSatisfied } from './is-satisfied';
import { isUnion, type Shape } from './shape';

/**
 * The decorator that all decorators of the vocabulary are built on. Registers `constraints` with class-validator
 * in order, each with its code as context, and records the description.
 */
export function field(
  about: string,
  options: FieldOptions,
  constraints: readonly Constraint[],
  items: readonly Constraint[] = [],
): PropertyDecorator {
  const all: Constraint[] = [];
  if (options.required) all.push({ name: 'present' });
  if (!options.nullable) all.push({ name: 'notNull' });
  // oxlint-disable-next-line portage/no-unbounded-spread -- those of one field
  all.push(...constraints);
  return (target, property) => {
    for (const constraint of all) register(constraint, false)(target, property);
    for (const constraint of items) register(constraint, true)(target, property);
    const description = options.amount ? `${about} ${describeAmount(options.amount)}` : about;
    describeField(target.constructor, String(property), { ...options, description });
  };
}

/** Like `field`, for objects and lists of objects. */
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

/** Stops class-validator from rejecting a permitted null as an object. The compiler recognises this function by identity. */
export function isNotNull(_object: unknown, value: unknown): boolean {
  return value !== null;
}

function register(constraint: Constraint, each: boolean): PropertyDecorator {
  return ValidateBy(
    {
      name: constraint.name,
      constraints: [constraint],
      validator: {
        validate: (value) => isSatisfied(constraint, value),
        defaultMessage: () => codeOf(constraint),
      },
    },
    { each, context: { code: codeOf(constraint), profile: profileOf(constraint) } },
  );
}

/** The only profile that a constraint applies to. class-validator has no profiles, so its callers must filter by this value. */
function profileOf(constraint: Constraint): ValidationProfile | undefined {
  return constraint.name === 'format' ? constraint.format.profile : undefined;
}

/** Declares the type from which class-transformer builds the instances that stock class-validator needs. */
function transformTo(shape: Shape): PropertyDecorator {
  if (!isUnion(shape)) return Type(() => shape);
  const subTypes = Object.entries(shape.variants).map(([name, value]) => ({ name, value }));
  return Type(() => shape.discriminatorOnly, {
    keepDiscriminatorProperty: true,
    discriminator: { property: shape.discriminator, subTypes },
  });
}
