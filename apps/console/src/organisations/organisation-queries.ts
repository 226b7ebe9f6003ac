import { queryOptions } from '@tanstack/react-query';
import { path, read } from '../api/client';
import type { Schemas } from '../api/shapes';

export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: async ({ signal }) => read<Schemas['OrganisationList']>('/organisations', {}, signal),
});

export const keysQuery = (organisation: string) =>
  queryOptions({
    queryKey: ['api-keys', organisation],
    queryFn: async ({ signal }) =>
      read<Schemas['ApiKeyList']>(`${path('organisations', organisation)}/api-keys`, {}, signal),
  });
