import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { codeOf, type Constraint } from '../vocabulary/constraint';
import { isNotNull } from '../vocabulary/field';
import type { ObjectType, Shape } from '../vocabulary/shape';

/** Thrown while a class is compiled, with class and property, if the compiler does not support one of its decorators. */
export class UnsupportedConstraint extends Error {
  override readonly name = 'UnsupportedConstraint';

  constructor(type: ObjectType, property: string, problem: string) {
    super(`${type.name}.${property} cannot be compiled: ${problem}`);
  }
}

/** The constraints of one property in class-validator's metadata, in the order of the decorators. */
export interface PropertyConstraints {
  readonly property: string;
  readonly constraints: readonly Constraint[];
  /** Constraints on each member of a list. */
  readonly items: readonly Constraint[];
}

/**
 * Reads the constraints of a class, including inherited ones, from class-validator's metadata storage.
 *
 * @throws UnsupportedConstraint
 */
export function constraintsOf(type: ObjectType): PropertyConstraints[] {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(type, '', false, false);
  const grouped = storage.groupByPropertyName(metadata);
  if (metadata.length === 0)
    throw new UnsupportedConstraint(type, '*', 'the class has no decorated property');
  return Object.entries(grouped).map(([property, declared]) =>
    constraintsOfProperty(type, property, declared),
  );
}

const shapes = new Map<ObjectType, ReadonlyMap<string, Shape | undefined>>();

/** The documented fields of a class, with the shapes of those that hold objects. */
export function shapesOf(type: ObjectType): ReadonlyMap<string, Shape | undefined> {
  let found = shapes.get(type);
  if (!found) {
    found = new Map(
      constraintsOf(type).map(({ property, constraints }) => {
        const nested = constraints.find((one) => one.name === 'object' || one.name === 'itemsObjects');
        return [property, nested?.shape];
      }),
    );
    shapes.set(type, found);
  }
  return found;
}

function constraintsOfProperty(
  type: ObjectType,
  property: string,
  metadata: ValidationMetadata[],
): PropertyConstraints {
  const constraints: Constraint[] = [];
  const items: Constraint[] = [];
  let validatesNested = false;
  for (const one of metadata) {
    refuseOptions(type, property, one);
    if (one.type === ValidationTypes.NESTED_VALIDATION) validatesNested = true;
    else if (one.type === ValidationTypes.CONDITIONAL_VALIDATION) refuseForeignCondition(type, property, one);
    else (one.each ? items : constraints).push(constraintOf(type, property, one));
  }
  const hasShape = constraints.some((one) => one.name === 'object' || one.name === 'itemsObjects');
  if (validatesNested && !hasShape) {
    throw new UnsupportedConstraint(
      type,
      property,
      'use @Nested or @ListOf rather than @ValidateNested alone',
    );
  }
  return { property, constraints, items };
}

/** Rejects options of class-validator that change when a rule applies; ignoring them would change verdicts. */
function refuseOptions(type: ObjectType, property: string, one: ValidationMetadata): void {
  const hasGroups = Array.isArray(one.groups) && one.groups.length > 0;
  const used = [hasGroups && 'groups', one.always && 'always', one.validateIf && 'validateIf'];
  for (const option of used) {
    if (option) throw new UnsupportedConstraint(type, property, `the option "${option}" is not supported`);
  }
}

function refuseForeignCondition(type: ObjectType, property: string, one: ValidationMetadata): void {
  if ((one.constraints as unknown[])[0] !== isNotNull) {
    throw new UnsupportedConstraint(
      type,
      property,
      '@ValidateIf and @IsOptional are not supported; see FieldOptions',
    );
  }
}

function constraintOf(type: ObjectType, property: string, one: ValidationMetadata): Constraint {
  const [constraint] = (one.constraints as unknown[] | undefined) ?? [];
  if (!isVocabularyConstraint(constraint, one)) {
    const name = one.name ?? one.type;
    throw new UnsupportedConstraint(
      type,
      property,
      `the constraint "${name}" is not one of the vocabulary's`,
    );
  }
  return constraint;
}

function isVocabularyConstraint(value: unknown, one: ValidationMetadata): value is Constraint {
  if (typeof value !== 'object' || value === null || !('name' in value) || value.name !== one.name)
    return false;
  return (one.context as { code?: unknown } | undefined)?.code === codeOf(value as Constraint);
}
