import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Injection token of the interval in milliseconds at which the delay of the event loop is measured. */
export const DELAY_RESOLUTION_MS = Symbol('interval of measuring the delay of the event loop');

/** Short, because a client waits for each block of the event loop of an API. */
const DEFAULT_DELAY_RESOLUTION_MS = 10;

/** The quantiles of the event loop's delay. 1 is the longest delay. */
const DELAY_QUANTILES = [0.5, 0.99, 0.999, 1];

/**
 * The Prometheus metrics of one process, to which subjects add their own (`registry`). Labels are codes and names, never
 * data of an account or a person.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'portage_http_request_duration_seconds',
    help: 'Duration of HTTP requests in seconds, by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [this.registry],
  });

  readonly enqueueFailures = new Counter({
    name: 'portage_enqueue_failures_total',
    help: 'Jobs that could not be enqueued by the request and will be enqueued by the sweeper.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly swept = new Counter({
    name: 'portage_swept_processes_total',
    help: 'Import processes whose lost job the sweeper enqueued again.',
    registers: [this.registry],
  });

  readonly jobDuration = new Histogram({
    name: 'portage_job_duration_seconds',
    help: 'Duration of job attempts in seconds, by queue and outcome: completed, failed, delayed (put back until its window opens) or awaited (its file is not there yet).',
    labelNames: ['queue', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [this.registry],
  });

  readonly queueDepth = new Gauge({
    name: 'portage_queue_jobs',
    help: 'Number of jobs in a queue, by state.',
    labelNames: ['queue', 'state'],
    registers: [this.registry],
  });

  readonly queuePaused = new Gauge({
    name: 'portage_queue_paused',
    help: '1 for a queue that is paused, else 0.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly queueWorkers = new Gauge({
    name: 'portage_queue_workers',
    help: 'Number of workers that take jobs of a queue, of those that have reported within the last 45 seconds.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly oldestWaiting = new Gauge({
    name: 'portage_queue_oldest_waiting_seconds',
    help: 'Age in seconds of the oldest waiting job of a queue; 0 if no job waits, or the queue is paused.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly jobFailures = new Counter({
    name: 'portage_job_failures_total',
    help: 'Jobs that have failed, each counted once, by queue and the code of its first failure. A job that waits for a file has failed when it ends without one.',
    labelNames: ['queue', 'code'],
    registers: [this.registry],
  });

  readonly jobRetries = new Counter({
    name: 'portage_job_retries_total',
    help: 'Failed job attempts that will be retried, and those that have not found the file that they wait for.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  private readonly delays: IntervalHistogram;

  /** Each scrape begins a new interval, as for prom-client's own metrics of the event loop. */
  readonly eventLoopDelay = new Gauge({
    name: 'portage_event_loop_delay_seconds',
    help: 'Delay of the event loop in seconds since the last scrape, by quantile; the quantile 1 is the longest delay.',
    labelNames: ['quantile'],
    registers: [this.registry],
    collect: () => {
      for (const quantile of DELAY_QUANTILES) {
        // Node counts the interval as part of each delay.
        const delayMs = this.delays.percentile(quantile * 100) / 1e6 - this.delayResolutionMs;
        this.eventLoopDelay.set({ quantile }, Math.max(0, delayMs) / 1_000);
      }
      this.delays.reset();
    },
  });

  /** @param delayResolutionMs Each measurement wakes the process: a hundred in a second cost about 3 ms of CPU time. */
  constructor(
    @Optional()
    @Inject(DELAY_RESOLUTION_MS)
    private readonly delayResolutionMs: number = DEFAULT_DELAY_RESOLUTION_MS,
  ) {
    this.delays = monitorEventLoopDelay({ resolution: delayResolutionMs });
    this.delays.enable();
    // With the same interval the two timers expire together.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: delayResolutionMs });
  }
}
