import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { type DocumentFinding, DocumentRepository, type PendingDocument } from '@portage/database';
import { DOCUMENT_STORE, documentKey, type DocumentStore, inspectDocument } from '@portage/documents';

/** How a look at a document ended. `outdated`: somebody has looked already. `awaited`: it may still be uploaded. */
export type DocumentOutcome =
  { kind: 'stored' | 'outdated' | 'awaited' } | { kind: 'missing' | 'refused'; code: string };

/** Looks at a document that a statement or a note points at, and stores what is there (DESIGN 4 "Document paths"). */
@Injectable()
export class InspectDocument {
  constructor(
    private readonly documents: DocumentRepository,
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Safe to repeat and to run twice at once: the first finding stays.
   *
   * @param isLastAttempt nobody will look again by himself, so a document that is not there is missing
   * @throws DocumentStoreUnavailable when nothing was found out: the document stays to be looked at
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
