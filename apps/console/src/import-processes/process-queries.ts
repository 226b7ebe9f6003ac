import { queryOptions } from '@tanstack/react-query';
import { path, read } from '../api/client';
import type { Schemas } from '../api/shapes';

/** What the list is filtered by; part of its address. */
export interface ProcessFilters {
  status?: string | undefined;
  error_code?: string | undefined;
  text?: string | undefined;
  submission?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const FILTER_NAMES = ['status', 'error_code', 'text', 'submission', 'from', 'to'] as const;

export const processesQuery = (code: string, filters: ProcessFilters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['processes', code, filters, cursor ?? ''],
    queryFn: async ({ signal }) =>
      read<Schemas['ProcessPage']>(`${path('suppliers', code)}/processes`, { ...filters, cursor }, signal),
  });

export const processQuery = (code: string, id: string) =>
  queryOptions({
    queryKey: ['process', code, id],
    queryFn: async ({ signal }) =>
      read<Schemas['ProcessDetail']>(path('suppliers', code, 'processes', id), {}, signal),
  });
