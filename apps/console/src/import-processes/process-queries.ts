import { apiQuery, path } from '../api/client';
import type { ProcessDetailView, ProcessPage } from '../api/shapes';
import type { FilterField } from '../design/filter-form';
import { lookOf, PROCESS_STATUS_NAMES } from '../design/state';

/** What the list is filtered by; part of its address. */
export type ProcessFilters = Partial<Record<(typeof PROCESS_FILTERS)[number]['name'], string | undefined>>;

export const PROCESS_FILTERS = [
  {
    name: 'status',
    label: 'State',
    options: [
      { value: '', label: 'All states' },
      ...PROCESS_STATUS_NAMES.map((value) => ({ value, label: lookOf(value).label })),
    ],
  },
  { name: 'text', label: 'Account number begins with', placeholder: 'A-1002' },
  { name: 'error_code', label: 'Error code', placeholder: 'any' },
  { name: 'submission', label: 'Submission', placeholder: 'id' },
  { name: 'from', label: 'Received from', isMoment: true },
  { name: 'to', label: 'Received before', isMoment: true },
] as const satisfies FilterField<string>[];

export const processesQuery = (code: string, filters: ProcessFilters, cursor: string | undefined) =>
  apiQuery<ProcessPage>(['processes', code, filters, cursor ?? ''], `${path('suppliers', code)}/processes`, {
    ...filters,
    cursor,
  });

export const processQuery = (code: string, id: string) =>
  apiQuery<ProcessDetailView>(['process', code, id], path('suppliers', code, 'processes', id));
