import { apiQuery } from '../api/client';
import type { OrganisationList } from '../api/shapes';

export const organisationsQuery = apiQuery<OrganisationList>(['organisations'], '/organisations');
