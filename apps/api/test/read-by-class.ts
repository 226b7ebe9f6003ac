import { type FieldError, PortageError } from '@portage/platform';
import { ValidationPipe } from '../src/http/validation-pipe';

/** What the pipe passes on of a body or a query of this class. */
export function parseByClass(type: 'body' | 'query', metatype: new () => object, value: object): unknown {
  return new ValidationPipe().transform(value, { type, metatype });
}

/** As {@link parseByClass}, or the errors, each as `attr: code`. */
export function readByClass(...parameters: Parameters<typeof parseByClass>): unknown {
  try {
    return parseByClass(...parameters);
  } catch (error) {
    if (!(error instanceof PortageError) || error.code !== 'validation_error') throw error;
    return (error.members['errors'] as FieldError[]).map(({ attr, code }) => `${attr}: ${code}`);
  }
}
