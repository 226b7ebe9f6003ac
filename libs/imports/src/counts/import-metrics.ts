import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/platform';
import { Counter, Gauge } from 'prom-client';

/** The metrics of imports. */
@Injectable()
export class ImportMetrics {
  readonly scheduled: Counter;
  readonly imports: Counter;
  readonly processes: Gauge;
  readonly stuckProcesses: Gauge;
  readonly submissionLines: Gauge;
  readonly organisationStalled: Gauge;

  constructor({ registry }: Metrics) {
    this.scheduled = new Counter({
      name: 'portage_import_processes_scheduled_total',
      help: 'Account creations that were accepted with 201, by outcome: created, replaced or unchanged.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.imports = new Counter({
      name: 'portage_account_imports_total',
      help: 'Finished jobs of the queue account-imports, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.processes = new Gauge({
      name: 'portage_import_processes',
      help: 'Number of import processes, by supplier and status.',
      labelNames: ['supplier', 'status'],
      registers: [registry],
    });
    this.stuckProcesses = new Gauge({
      name: 'portage_stuck_processes',
      help: 'Number of import processes whose job is overdue.',
      registers: [registry],
    });
    this.submissionLines = new Gauge({
      name: 'portage_submission_lines',
      help: 'Number of lines of uploads, by supplier and outcome: accepted or refused.',
      labelNames: ['supplier', 'outcome'],
      registers: [registry],
    });
    this.organisationStalled = new Gauge({
      name: 'portage_organisation_stalled_seconds',
      help: 'Age in seconds of the oldest account of an organisation that is due, while none of its accounts has come to its end for three minutes; 0 otherwise.',
      labelNames: ['organisation'],
      registers: [registry],
    });
  }
}
