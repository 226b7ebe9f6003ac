import { textField } from './json';

/** One thing the service has against an account, or against a request about one. */
export interface ApiError {
  code: string;
  /** Path of the value at fault; empty when the service names none. */
  attr: string;
  detail: string;
}

/** What an error body, or one of its `errors`, says; undefined when it is none. */
export function errorOf(value: unknown): ApiError | undefined {
  const code = textField(value, 'code');
  if (code === undefined) return undefined;
  return { code, attr: textField(value, 'attr') ?? '', detail: textField(value, 'detail') ?? '' };
}

export function errorOfStatus(status: number): ApiError {
  return {
    code: `http_${status}`,
    attr: '',
    detail: `The service answered with status ${status} and no reason.`,
  };
}
