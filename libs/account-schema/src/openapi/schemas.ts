import { rulesOf, type PropertyRules } from '../compiler/rules';
import { BODIES } from '../request/bodies';
import { aboutOf, type FieldDescription, fieldsOf } from '../vocabulary/description';
import { isUnion, type ObjectType, type Shape, type Union } from '../vocabulary/shape';
import { exampleOf, exampleValue } from './example';
import { valueSchema } from './value-schema';

export type JsonSchema = Record<string, unknown>;

/**
 * `components.schemas` of OpenAPI 3.0 for every body of the contract and all that is in them, by class name.
 * Made from the same decorators that validate, so that it cannot say anything else.
 */
export function openApiSchemas(): Record<string, object> {
  const schemas: Record<string, object> = {};
  const left: Shape[] = [...BODIES];
  for (let shape = left.pop(); shape; shape = left.pop()) {
    if (shape.name in schemas) continue;
    schemas[shape.name] = isUnion(shape) ? unionSchema(shape) : objectSchema(shape);
    left.push(...shapesIn(shape));
  }
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shapesIn(shape: Shape): Shape[] {
  if (isUnion(shape)) return Object.values(shape.variants);
  return rulesOf(shape).flatMap(({ constraints }) =>
    constraints.flatMap((one) => (one.is === 'object' || one.is === 'itemsObjects' ? [one.shape] : [])),
  );
}

function unionSchema({ about, discriminator, variants }: Union): JsonSchema {
  const types = Object.entries(variants);
  return {
    description: about,
    oneOf: types.map(([, type]) => reference(type)),
    discriminator: {
      propertyName: discriminator,
      mapping: Object.fromEntries(types.map(([value, type]) => [value, reference(type).$ref])),
    },
  };
}

function objectSchema(type: ObjectType): JsonSchema {
  const descriptions = fieldsOf(type);
  const rules = rulesOf(type);
  const required = rules.map(({ property }) => property).filter((name) => descriptions.get(name)?.required);
  return {
    type: 'object',
    description: aboutOf(type),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      rules.map((rule) => [rule.property, propertySchema(rule, descriptions.get(rule.property))]),
    ),
    example: exampleOf(type),
  };
}

function propertySchema(rule: PropertyRules, said: FieldDescription | undefined): JsonSchema {
  const schema = valueSchema(rule, reference);
  const example = holdsObjects(rule)
    ? undefined
    : (said?.example ?? exampleValue(rule.constraints, rule.items));
  return {
    ...schema,
    description: descriptionOf(said),
    ...(said?.nullable ? { nullable: true } : {}),
    ...(said?.deprecated ? { deprecated: true } : {}),
    ...(said?.default === undefined ? {} : { default: said.default }),
    ...(said?.tier ? { 'x-tier': said.tier } : {}),
    ...(said?.list ? { 'x-list': said.list } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function holdsObjects({ constraints }: PropertyRules): boolean {
  return constraints.some(({ is }) => is === 'object' || is === 'itemsObjects');
}

function descriptionOf(said: FieldDescription | undefined): string {
  const about = said?.about ?? '';
  return typeof said?.deprecated === 'string' ? `${about} Use \`${said.deprecated}\` instead.` : about;
}

function reference({ name }: Shape): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
