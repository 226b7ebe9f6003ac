import { MAX_BATCH_REQUESTS } from '@portage/platform';
import { type JoblessRequest, shareJobs } from './share-jobs';

const OWNER = { organisationId: 1, supplier: 'LEGACY' };

/** A small transactions request for an account of its own. */
const request = (nth: number, changes: Partial<JoblessRequest> = {}): JoblessRequest => ({
  kind: 'transactions',
  accountId: String(nth),
  payload: { requestId: String(nth), externalAccountNumber: `N-${nth}`, ...OWNER },
  inputLength: 200,
  mayShareJob: true,
  traceparent: undefined,
  ...changes,
});

/** The ids of the jobs of the requests. */
const jobIds = (requests: readonly JoblessRequest[]) => shareJobs(requests).map(([, [job]]) => job?.id);

describe('requests that were stored together', () => {
  it('share one job if they are small and of one supplier', () => {
    const [first, second] = shareJobs([request(1), request(2, { traceparent: '00-trace' })]);
    expect(first).toBe(second);
    expect(first).toEqual([
      'transactions',
      [
        {
          id: 'account-requests-1',
          name: 'add-transactions-batch',
          payload: {
            ...OWNER,
            requests: [
              { requestId: '1', externalAccountNumber: 'N-1' },
              { requestId: '2', externalAccountNumber: 'N-2', traceparent: '00-trace' },
            ],
          },
        },
      ],
    ]);
  });

  it('share no job with those of another organisation or supplier', () => {
    const of = (nth: number, owner: object) =>
      request(nth, { payload: { ...request(nth).payload, ...owner } });
    const others = [of(2, { organisationId: 2 }), of(3, { supplier: 'OTHER' })];
    expect(jobIds([request(1), ...others, request(4)])).toEqual([
      'account-requests-1',
      'account-request-2',
      'account-request-3',
      'account-requests-1',
    ]);
  });

  it('share no job if they are about the same account', () => {
    const requests = [request(1), request(2, { accountId: '1' }), request(3)];
    expect(jobIds(requests)).toEqual(['account-requests-1', 'account-request-2', 'account-requests-1']);
    const [one, two] = ['account-requests-1', 'account-requests-2'];
    expect(jobIds([...requests, request(4, { accountId: '3' })])).toEqual([one, two, one, two]);
  });

  it('have a job of their own if they are large or of another kind', () => {
    const large = request(2, { mayShareJob: false, inputLength: 180_000 });
    const instruction = request(3, { kind: 'payment-instruction', mayShareJob: false });
    const jobs = shareJobs([request(1), large, instruction, request(4)]);
    expect(jobs.map(([queue, [job]]) => [queue, job?.name])).toEqual([
      ['transactions', 'add-transactions-batch'],
      ['transactions', 'add-transactions'],
      ['payment-instructions', 'verify-payment-instruction'],
      ['transactions', 'add-transactions-batch'],
    ]);
    expect(jobs[1]?.[1]).toMatchObject([{ payload: { requestId: '2', weight: 9 } }]);
  });

  it('fill one job after the other', () => {
    const ids = jobIds(Array.from({ length: MAX_BATCH_REQUESTS + 1 }, (_, nth) => request(nth)));
    expect(new Set(ids.slice(0, -1))).toEqual(new Set(['account-requests-0']));
    expect(ids.at(-1)).toBe(`account-request-${MAX_BATCH_REQUESTS}`);
  });
});
