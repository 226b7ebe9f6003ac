import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { type DocumentFinding, DocumentRepository, type PendingDocument } from '@portage/database';
import { DOCUMENT_STORE, documentKey, type DocumentStore, inspectDocument } from '@portage/documents';

/**
 * The outcome of an inspection. `outdated`: the document has been inspected before. `awaited`: it is not stored yet and
 * a later attempt may find it.
 */
export type DocumentOutcome =
  { kind: 'stored' | 'outdated' | 'awaited' } | { kind: 'missing' | 'refused'; code: string };

/** Inspects a document that a statement or a note refers to, and records its size, media type and SHA-256. */
@Injectable()
export class InspectDocument {
  constructor(
    private readonly documents: DocumentRepository,
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Idempotent, and safe to run concurrently: the first finding is kept.
   *
   * @param isLastAttempt true if the job is not retried, so that an absent document is recorded as missing
   * @throws DocumentStoreUnavailable if the store cannot be reached; the document stays pending
   */
  async run(documentId: string, isLastAttempt: boolean): Promise<DocumentOutcome> {
    const document = await this.documents.pending(documentId);
    if (!document) return { kind: 'outdated' };
    const finding = await this.find(document);
    if (finding.state === 'MISSING' && !isLastAttempt) return { kind: 'awaited' };
    await this.documents.settle(documentId, finding);
    if (finding.state === 'STORED') return { kind: 'stored' };
    return { kind: finding.state === 'MISSING' ? 'missing' : 'refused', code: finding.errorCode };
  }

  private async find({ documentRoot, path, kind }: PendingDocument): Promise<DocumentFinding> {
    const place = documentKey(documentRoot, path);
    if (place.outcome === 'refused') return refused(`${place.at}_not_valid`);
    const found = await inspectDocument(this.store, place.key, { maxBytes: this.config.MAX_DOCUMENT_BYTES });
    if (found.outcome === 'missing')
      return { state: 'MISSING', errorCode: 'path_does_not_exist_in_file_store' };
    if (found.outcome === 'too_large') return refused('document_too_large');
    if (kind === 'statement' && !found.isPdf) return refused('statement_is_not_a_pdf');
    const { size, mediaType, sha256 } = found;
    return { state: 'STORED', size, mediaType, sha256 };
  }
}

function refused(errorCode: string): DocumentFinding {
  return { state: 'REFUSED', errorCode };
}
