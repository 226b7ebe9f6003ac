import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { fieldsOf, type SchemaContext, validateObject } from '@portage/account-schema';
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
  limits: { arrayItems: 10_000, nesting: 32, errors: 1_000 },
};

/**
 * Validates and converts queries and bodies by the class of the parameter, with the validator that is compiled from its
 * class-validator metadata. Absent members get their defaults. Unknown members of a body are refused; unknown query
 * parameters are left out.
 *
 * A body whose parameter has no such class is passed on as it is: its use case validates it.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  /** @throws PortageError `validation_error` with an error for each invalid member; `parse_error` without a body */
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'query' && type !== 'body') return value;
    if (metatype === undefined || fieldsOf(metatype).size === 0) return value;
    return type === 'query'
      ? validate(metatype, documentedParameters(metatype, value as Input), 'A query parameter is not valid.')
      : validate(metatype, requireBody(value as Input | undefined), 'The request is not valid.');
  }
}

function validate(type: new () => object, input: Input, summary: string): object {
  const result = validateObject(type, input, CONTEXT);
  if (!result.ok) throw new PortageError('validation_error', summary, { errors: result.errors });
  return { ...defaultsOf(type), ...result.value };
}

function documentedParameters(type: new () => object, query: Input): Input {
  const names = [...fieldsOf(type).keys()];
  return Object.fromEntries(names.flatMap((name) => (name in query ? [[name, query[name]]] : [])));
}

function defaultsOf(type: new () => object): Input {
  const fields = [...fieldsOf(type)];
  return Object.fromEntries(
    fields.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}
