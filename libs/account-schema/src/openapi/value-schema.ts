import type { PropertyConstraints } from '../compiler/constraints';
import type { Constraint } from '../vocabulary/constraint';
import type { Shape } from '../vocabulary/shape';
import { VISIBLE_PATTERN } from '../vocabulary/text';

type JsonSchema = Record<string, unknown>;

/** The schema of the values that a field accepts. */
export function valueSchema(
  { constraints, items }: PropertyConstraints,
  reference: (shape: Shape) => JsonSchema,
): JsonSchema {
  const schema: JsonSchema = {};
  for (const constraint of constraints) Object.assign(schema, keywords(constraint, reference));
  if (items.length > 0)
    schema['items'] = Object.assign({}, ...items.map((item) => keywords(item, reference)));
  return schema;
}

/** The schema keywords of one constraint; empty for constraints that OpenAPI cannot express. */
function keywords(constraint: Constraint, reference: (shape: Shape) => JsonSchema): JsonSchema {
  switch (constraint.name) {
    case 'text':
    case 'identifier':
      return { type: 'string' };
    case 'notBlank':
      return { minLength: 1 };
    case 'visible':
      return { pattern: VISIBLE_PATTERN };
    case 'minLength':
      return { minLength: constraint.min };
    case 'maxLength':
      return { maxLength: constraint.max };
    case 'format':
      return formatKeywords(constraint.format);
    case 'isIn':
      return { type: 'string', enum: [...constraint.values] };
    case 'isBoolean':
      return { type: 'boolean' };
    case 'isInt':
      return { type: 'integer' };
    case 'min':
      return { minimum: constraint.min };
    case 'max':
      return { maximum: constraint.max };
    case 'digits':
      return decimalKeywords(constraint.whole, constraint.places);
    case 'isPositive':
      return ABOVE_ZERO;
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      // Each alternative has its type: generators of clients overlook a type beside anyOf.
      return {
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'date' },
        ],
      };
    case 'time':
      return { type: 'string', pattern: '^\\d{2}:\\d{2}(:\\d{2})?$' };
    case 'dictionary':
      return { type: 'object', additionalProperties: true };
    case 'isArray':
      return { type: 'array' };
    case 'arrayMinSize':
      return { minItems: constraint.min };
    case 'itemsObjects':
      return { items: reference(constraint.shape) };
    case 'object':
      return reference(constraint.shape);
    default:
      return {};
  }
}

function formatKeywords(format: Extract<Constraint, { name: 'format' }>['format']): JsonSchema {
  if (format.openApiFormat) return { format: format.openApiFormat };
  return format.pattern && !format.profile ? { pattern: format.pattern } : {};
}

/** The smallest amount above zero. It applies to numbers; a schema cannot express it for decimals sent as text. */
const ABOVE_ZERO: JsonSchema = { minimum: 0.01 };

/** A decimal can be sent as text, which is exact, or as a number. Zeros after the last decimal do not count. */
function decimalKeywords(whole: number, places: number): JsonSchema {
  const pattern = `^-?\\d{0,${whole}}(\\.\\d{0,${places}}0*)?$`;
  return { oneOf: [{ type: 'string', pattern }, { type: 'number' }] };
}
