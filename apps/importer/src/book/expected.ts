import type { OpenSubmissionRequest } from '@portage/client';

/** Control totals of a submission, by measure. */
export type Expected = NonNullable<OpenSubmissionRequest['expected']>;
