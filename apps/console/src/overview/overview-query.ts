import { apiQuery } from '../api/client';
import { polled } from '../api/query-client';
import type { Schemas } from '../api/shapes';

export const overviewQuery = { ...apiQuery<Schemas['Overview']>(['overview'], '/overview'), ...polled };
