import { type FieldError, type PortageError } from '@portage/client';

/** The error of a refused request without its fields. */
export function refusalOf({ code, attr, detail }: PortageError): FieldError {
  return { code, attr, detail };
}

/** The errors of the fields, or the error of the request if it lists none. */
export function errorsOf(error: PortageError): [FieldError, ...FieldError[]] {
  const [first = refusalOf(error), ...rest] = error.errors;
  return [first, ...rest];
}
