import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { type ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { codeOf, type Constraint } from '../vocabulary/constraint';
import { isNotNull } from '../vocabulary/field';
import { type ObjectType } from '../vocabulary/shape';

/** Raised while compiling, naming class and property, when a decorator means something this compiler cannot do. */
export class UnsupportedRule extends Error {
  override readonly name = 'UnsupportedRule';

  constructor(type: ObjectType, property: string, problem: string) {
    super(`${type.name}.${property} cannot be compiled: ${problem}`);
  }
}

/** All that class-validator knows of one property, in the order the decorators said it. */
export interface PropertyRules {
  readonly property: string;
  readonly constraints: readonly Constraint[];
  /** Constraints on each member of a list. */
  readonly items: readonly Constraint[];
}

/** Reads a class's rules out of class-validator's storage, its own and inherited ones. */
export function rulesOf(type: ObjectType): PropertyRules[] {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(type, '', false, false);
  const grouped = storage.groupByPropertyName(metadata);
  if (metadata.length === 0) throw new UnsupportedRule(type, '*', 'the class has no decorated property');
  return Object.entries(grouped).map(([property, rules]) => propertyRules(type, property, rules));
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
  const hasShape = constraints.some((one) => one.is === 'object' || one.is === 'itemsObjects');
  if (validatesNested && !hasShape) {
    throw new UnsupportedRule(type, property, 'use @Nested or @ListOf rather than @ValidateNested alone');
  }
  return { property, constraints, items };
}

/** Options of class-validator that change when a rule applies: silently leaving one out would change verdicts. */
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
  if (!isOfVocabulary(constraint, rule)) {
    const name = rule.name ?? rule.type;
    throw new UnsupportedRule(type, property, `the constraint "${name}" is not one of the vocabulary's`);
  }
  return constraint;
}

function isOfVocabulary(value: unknown, rule: ValidationMetadata): value is Constraint {
  if (typeof value !== 'object' || value === null || !('is' in value) || value.is !== rule.name) return false;
  return (rule.context as { code?: unknown } | undefined)?.code === codeOf(value as Constraint);
}
