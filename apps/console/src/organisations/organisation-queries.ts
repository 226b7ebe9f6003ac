import { apiQuery, path } from '../api/client';
import type { Schemas } from '../api/shapes';

export const organisationsQuery = apiQuery<Schemas['OrganisationList']>(['organisations'], '/organisations');

export const keysQuery = (organisation: string) =>
  apiQuery<Schemas['ApiKeyList']>(
    ['api-keys', organisation],
    `${path('organisations', organisation)}/api-keys`,
  );
