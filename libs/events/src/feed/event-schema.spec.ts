import { buildCounts, toSubmissionCounts } from '@portage/submissions';
import { EVENT_DATA_SCHEMAS } from './event-schema';

it('describes all counts of a submission, and no others', () => {
  const { counts } = EVENT_DATA_SCHEMAS.submission['properties'] as { counts: { required: string[] } };
  expect(counts.required.toSorted()).toEqual(Object.keys(buildCounts(toSubmissionCounts({}))).toSorted());
});
