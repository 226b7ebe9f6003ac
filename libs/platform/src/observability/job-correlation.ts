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

  /** The correlation of the code that runs, if there is one. */
  static get active(): JobCorrelation | undefined {
    return JobCorrelation.current.getStore();
  }

  /** Records a job, unless one was recorded before. */
  recordJob(jobId: string | undefined): void {
    this.jobId ??= jobId;
  }

  /** Records a job in the current correlation, if there is one. */
  static recordJob(jobId: string | undefined): void {
    JobCorrelation.active?.recordJob(jobId);
  }
}

/** What connects a batch with each of the requests whose items it has. */
export interface RequestTrail {
  /** The span of the request, as a W3C `traceparent`. Set while tracing is enabled. */
  traceparent: string | undefined;
  correlation: JobCorrelation | undefined;
}
