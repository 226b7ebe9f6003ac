import { type PropertyConstraints, constraintsOf } from '../compiler/constraints';
import { contractClasses } from '../openapi/contract-shapes';
import { pathsOfClass } from '../rules/engine/paths';
import type { Constraint, ConstraintName } from '../vocabulary/constraint';
import { aboutOf, type FieldDescription, fieldsOf } from '../vocabulary/description';
import { classesOf, type ObjectType, type Shape } from '../vocabulary/shape';

const INTRODUCTION = `# Fields

All fields of the contract, by object. This page is generated from the classes (\`libs/account-schema/src/contract\`). Do not
edit it: change the class, build, and run \`node dist/libs/account-schema/src/docs/write-docs.js\`. The OpenAPI document has
what each field means, and an example.

- Under the name of an object are the paths at which bodies have it. In paths, \`<i>\`, \`<j>\` and so on are indexes, counted
  from zero. \`<transactions>\` stands for each list of transactions of the account, of a ledger or of a request.
- A text is trimmed, and counts as absent if it is blank. An identifier is a text or a whole number. Numbers may be sent as
  text. A datetime may be a date.
- The tier \`gbr\` is what only the British energy market has. The tier selects rules; a field exists under every profile.
  [validation-rules.md](validation-rules.md) has the rules between fields.
`;

/** The documentation of all fields, as Markdown: the content of docs/fields.md. */
export function fieldsDoc(): string {
  return [INTRODUCTION, ...contractClasses().map(objectSection)].join('\n');
}

function objectSection(type: ObjectType): string {
  const descriptions = fieldsOf(type);
  const paths = pathsOfClass(type).filter((path) => path !== '');
  return [
    `## ${type.name}\n`,
    `${aboutOf(type)}${paths.length > 0 ? ` At ${paths.map(code).join(', ')}.` : ''}\n`,
    '| field | type | required | limits | tier |',
    '| --- | --- | --- | --- | --- |',
    ...constraintsOf(type).map((declared) => fieldRow(declared, descriptions.get(declared.property))),
    '',
  ].join('\n');
}

function fieldRow(
  declared: PropertyConstraints,
  description: FieldDescription = { description: '' },
): string {
  const { required, nullable, tier = 'core' } = description;
  const limits = [...declared.constraints, ...declared.items].flatMap((one) => limitOf(one) ?? []);
  const cells = [
    code(declared.property),
    `${typeOf(declared)}${nullable ? ' or null' : ''}`,
    required ? 'yes' : 'no',
    [...limits, ...remarksOf(description)].join('; '),
    tier,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The names of types, by the constraint that a field of the type has. */
const TYPES: Partial<Record<ConstraintName, string>> = {
  text: 'text',
  identifier: 'identifier',
  isIn: 'enumeration',
  isBoolean: 'boolean',
  isInt: 'integer',
  isDecimal: 'decimal',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  dictionary: 'JSON object',
  json: 'JSON',
};

function typeOf({ constraints, items }: PropertyConstraints): string {
  return items.length > 0 ? `list: ${nameOfType(items)}` : nameOfType(constraints);
}

function nameOfType(constraints: readonly Constraint[]): string {
  for (const one of constraints) {
    if (one.name === 'object') return namesOf(one.shape);
    if (one.name === 'itemsObjects') return `list: ${namesOf(one.shape)}`;
    const name = TYPES[one.name];
    if (name) return name;
  }
  throw new Error('A field has a type.');
}

/** The class, or the classes of a union, with links to their sections. */
function namesOf(shape: Shape): string {
  return classesOf(shape)
    .map(({ name }) => `[${name}](#${name.toLowerCase()})`)
    .join(' or ');
}

/** What a constraint allows; undefined if the type says it. */
function limitOf(constraint: Constraint): string | undefined {
  switch (constraint.name) {
    case 'isIn':
      return constraint.values.map(code).join(', ');
    case 'minLength':
      return `${constraint.min} or more characters`;
    case 'maxLength':
      return `at most ${constraint.max} characters`;
    case 'format':
      return constraint.format.profile
        ? `${constraint.format.expected} (under \`${constraint.format.profile}\`)`
        : constraint.format.expected;
    case 'min':
      return `${constraint.min} or more`;
    case 'max':
      return `at most ${constraint.max}`;
    case 'digits':
      return `at most ${constraint.whole} digits before the point and ${constraint.places} after it`;
    case 'isPositive':
      return 'above zero';
    case 'arrayMinSize':
      return `${constraint.min} or more members`;
    default:
      return undefined;
  }
}

function remarksOf({ list, default: assumed, deprecated }: FieldDescription): string[] {
  return [
    list && `the operator's list \`${list}\``,
    assumed !== undefined && `default ${code(JSON.stringify(assumed))}`,
    deprecated && (deprecated === true ? 'deprecated' : `deprecated for \`${deprecated}\``),
  ].filter((remark) => typeof remark === 'string');
}

function code(text: string): string {
  return `\`${text === '' ? '""' : text}\``;
}
