import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  DOCUMENT_STORE,
  documentKey,
  type DocumentStore,
  inspectDocument,
} from '@portage/platform';
import { DocumentRepository, type InspectionResult, type PendingDocument } from './document.repository';

/**
 * The outcome of an inspection. `outdated`: the document has been inspected before. `awaited`: it is not stored yet and
 * a later attempt may find it.
 */
export type DocumentOutcome =
  | { kind: 'stored' | 'outdated' | 'awaited' }
  | { kind: 'missing' | 'refused'; code: string };

/** Inspects a document that a statement or a note refers to, and records its size, media type and SHA-256. */
@Injectable()
export class InspectDocument {
  constructor(
    private readonly documents: DocumentRepository,
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Inspects the document once. Idempotent, and safe to run concurrently: the first result is stored.
   *
   * @param isLastAttempt true if the job is not retried, so that an absent document is recorded as missing
   * @throws DocumentStoreUnavailable if the store cannot be reached; the document stays pending
   */
  async run(documentId: string, isLastAttempt: boolean): Promise<DocumentOutcome> {
    const document = await this.documents.pending(documentId);
    if (!document) return { kind: 'outdated' };
    const result = await this.inspect(document);
    if (result.state === 'MISSING' && !isLastAttempt) return { kind: 'awaited' };
    await this.documents.settle(documentId, result);
    if (result.state === 'STORED') return { kind: 'stored' };
    return { kind: result.state === 'MISSING' ? 'missing' : 'refused', code: result.errorCode };
  }

  private async inspect({ documentRoot, path, kind }: PendingDocument): Promise<InspectionResult> {
    const located = documentKey(documentRoot, path);
    if (located.outcome === 'refused') return refused(`${located.at}_not_valid`);
    const found = await inspectDocument(this.store, located.key, {
      maxBytes: this.config.MAX_DOCUMENT_BYTES,
    });
    if (found.outcome === 'missing')
      return { state: 'MISSING', errorCode: 'path_does_not_exist_in_file_store' };
    if (found.outcome === 'too_large') return refused('document_too_large');
    if (kind === 'statement' && !found.isPdf) return refused('statement_is_not_a_pdf');
    const { size, mediaType, sha256 } = found;
    return { state: 'STORED', size, mediaType, sha256 };
  }
}

function refused(errorCode: string): InspectionResult {
  return { state: 'REFUSED', errorCode };
}
