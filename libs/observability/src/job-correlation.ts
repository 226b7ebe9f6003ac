import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Connects the log line of a request with the log lines of its job: it holds the id of the job that the request added.
 * Code that runs within {@link run} finds the correlation through asynchronous context.
 */
export class JobCorrelation {
  private static readonly current = new AsyncLocalStorage<JobCorrelation>();

  /** The id of the first job that was added, if any. */
  jobId: string | undefined;

  /** Runs `work`, and everything it calls asynchronously, with this correlation. */
  run(work: () => void): void {
    JobCorrelation.current.run(this, work);
  }

  /** Records a job in the current correlation, if there is one. */
  static recordJob(jobId: string | undefined): void {
    const correlation = JobCorrelation.current.getStore();
    if (correlation) correlation.jobId ??= jobId;
  }
}
