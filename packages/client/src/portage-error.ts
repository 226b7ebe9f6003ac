import type { FieldError } from './generated/api';
import { isJsonObject, textField } from './json';
import type { Answer } from './transport/transport';

/**
 * The service refused a request. `code` is stable, `detail` is for people.
 *
 * @typeParam Body the possible error bodies of the operation
 */
export class PortageError<Body = unknown> extends Error {
  override readonly name = 'PortageError';
  readonly status: number;
  /** The code of the error; `http_<status>` if the response has none. */
  readonly code: string;
  readonly detail: string;
  /** Path of the field that the error is about; empty if it names none. */
  readonly attr: string;
  /** The errors of the fields; empty if the response lists none. */
  readonly errors: readonly FieldError[];
  /** The number of all errors, which may be more than the service lists. */
  readonly errorCount: number;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The header `Retry-After`: seconds, or a date. */
  readonly retryAfter: string | undefined;
  /** The body of the response. */
  readonly body: Body;

  constructor(answer: Answer) {
    const error = findError(answer);
    super(`${error.detail} (${answer.status} ${error.code})`);
    this.status = answer.status;
    this.code = error.code;
    this.detail = error.detail;
    this.attr = error.attr;
    this.errors = listErrors(answer.body);
    this.errorCount = countErrors(answer.body) ?? this.errors.length;
    this.requestId = answer.headers['x-request-id'];
    this.retryAfter = answer.retryAfter;
    // The document describes the body of each status, and the service is tested against the document.
    this.body = answer.body as Body;
  }
}

/**
 * Parses an object with `code` and `detail`: an error body, an item of its `errors`, or the error of an import process.
 * `attr` is empty if the error names no field. Undefined if the value has no code.
 */
export function parseFieldError(value: unknown): FieldError | undefined {
  const code = textField(value, 'code');
  if (code === undefined) return undefined;
  return { code, attr: textField(value, 'attr') ?? '', detail: textField(value, 'detail') ?? '' };
}

/**
 * The first error that the body has: of an account that is imported already (contract, "Schedule an account"), the
 * general form, the form of transactions (contract, "Add transactions"), or only a status.
 */
function findError({ body, status }: Answer): FieldError {
  const nonField = isJsonObject(body) ? body['non_field_errors'] : undefined;
  const message = Array.isArray(nonField) && typeof nonField[0] === 'string' ? nonField[0] : undefined;
  return (
    parseFieldError(nonField) ?? parseFieldError(body) ?? parseImportError(body) ?? ofStatus(status, message)
  );
}

function parseImportError(body: unknown): FieldError | undefined {
  const code = textField(body, 'status');
  return code === undefined ? undefined : { code, attr: '', detail: textField(body, 'error_detail') ?? '' };
}

function ofStatus(status: number, message?: string): FieldError {
  return {
    code: `http_${status}`,
    attr: '',
    detail: message ?? `The service responded with status ${status} without an error message.`,
  };
}

function countErrors(body: unknown): number | undefined {
  const count = isJsonObject(body) ? body['error_count'] : undefined;
  return typeof count === 'number' ? count : undefined;
}

function listErrors(body: unknown): FieldError[] {
  const errors = isJsonObject(body) ? body['errors'] : undefined;
  if (!Array.isArray(errors)) return [];
  return errors.map(parseFieldError).filter((error) => error !== undefined);
}
