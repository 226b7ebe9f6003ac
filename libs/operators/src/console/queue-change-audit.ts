import { Injectable } from '@nestjs/common';
import { type AuditAction, AuditRepository, Database } from '@portage/platform';

/** A change of a queue or of a job that an operator makes in Bull Board. */
export interface QueueChange {
  /** The operator, as the audit records it. */
  actor: string;
  action: AuditAction;
  /** Undefined for all queues. */
  queue: string | undefined;
  /** The id of the job and the new values. */
  details: Record<string, unknown>;
}

/** Records the changes that operators make in Bull Board, which changes the queues without a use case. */
@Injectable()
export class QueueChangeAudit {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Records a change. Called before the change, which is in another store: so there is an entry for each change, and also
   * for one that then fails.
   *
   * @throws DatabaseUnavailable; the change must then not be made
   */
  async record({ actor, action, queue, details }: QueueChange): Promise<void> {
    await this.audit.record(this.database, { actor, action, subject: queue ?? 'all queues', details });
  }
}
