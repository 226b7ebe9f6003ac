import { queryOptions } from '@tanstack/react-query';
import { apiQuery, path, read } from '../api/client';
import type { SupplierDetailView, SupplierPage, ThroughputView } from '../api/shapes';

export const supplierQuery = (code: string) =>
  apiQuery<SupplierDetailView>(['supplier', code], path('suppliers', code));

export const suppliersQuery = (cursor?: string) =>
  apiQuery<SupplierPage>(['suppliers', cursor ?? ''], '/suppliers', { cursor, limit: 200 });

/** The spans that the charts show. */
export const SPANS = {
  hour: { label: 'Last hour', seconds: 3_600, step: 'minute' },
  day: { label: 'Last day', seconds: 86_400, step: 'minute' },
  week: { label: 'Last week', seconds: 604_800, step: 'hour' },
} as const;
export type Span = keyof typeof SPANS;

export const throughputQuery = (code: string, span: Span) =>
  queryOptions({
    queryKey: ['throughput', code, span],
    queryFn: async ({ signal }) => {
      const { seconds, step } = SPANS[span];
      const from = new Date(Date.now() - seconds * 1_000).toISOString();
      return read<ThroughputView>(`${path('suppliers', code)}/throughput`, { from, step }, signal);
    },
    refetchInterval: 15_000,
  });
