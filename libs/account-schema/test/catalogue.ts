import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesOf } from '../src/compiler/rules';
import { contractClasses } from '../src/openapi/contract-shapes';
import { OPERATOR_LIST_RULES } from '../src/rules/operator-lists';
import type { Constraint, ConstraintName } from '../src/vocabulary/constraint';
import { fieldsOf } from '../src/vocabulary/description';
import { isUnion, type Shape } from '../src/vocabulary/shape';

/** A field of the contract, in the terms of the catalogue. */
export interface CatalogueField {
  type: string;
  presence: string;
  limits: string;
  values: string;
  tier: string;
  deprecated: string;
}

/** The catalogue of fields, by class and field ("Customer.landline"). */
export function catalogue(): Map<string, CatalogueField> {
  const [, ...lines] = readFileSync(join(__dirname, 'catalogue-fields.tsv'), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [type, field, ...rest] = line.split('\t') as [string, string, ...string[]];
      const [kind = '', presence = '', limits = '', values = '', tier = '', deprecated = ''] = rest;
      return [`${type}.${field}`, { type: kind, presence, limits, values, tier, deprecated }];
    }),
  );
}

/** The fields as declared by the classes' decorators, in the terms of the catalogue. */
export function declaredFields(): Map<string, CatalogueField> {
  return new Map(
    contractClasses().flatMap((type) =>
      rulesOf(type).map(({ property, constraints, items }) => {
        const {
          required,
          nullable,
          tier = 'core',
          deprecated = '',
          list: named,
        } = fieldsOf(type).get(property) ?? { description: '' };
        const list = isEnumeration(named) ? named : undefined;
        const inner = new Map([...constraints, ...items].map((one) => [one.is, one]));
        const kind = kindOf(inner, list);
        return [
          `${type.name}.${property}`,
          {
            type: inner.has('list') ? `array<${kind}>` : kind,
            presence: `${required ? 'required' : 'optional'}${nullable ? ' nullable' : ''}`,
            limits: limitsOf(inner),
            values: list ? `config:${list}` : valuesOf(inner),
            tier,
            deprecated: String(deprecated),
          },
        ] as const;
      }),
    ),
  );
}

/** True if the catalogue has a list as an enumeration, not as texts: its values have no code of their own. */
function isEnumeration(list: string | undefined): boolean {
  if (list?.startsWith('campaign_')) return true;
  return OPERATOR_LIST_RULES.some(({ needs }) =>
    needs.some((need) => need === `reference data: ${list ?? ''}`),
  );
}

type Constraints = ReadonlyMap<ConstraintName, Constraint>;

function findConstraint<Name extends ConstraintName>(constraints: Constraints, name: Name) {
  return constraints.get(name) as Extract<Constraint, { is: Name }> | undefined;
}

function kindOf(constraints: Constraints, list: string | undefined): string {
  const shape =
    findConstraint(constraints, 'object')?.shape ?? findConstraint(constraints, 'itemsObjects')?.shape;
  if (shape) return nameOf(shape);
  if (constraints.has('choice') || list) return 'enum';
  const digits = findConstraint(constraints, 'digits');
  if (digits) return `decimal(${digits.whole},${digits.places})`;
  if (findConstraint(constraints, 'format')?.format.openApiFormat === 'email') return 'email';
  if (constraints.has('dictionary')) return 'object';
  const kinds = {
    text: 'string',
    identifier: 'string',
    integer: 'integer',
    boolean: 'boolean',
    date: 'date',
    datetime: 'date-time',
  };
  const others = { time: 'time', json: 'json' };
  for (const [is, kind] of Object.entries({ ...kinds, ...others })) {
    if (constraints.has(is as ConstraintName)) return kind;
  }
  return '?';
}

function nameOf(shape: Shape): string {
  return isUnion(shape) ? shape.name : shape.name;
}

function limitsOf(constraints: Constraints): string {
  const limits: Record<string, number | undefined> = {
    min: findConstraint(constraints, 'min')?.min,
    max: findConstraint(constraints, 'max')?.max,
    min_length: findConstraint(constraints, 'minLength')?.min,
    max_length: findConstraint(constraints, 'maxLength')?.max,
    min_items: findConstraint(constraints, 'minItems')?.min,
  };
  const defined = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return defined.map(([name, limit]) => `${name}=${String(limit)}`).join(';');
}

function valuesOf(constraints: Constraints): string {
  const values = findConstraint(constraints, 'choice')?.values ?? [];
  return values.map((value) => (value === '' ? '""' : value)).join('|');
}
