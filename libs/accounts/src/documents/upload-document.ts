import { Inject, Injectable } from '@nestjs/common';
import {
  CONFIG,
  type Config,
  Database,
  DOCUMENT_STORE,
  type DocumentDraft,
  DocumentInspector,
  type DocumentKey,
  documentKey,
  type DocumentStore,
  DocumentStoreUnavailable,
  type InspectedDocument,
  inspectDocument,
  PortageError,
} from '@portage/platform';
import { ImportSupplierDirectory } from '@portage/tenants';
import { storedPath } from './document-paths';
import { DocumentRepository } from './document.repository';
import type { UploadedDocumentView } from './documents.dto';

/** A PDF on its way from its supplier. */
export interface DocumentUpload {
  /** Below the supplier's document root, as a statement names it. */
  path: string;
  content: AsyncIterable<Uint8Array>;
  /** In bytes, if the sender has announced it. */
  announcedSize: number | undefined;
  /** The SHA-256 that the content must have, if the sender has named it. */
  sha256: Buffer | undefined;
}

/** What a store answers if the folder of a document is a document, or a document is a folder. */
const OCCUPIED = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY']);

/** Stores the PDFs that suppliers upload. */
@Injectable()
export class UploadDocument {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly documents: DocumentRepository,
    private readonly database: Database,
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MAX_DOCUMENT_BYTES'>,
  ) {}

  /**
   * Stores a PDF below the supplier's document root, in constant memory. It is visible once all of it was checked, and
   * the documents of this path that were awaited, missing or refused are then STORED. Safe to repeat. A document that
   * differs from what an account has already got is refused; one that no account has got is replaced.
   *
   * @throws PortageError `not_found`, `validation_error` for a path that no document can have, `payload_too_large`,
   * `document_is_not_a_pdf`, `content_digest_mismatch`, `document_already_used`, `unavailable`; what the content throws
   */
  async upload(
    { organisationId }: { organisationId: number },
    supplierCode: string,
    upload: DocumentUpload,
  ): Promise<UploadedDocumentView> {
    const { documentRoot } = await this.suppliers.require(organisationId, supplierCode);
    const located = documentKey(documentRoot, upload.path);
    if (located.outcome === 'refused') throw buildInvalidPath(located.detail);
    if ((upload.announcedSize ?? 0) > this.config.MAX_DOCUMENT_BYTES) throw this.buildTooLarge();
    try {
      return await this.receive(located.key, upload);
    } catch (error) {
      if (!(error instanceof DocumentStoreUnavailable)) throw error;
      if (OCCUPIED.has(error.reason))
        throw buildInvalidPath('Another document has this path, or a part of it, as its name or its folder.');
      throw new PortageError('unavailable', error.message);
    }
  }

  private async receive(key: DocumentKey, upload: DocumentUpload): Promise<UploadedDocumentView> {
    const inspector = new DocumentInspector();
    const checked = new CheckedContent(this.inspectWhile(upload, inspector));
    const draft = await this.store.write(key, checked);
    try {
      const { size, sha256 } = checked.result;
      // Not in the transaction below, because it may take longer than one may be idle.
      const previous = await inspectDocument(this.store, key, { maxBytes: this.config.MAX_DOCUMENT_BYTES });
      const isSame = previous.outcome === 'inspected' && previous.sha256.equals(sha256);
      await this.publish(key, checked.result, isSame ? undefined : draft);
      return {
        document_path: storedPath(upload.path),
        size,
        sha256: sha256.toString('hex'),
        outcome: isSame ? 'EXISTING' : previous.outcome === 'missing' ? 'CREATED' : 'REPLACED',
      };
    } finally {
      await draft.discard();
    }
  }

  /** @param draft undefined if the document is there already */
  private async publish(
    key: DocumentKey,
    content: InspectedDocument,
    draft: DocumentDraft | undefined,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      // Two uploads of one document are published one after the other.
      const used = await this.documents.lockForUpload(transaction, key);
      if (used && !used.equals(content.sha256))
        throw new PortageError(
          'document_already_used',
          'An account has a document of this path with other content. Upload the new one under another path.',
        );
      await draft?.publish();
      await this.documents.settleUploaded(transaction, key, content);
    });
  }

  private async *inspectWhile(
    { content, sha256 }: DocumentUpload,
    inspector: DocumentInspector,
  ): AsyncGenerator<Uint8Array, InspectedDocument> {
    for await (const chunk of content) {
      inspector.update(chunk);
      if (inspector.size > this.config.MAX_DOCUMENT_BYTES) throw this.buildTooLarge();
      yield chunk;
    }
    const result = await inspector.finish();
    if (sha256 && !sha256.equals(result.sha256))
      throw new PortageError(
        'content_digest_mismatch',
        'The content has another SHA-256 than the header Content-Digest. Nothing was stored.',
      );
    if (!result.isPdf)
      throw new PortageError(
        'document_is_not_a_pdf',
        `The content does not begin with %PDF- and end with %%EOF. It looks like ${result.mediaType}. Nothing was stored.`,
      );
    return result;
  }

  private buildTooLarge(): PortageError {
    return new PortageError(
      'payload_too_large',
      `The document is larger than ${this.config.MAX_DOCUMENT_BYTES} bytes. Nothing was stored.`,
    );
  }
}

/** The chunks of a generator, with its result once they were read. */
class CheckedContent implements AsyncIterable<Uint8Array> {
  private returned: InspectedDocument | undefined;

  constructor(private readonly chunks: AsyncGenerator<Uint8Array, InspectedDocument>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    this.returned = yield* this.chunks;
  }

  get result(): InspectedDocument {
    if (!this.returned) throw new TypeError('The content was not read to its end.');
    return this.returned;
  }
}

function buildInvalidPath(detail: string): PortageError {
  return new PortageError('validation_error', 'The request is not valid.', {
    errors: [{ attr: 'path', code: 'invalid', detail }],
  });
}
