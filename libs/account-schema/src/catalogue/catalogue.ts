import { VALIDATION_PROFILES } from '../context';
import { pathsOf } from '../rules/engine/paths';
import { constraintsOf } from '../compiler/constraints';
import { contractClasses } from '../openapi/contract-shapes';
import { openApiSchemas } from '../openapi/schemas';
import { RULES } from '../rules/list';
import type { Rule } from '../rules/engine/kinds';
import { WARNINGS } from '../warnings/list';
import type { Warning } from '../warnings/warning';
import { codeOf, type Constraint } from '../vocabulary/constraint';
import type { ObjectType } from '../vocabulary/shape';
import { FIELD_CODES, type FieldCode } from './field-codes';

/** A field of the contract, with its schema and the codes of the errors that its field check reports. */
export interface CatalogueField {
  /** The name of the object that has the field. */
  object: string;
  field: string;
  required: boolean;
  /** A schema object of OpenAPI 3.1, which has the description and the limits. */
  schema: object;
  error_codes: string[];
}

/** A rule that looks at more than the format of one field. */
export interface CatalogueRule {
  code: string;
  /** Patterns of the paths at which a breach is reported. */
  paths: string[];
  explanation: string;
  fix: string;
  /** The profiles that apply the rule. */
  profiles: string[];
  /** What the rule depends on besides the account. */
  needs: string[];
}

/** A warning about a value that is allowed, but implausible. */
export type CatalogueWarning = Omit<CatalogueRule, 'profiles' | 'needs'>;

/** Everything that bodies are validated by. */
export interface Catalogue {
  fields: CatalogueField[];
  rules: CatalogueRule[];
  warnings: CatalogueWarning[];
  field_codes: FieldCode[];
}

/** Builds the catalogue of fields, rules, warnings and field codes from the classes and the rules that validate. */
export function buildCatalogue(): Catalogue {
  const schemas = openApiSchemas() as Record<string, { properties?: Record<string, object> }>;
  return {
    fields: contractClasses().flatMap((type) => fieldsOf(type, schemas[type.name]?.properties ?? {})),
    rules: RULES.map(describeRule),
    warnings: WARNINGS.map(describeWarning),
    field_codes: [...FIELD_CODES, ...formatCodes()],
  };
}

function fieldsOf(type: ObjectType, schemas: Record<string, object>): CatalogueField[] {
  return constraintsOf(type).map(({ property, constraints, items }) => ({
    object: type.name,
    field: property,
    required: constraints.some(({ name }) => name === 'present'),
    schema: schemas[property] ?? {},
    error_codes: [...new Set([...constraints, ...items].map(codeOf))],
  }));
}

/** The codes of formats such as phone numbers, which fields declare. */
function formatCodes(): FieldCode[] {
  const known = new Set(FIELD_CODES.map(({ code }) => code));
  const isFormat = (one: Constraint): one is Extract<Constraint, { name: 'format' }> => one.name === 'format';
  const formats = contractClasses()
    .flatMap((type) => constraintsOf(type))
    .flatMap(({ constraints, items }) => [...constraints, ...items].filter(isFormat));
  const expectedByCode = new Map<string, Set<string>>();
  for (const { format } of formats) {
    if (known.has(format.code)) continue;
    expectedByCode.set(format.code, (expectedByCode.get(format.code) ?? new Set()).add(format.expected));
  }
  return [...expectedByCode].map(([code, expected]) => ({
    code,
    explanation: `The text is not ${[...expected].join(', or ')}.`,
    fix: `Enter ${[...expected].join(', or ')}.`,
  }));
}

function describeRule(one: Rule): CatalogueRule {
  const paths = pathsOf(one);
  const isLimited = one.tier === 'gbr' || one.completeness;
  return {
    code: one.code,
    paths: [...paths],
    explanation: one.reason,
    fix: fixOf(one, paths),
    profiles: isLimited ? ['gb-energy'] : [...VALIDATION_PROFILES],
    needs: [...one.needs],
  };
}

function describeWarning({ code, at, reason, mend }: Warning): CatalogueWarning {
  const fix = `${mend.charAt(0).toUpperCase()}${mend.slice(1)}`;
  return { code, paths: [...pathsOf({ at })], explanation: reason, fix };
}

function fixOf({ completeness, needs }: Rule, paths: readonly string[]): string {
  const where = paths.map((path) => `\`${path}\``).join(' or ');
  if (completeness) return `Send ${where}.`;
  const isAboutLists = needs.some((need) => need.startsWith('reference data'));
  if (isAboutLists)
    return `Send a value of the operator's list at ${where}, or ask the operator to add it to the list.`;
  return `Correct ${where}; the detail of the error names the value. Leave an optional field out if it does not apply.`;
}
