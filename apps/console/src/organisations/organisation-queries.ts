import { apiQuery, path } from '../api/client';
import type { ApiKeyList, OrganisationList } from '../api/shapes';

export const organisationsQuery = apiQuery<OrganisationList>(['organisations'], '/organisations');

export const keysQuery = (organisation: string) =>
  apiQuery<ApiKeyList>(['api-keys', organisation], `${path('organisations', organisation)}/api-keys`);
