import {
  accountRequestJob,
  type AccountRequestJobPayload,
  type JobsOfQueue,
  MAX_BATCH_REQUESTS,
  transactionsBatchJob,
} from '@portage/platform';
import type { AccountRequestKind } from './account-request.repository';

/** A stored request that needs a job. */
export interface JoblessRequest {
  kind: AccountRequestKind;
  accountId: string;
  payload: Required<Omit<AccountRequestJobPayload, 'weight' | 'submissionId'>>;
  /** In characters. */
  inputLength: number;
  /** True if a worker may perform the request in one database transaction with others. */
  mayShareJob: boolean;
  /** The span of the request, as a W3C `traceparent`. */
  traceparent: string | undefined;
}

/**
 * Builds the jobs of requests that were stored together. The requests of one organisation and supplier that may share a
 * job do, if they are about different accounts; every other request has a job of its own.
 *
 * @returns the job of each request, in the order of `requests`; requests that share a job have the same object
 */
export function shareJobs(requests: readonly JoblessRequest[]): JobsOfQueue[] {
  const groups: JoblessRequest[][] = [];
  for (const request of requests) {
    const group = groups.find((others) => hasPlaceFor(request, others));
    if (group) group.push(request);
    else groups.push([request]);
  }
  const jobs = new Map<JoblessRequest, JobsOfQueue>();
  for (const group of groups) {
    const job = buildJob(group);
    for (const request of group) jobs.set(request, job);
  }
  return requests.map((request) => jobs.get(request) as JobsOfQueue);
}

function hasPlaceFor(request: JoblessRequest, others: readonly JoblessRequest[]): boolean {
  const { organisationId, supplier } = request.payload;
  return (
    request.mayShareJob &&
    others.length < MAX_BATCH_REQUESTS &&
    others.every(
      ({ mayShareJob, accountId, payload }) =>
        mayShareJob &&
        accountId !== request.accountId &&
        payload.organisationId === organisationId &&
        payload.supplier === supplier,
    )
  );
}

function buildJob(group: readonly JoblessRequest[]): JobsOfQueue {
  const [first, ...others] = group as [JoblessRequest, ...JoblessRequest[]];
  const { kind, payload, inputLength } = first;
  if (others.length === 0) return accountRequestJob(kind, payload, inputLength);
  const { organisationId, supplier } = payload;
  return transactionsBatchJob({
    organisationId,
    supplier,
    requests: group.map(({ payload: { requestId, externalAccountNumber }, traceparent }) => ({
      requestId,
      externalAccountNumber,
      ...(traceparent !== undefined && { traceparent }),
    })),
  });
}
