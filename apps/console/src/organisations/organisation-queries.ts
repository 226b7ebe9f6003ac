import { queryOptions } from '@tanstack/react-query';
import { path, read } from '../api/client';
import type { ApiKeyList, OrganisationList } from '../api/shapes';

export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: async ({ signal }) => read<OrganisationList>('/organisations', {}, signal),
});

export const keysQuery = (organisation: string) =>
  queryOptions({
    queryKey: ['api-keys', organisation],
    queryFn: async ({ signal }) =>
      read<ApiKeyList>(`${path('organisations', organisation)}/api-keys`, {}, signal),
  });
