import { queryOptions } from '@tanstack/react-query';
import { apiQuery, path } from '../api/client';
import type { SubmissionDetailView, SubmissionPage, SubmissionReconciliation } from '../api/shapes';

export const submissionQuery = (id: string) =>
  apiQuery<SubmissionDetailView>(['submission', id], path('submissions', id));

/** The submissions of all suppliers, or of one, and of both kinds, or of one. */
export const submissionsQuery = (
  filters: { supplier?: string | undefined; kind?: string | undefined },
  cursor: string | undefined,
) =>
  apiQuery<SubmissionPage>(['submissions', filters, cursor ?? ''], '/submissions', {
    ...filters,
    cursor,
  });

/** Computed from the rows of the submission, so it is read on request, and again in another state only. */
export const reconciliationQuery = ({ id, status }: Pick<SubmissionDetailView, 'id' | 'status'>) =>
  queryOptions({
    ...apiQuery<SubmissionReconciliation>(
      ['reconciliation', id, status],
      `${path('submissions', id)}/reconciliation`,
    ),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
