import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a request has set going, so that the line it leaves in the log leads to those of the worker: by the id of the
 * job. Whatever is called meanwhile finds the trail without being handed it.
 */
export class JobCorrelation {
  private static readonly current = new AsyncLocalStorage<JobCorrelation>();

  /** The first job that was added, where there was one. */
  jobId: string | undefined;

  /** Does `work`, and what it goes on to do, on this trail. */
  follow(work: () => void): void {
    JobCorrelation.current.run(this, work);
  }

  /** Notes a job on the trail that leads here; nothing happens where there is none. */
  static note(jobId: string | undefined): void {
    const trail = JobCorrelation.current.getStore();
    if (trail) trail.jobId ??= jobId;
  }
}
