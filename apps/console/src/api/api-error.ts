/** An answer of the operator API other than the expected one. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(detail);
  }
}

/** True if the request failed because there is no session, or not any more. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'operator_session_required';

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ApiError && error.code === code;

export interface DescribedError {
  title: string;
  detail: string;
  code: string | undefined;
}

/** Input that is not sent, with a sentence that says why. */
export class InvalidInput extends Error {}

/** An error in the words of its page. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof InvalidInput)
    return { title: 'The input is not valid', detail: error.message, code: undefined };
  if (!(error instanceof ApiError))
    return {
      title: 'The API did not answer',
      detail: 'Check the connection. The page tries again by itself.',
      code: undefined,
    };
  const wait = error.retryAfterSeconds === undefined ? '' : ` Try again in ${error.retryAfterSeconds} s.`;
  return { title: titleOf(error.status), detail: `${error.detail}${wait}`, code: error.code };
}

function titleOf(status: number): string {
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many requests';
  if (status >= 500) return 'The service could not answer';
  return 'The request was refused';
}
