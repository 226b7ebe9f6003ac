import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { codeOf, type Constraint } from '../vocabulary/constraint';
import { isNotNull } from '../vocabulary/field';
import type { ObjectType, Shape } from '../vocabulary/shape';

/** Thrown while a class is compiled, with class and property, if the compiler does not support one of its decorators. */
export class UnsupportedRule extends Error {
  override readonly name = 'UnsupportedRule';

  constructor(type: ObjectType, property: string, problem: string) {
    super(`${type.name}.${property} cannot be compiled: ${problem}`);
  }
}

/** The constraints of one property in class-validator's metadata, in the order of the decorators. */
export interface PropertyRules {
  readonly property: string;
  readonly constraints: readonly Constraint[];
  /** Constraints on each member of a list. */
  readonly items: readonly Constraint[];
}

/**
 * Reads the constraints of a class, including inherited ones, from class-validator's metadata storage.
 *
 * @throws UnsupportedRule
 */
export function rulesOf(type: ObjectType): PropertyRules[] {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(type, '', false, false);
  const grouped = storage.groupByPropertyName(metadata);
  if (metadata.length === 0) throw new UnsupportedRule(type, '*', 'the class has no decorated property');
  return Object.entries(grouped).map(([property, rules]) => propertyRules(type, property, rules));
}

const shapes = new Map<ObjectType, ReadonlyMap<string, Shape | undefined>>();

/** The documented fields of a class, with the shapes of those that hold objects. */
export function shapesOf(type: ObjectType): ReadonlyMap<string, Shape | undefined> {
  let found = shapes.get(type);
  if (!found) {
    found = new Map(
      rulesOf(type).map(({ property, constraints }) => {
        const nested = constraints.find((one) => one.name === 'object' || one.name === 'itemsObjects');
        return [property, nested?.shape];
      }),
    );
    shapes.set(type, found);
  }
  return found;
}

function propertyRules(type: ObjectType, property: string, metadata: ValidationMetadata[]): PropertyRules {
  const constraints: Constraint[] = [];
  const items: Constraint[] = [];
  let validatesNested = false;
  for (const rule of metadata) {
    refuseOptions(type, property, rule);
    if (rule.type === ValidationTypes.NESTED_VALIDATION) validatesNested = true;
    else if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
      refuseForeignCondition(type, property, rule);
    else (rule.each ? items : constraints).push(constraintOf(type, property, rule));
  }
  const hasShape = constraints.some((one) => one.name === 'object' || one.name === 'itemsObjects');
  if (validatesNested && !hasShape) {
    throw new UnsupportedRule(type, property, 'use @Nested or @ListOf rather than @ValidateNested alone');
  }
  return { property, constraints, items };
}

/** Rejects options of class-validator that change when a rule applies; ignoring them would change verdicts. */
function refuseOptions(type: ObjectType, property: string, rule: ValidationMetadata): void {
  const hasGroups = Array.isArray(rule.groups) && rule.groups.length > 0;
  const used = [hasGroups && 'groups', rule.always && 'always', rule.validateIf && 'validateIf'];
  for (const option of used) {
    if (option) throw new UnsupportedRule(type, property, `the option "${option}" is not supported`);
  }
}

function refuseForeignCondition(type: ObjectType, property: string, rule: ValidationMetadata): void {
  if ((rule.constraints as unknown[])[0] !== isNotNull) {
    throw new UnsupportedRule(
      type,
      property,
      '@ValidateIf and @IsOptional are not supported; see FieldOptions',
    );
  }
}

function constraintOf(type: ObjectType, property: string, rule: ValidationMetadata): Constraint {
  const [constraint] = (rule.constraints as unknown[] | undefined) ?? [];
  if (!isVocabularyConstraint(constraint, rule)) {
    const name = rule.name ?? rule.type;
    throw new UnsupportedRule(type, property, `the constraint "${name}" is not one of the vocabulary's`);
  }
  return constraint;
}

function isVocabularyConstraint(value: unknown, rule: ValidationMetadata): value is Constraint {
  if (typeof value !== 'object' || value === null || !('name' in value) || value.name !== rule.name)
    return false;
  return (rule.context as { code?: unknown } | undefined)?.code === codeOf(value as Constraint);
}
