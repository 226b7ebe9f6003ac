import { DatabaseUnavailable } from '@portage/platform';
import { failureOf } from './import-failure';

it.each(['created', 'corrected'] as const)(
  'a failure says that the account could not be %s, and what to do',
  (work) => {
    expect(failureOf(new DatabaseUnavailable('away'), work)).toEqual({
      code: 'temporarily_unavailable',
      detail: `The account could not be ${work} for reasons that will pass. Send it again.`,
    });
    expect(failureOf(new Error('a bug'), work)).toEqual({
      code: 'error',
      detail: `The account could not be ${work}. The operator can see why in the log.`,
    });
  },
);
