import type { ErrorCode } from './error-codes';

/**
 * An expected error with a stable code. `detail` is a sentence for people and may change. `members` are the additional
 * members of the error body in the contract.
 */
export class PortageError extends Error {
  override readonly name = 'PortageError';

  constructor(
    readonly code: ErrorCode,
    readonly detail: string,
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

/** An error whose whole body has a form of its own in the contract. */
export class ShapedError extends PortageError {
  /** @param body the body of the response, instead of `detail`, `code` and members */
  constructor(
    code: ErrorCode,
    detail: string,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(code, detail);
  }
}

/** A validation error (contract, "Validation error"). */
export interface FieldError {
  detail: string;
  code: string;
  /** Dotted path from the root of the body with zero-based list positions: `customers.0.landline`. */
  attr: string;
}

/**
 * The error of a failed import process, as stored and as shown in `latest_error` (contract, "Import process in v2").
 */
export interface ProcessError {
  code: string;
  detail: string;
  domain: 'import_process';
}

/** The error of a query parameter that the use case refuses. */
export function buildQueryError(attr: string, detail: string): PortageError {
  return new PortageError('validation_error', 'A query parameter is not valid.', {
    errors: [{ attr, code: 'invalid', detail }],
  });
}
