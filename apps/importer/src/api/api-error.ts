import { textField } from './json';

/** An error that the service reports about an account or a request. */
export interface ApiError {
  code: string;
  /** Path of the invalid value; empty if the service names none. */
  attr: string;
  detail: string;
}

/** Parses an error body or an item of its `errors`; undefined if the value has no error code. */
export function parseError(value: unknown): ApiError | undefined {
  const code = textField(value, 'code');
  if (code === undefined) return undefined;
  return { code, attr: textField(value, 'attr') ?? '', detail: textField(value, 'detail') ?? '' };
}

/** The error of a response that has a status but no error body. */
export function errorFromStatus(status: number): ApiError {
  return {
    code: `http_${status}`,
    attr: '',
    detail: `The service responded with status ${status} without an error message.`,
  };
}
