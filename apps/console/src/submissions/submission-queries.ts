import { queryOptions } from '@tanstack/react-query';
import { apiQuery, path } from '../api/client';
import type { Schemas } from '../api/shapes';

export const submissionQuery = (id: string) =>
  apiQuery<Schemas['SubmissionDetail']>(['submission', id], path('submissions', id));

export const submissionsQuery = (code: string, cursor: string | undefined) =>
  apiQuery<Schemas['SubmissionPage']>(
    ['submissions', code, cursor ?? ''],
    `${path('suppliers', code)}/submissions`,
    { cursor },
  );

/** Computed from the rows of the submission, so it is read on request, and again in another state only. */
export const reconciliationQuery = ({ id, status }: Pick<Schemas['SubmissionDetail'], 'id' | 'status'>) =>
  queryOptions({
    ...apiQuery<Schemas['Reconciliation']>(
      ['reconciliation', id, status],
      `${path('submissions', id)}/reconciliation`,
    ),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
