import { queryOptions } from '@tanstack/react-query';
import { path, read } from '../api/client';
import type { Schemas } from '../api/shapes';

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: ['submission', id],
    queryFn: async ({ signal }) => read<Schemas['SubmissionDetail']>(path('submissions', id), {}, signal),
  });

export const submissionsQuery = (code: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['submissions', code, cursor ?? ''],
    queryFn: async ({ signal }) =>
      read<Schemas['SubmissionPage']>(`${path('suppliers', code)}/submissions`, { cursor }, signal),
  });

/** Computed from the rows of the submission, so it is read on request, and again in another state only. */
export const reconciliationQuery = ({ id, status }: Pick<Schemas['SubmissionDetail'], 'id' | 'status'>) =>
  queryOptions({
    queryKey: ['reconciliation', id, status],
    queryFn: async ({ signal }) =>
      read<Schemas['Reconciliation']>(`${path('submissions', id)}/reconciliation`, {}, signal),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
