import { Injectable } from '@nestjs/common';
import { inspectDocumentJob, JobProducer } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { DocumentRepository } from './document.repository';

/** Documents that are reopened in one transaction. */
const BATCH_SIZE = 500;

/** The states that a document can be retried from. */
export type UnsettledState = 'MISSING' | 'REFUSED';

/** The result of `document retry`. */
export interface RetriedDocuments {
  retried: number;
  /** Documents whose job the queue did not accept. The sweeper adds their jobs. */
  withoutJob: number;
  /** False if the run was stopped before its end. */
  isComplete: boolean;
  /** The document that was scheduled last, after which another run goes on. */
  last: string;
}

/** Schedules the inspection of missing or refused documents again, once the supplier has uploaded them. */
@Injectable()
export class RetryDocuments {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly documents: DocumentRepository,
    private readonly jobs: JobProducer,
  ) {}

  /**
   * Works in batches, each in its own transaction, so that it can be stopped and repeated at any time.
   *
   * @param signal stops after the current batch
   * @param after begins after this document
   * @throws PortageError `operation_refused` if there is no such supplier
   */
  async retry(
    supplierCode: string,
    states: readonly UnsettledState[],
    signal: AbortSignal,
    after = '0',
  ): Promise<RetriedDocuments> {
    const { id, code, organisationId } = await this.suppliers.requireByCode(supplierCode);
    const result: RetriedDocuments = { retried: 0, withoutJob: 0, isComplete: false, last: after };
    while (!signal.aborted) {
      const batch = await this.documents.reopen(id, states, result.last, BATCH_SIZE);
      if (batch.length > 0) {
        result.retried += batch.length;
        // A finished job may still exist under the same id; addMissing replaces it.
        const jobs = batch.map((document) =>
          inspectDocumentJob({ ...document, organisationId, supplier: code }),
        );
        // After one failure the queue is not tried again, because every batch would wait for its timeout.
        const areEnqueued = result.withoutJob === 0 && (await this.tryEnqueue(jobs));
        if (!areEnqueued) result.withoutJob += batch.length;
        result.last = batch.at(-1)?.documentId ?? result.last;
      }
      if (batch.length < BATCH_SIZE) return { ...result, isComplete: true };
    }
    return result;
  }

  private async tryEnqueue(jobs: Parameters<JobProducer['addMissing']>[1]): Promise<boolean> {
    return this.jobs.addMissing('documents', jobs).then(
      () => true,
      () => false,
    );
  }
}
