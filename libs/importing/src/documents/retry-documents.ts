import { Injectable } from '@nestjs/common';
import { DocumentRepository } from '@portage/database';
import { inspectDocumentJob, JobProducer } from '@portage/queues';
import { ImportSuppliers } from '../suppliers/import-suppliers';

const DOCUMENTS_AT_ONCE = 500;

export type UnsettledState = 'MISSING' | 'REFUSED';

export interface RetriedDocuments {
  retried: number;
  /** Of these the queue did not take the job; the sweeper adds it. */
  withoutJob: number;
  /** False when it was stopped in between. */
  isComplete: boolean;
}

/** Has documents looked at again that were missing or refused, once the supplier has uploaded them (`document retry`). */
@Injectable()
export class RetryDocuments {
  constructor(
    private readonly suppliers: ImportSuppliers,
    private readonly documents: DocumentRepository,
    private readonly jobs: JobProducer,
  ) {}

  /**
   * Goes through them in batches, each committed, so that it can be stopped and repeated at any time.
   *
   * @throws Refusal when there is no such supplier
   */
  async retry(
    supplierCode: string,
    states: readonly UnsettledState[],
    signal: AbortSignal,
  ): Promise<RetriedDocuments> {
    const { id, code } = await this.suppliers.show(supplierCode);
    const result: RetriedDocuments = { retried: 0, withoutJob: 0, isComplete: false };
    let last = '0';
    while (!signal.aborted) {
      const batch = await this.documents.reopen(id, states, last, DOCUMENTS_AT_ONCE);
      if (batch.length > 0) {
        result.retried += batch.length;
        // The job that found nothing may be kept under the same id, so that it has to make room.
        const jobs = batch.map((document) => inspectDocumentJob({ ...document, supplier: code }));
        // A queue that is away is not waited for with every batch.
        const isTaken = result.withoutJob === 0 && (await this.isTaken(jobs));
        if (!isTaken) result.withoutJob += batch.length;
        last = batch.reduce(
          (most, { documentId }) => (BigInt(documentId) > BigInt(most) ? documentId : most),
          last,
        );
      }
      if (batch.length < DOCUMENTS_AT_ONCE) return { ...result, isComplete: true };
    }
    return result;
  }

  private async isTaken(jobs: Parameters<JobProducer['addMissing']>[1]): Promise<boolean> {
    return this.jobs.addMissing('documents', jobs).then(
      () => true,
      () => false,
    );
  }
}
