import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { DEFAULT_LIMITS, type SchemaContext } from '@portage/account-schema';
import { fieldsOf, validateObject } from '@portage/account-schema/service';
import { PortageError } from '@portage/platform';
import { requireBody } from './json-body';

type Input = Record<string, unknown>;

/** The classes of parameters use none of the formats that depend on a supplier. */
const CONTEXT: SchemaContext = {
  profile: 'core',
  region: 'GB',
  timeZone: 'UTC',
  now: new Date(0),
  rejectUndocumentedFields: true,
  limits: DEFAULT_LIMITS,
};

type ParameterClass = new () => object;

/** What the pipe has to know of a class. */
interface Fields {
  names: readonly string[];
  /** Values of fields that are absent. */
  defaults: Input;
}

/**
 * Validates and converts queries and bodies by the class of the parameter, with the validator that is compiled from its
 * class-validator metadata. Absent members get their defaults. Unknown members of a body are refused; unknown query
 * parameters are left out.
 *
 * A body whose parameter has no such class, such as an account, is passed on as it is: its use case validates it.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  private readonly fields = new Map<ParameterClass, Fields | undefined>();

  /** @throws PortageError `validation_error` with an error for each invalid member; `parse_error` without a body */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'query' && type !== 'body') || metatype === undefined) return value;
    const fields = this.fieldsOf(metatype);
    if (!fields) return value;
    const input =
      type === 'query' ? pick(value as Input, fields.names) : requireBody(value as Input | undefined);
    const result = validateObject(metatype, input, CONTEXT);
    if (result.ok) return { ...fields.defaults, ...result.value };
    throw new PortageError(
      'validation_error',
      type === 'query' ? 'A query parameter is not valid.' : 'The request is not valid.',
      { errors: result.errors },
    );
  }

  /** Undefined for a class without fields, such as Object. */
  private fieldsOf(type: ParameterClass): Fields | undefined {
    if (this.fields.has(type)) return this.fields.get(type);
    const described = [...fieldsOf(type)];
    const defaults = described.flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    );
    const fields =
      described.length === 0
        ? undefined
        : { names: described.map(([name]) => name), defaults: Object.fromEntries(defaults) as Input };
    this.fields.set(type, fields);
    return fields;
  }
}

/** The documented query parameters, in the order of the class. */
function pick(query: Input, names: readonly string[]): Input {
  const picked: Input = {};
  for (const name of names) if (name in query) picked[name] = query[name];
  return picked;
}
