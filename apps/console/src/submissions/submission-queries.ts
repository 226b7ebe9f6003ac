import { queryOptions } from '@tanstack/react-query';
import { apiQuery, path } from '../api/client';
import type { Schemas } from '../api/shapes';

export const submissionQuery = (id: string) =>
  apiQuery<Schemas['SubmissionDetail']>(['submission', id], path('submissions', id));

/** The submissions of all suppliers, or of one. */
export const submissionsQuery = (supplier: string | undefined, cursor: string | undefined) =>
  apiQuery<Schemas['SubmissionPage']>(['submissions', supplier ?? '', cursor ?? ''], '/submissions', {
    supplier,
    cursor,
  });

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
