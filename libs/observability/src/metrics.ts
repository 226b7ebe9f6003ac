import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The figures of one process, for Prometheus. Labels are codes and names, never an account's or a person's. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'portage_http_request_duration_seconds',
    help: 'Time to answer a request, by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [this.registry],
  });

  readonly scheduled = new Counter({
    name: 'portage_import_processes_scheduled_total',
    help: 'Account creations accepted with 201, by whether anything was new.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly imports = new Counter({
    name: 'portage_account_imports_total',
    help: 'Jobs on account-imports that ended, by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly enqueueFailures = new Counter({
    name: 'portage_enqueue_failures_total',
    help: 'Jobs that could not be enqueued at once and were left to the sweeper.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly swept = new Counter({
    name: 'portage_swept_processes_total',
    help: 'Processes whose job the sweeper added again.',
    registers: [this.registry],
  });

  readonly jobDuration = new Histogram({
    name: 'portage_job_duration_seconds',
    help: 'Time a job took, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers: [this.registry],
  });

  readonly queueDepth = new Gauge({
    name: 'portage_queue_jobs',
    help: 'Jobs in a queue, by state.',
    labelNames: ['queue', 'state'],
    registers: [this.registry],
  });

  readonly oldestWaiting = new Gauge({
    name: 'portage_queue_oldest_waiting_seconds',
    help: 'How long the job that is next in a queue has waited; 0 while none waits.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly jobFailures = new Counter({
    name: 'portage_job_failures_total',
    help: 'Attempts that failed, by queue and the code that is kept with the job.',
    labelNames: ['queue', 'code'],
    registers: [this.registry],
  });

  readonly jobRetries = new Counter({
    name: 'portage_job_retries_total',
    help: 'Attempts that failed and are followed by another one.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  readonly processes = new Gauge({
    name: 'portage_import_processes',
    help: 'Import processes by supplier and status, counted once a minute for all instances.',
    labelNames: ['supplier', 'status'],
    registers: [this.registry],
  });

  readonly stuckProcesses = new Gauge({
    name: 'portage_stuck_processes',
    help: 'Processes that should have moved on and have not, counted with the others.',
    registers: [this.registry],
  });

  readonly poolConnections = new Gauge({
    name: 'portage_database_pool_connections',
    help: 'Connections of this process to the database, active or idle, and statements that wait for one.',
    labelNames: ['state'],
    registers: [this.registry],
  });

  readonly vendorCalls = new Counter({
    name: 'portage_vendor_calls_total',
    help: 'Payment instructions that a vendor was to verify, by vendor, outcome and the code of what went wrong.',
    labelNames: ['vendor', 'outcome', 'code'],
    registers: [this.registry],
  });

  readonly vendorBreaker = new Gauge({
    name: 'portage_vendor_breaker',
    help: '1 for the state that the circuit breaker of a payment vendor is in: closed, open or half-open.',
    labelNames: ['vendor', 'state'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}
