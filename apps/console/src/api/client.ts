import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error';

const BASE = '/operator/v1';

/** A request that has no answer by then has failed. Longer than the API's own limits. */
const TIMEOUT_MS = 30_000;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function withQuery(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  const text = parameters.toString();
  return `${BASE}${path}${text ? `?${text}` : ''}`;
}

/** The address of a download, which the browser opens with the session's cookie. */
export const downloadUrl = withQuery;

async function send<T>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
  });
  const text = await response.text();
  const parsed = parse(text);
  if (response.ok) return parsed as T;
  const { code, detail, errors } = (parsed ?? {}) as {
    code?: unknown;
    detail?: unknown;
    errors?: { detail: string }[];
  };
  // What is wrong with each field says more than that fields are wrong.
  const reason = errors?.map((error) => error.detail).join(' ') || detail;
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  throw new ApiError(
    response.status,
    typeof code === 'string' ? code : String(response.status),
    typeof reason === 'string' ? reason : 'The answer has no explanation.',
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Joins path segments, each percent-encoded. */
export const path = (...segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

export const read = async <T>(url: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  send<T>('GET', withQuery(url, query), undefined, signal);

/** A query that reads a resource of the operator API. */
export const apiQuery = <T>(queryKey: readonly unknown[], url: string, query?: Query) =>
  queryOptions({ queryKey, queryFn: async ({ signal }) => read<T>(url, query, signal) });

export const change = async <T = undefined>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<T> => send<T>(method, withQuery(url), body);
