import { apiQuery } from '../api/client';
import { polled } from '../api/query-client';
import type { OverviewView } from '../api/shapes';

export const overviewQuery = { ...apiQuery<OverviewView>(['overview'], '/overview'), ...polled };
