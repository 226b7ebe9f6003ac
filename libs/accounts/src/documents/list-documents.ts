import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, LIST_CHUNK_ROWS, toOffsetMicroseconds } from '@portage/platform';
import { ImportSupplierDirectory } from '@portage/tenants';
import { DocumentRepository, type ListedDocumentState, type UnsettledDocument } from './document.repository';
import type { DocumentView } from './documents.dto';

/** Lists the documents of a supplier that are not stored: missing, not found so far, or refused. */
@Injectable()
export class ListDocuments {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly documents: DocumentRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The whole list in chunks: state by state, each ordered by external account number. Memory holds at most
   * LIST_CHUNK_ROWS rows of it. A document whose state changes meanwhile can be listed twice, or not at all.
   *
   * @param signal ends the reading, in the middle of a statement too
   * @throws PortageError `not_found`, before the first chunk
   */
  async stream(
    organisationId: number,
    supplierCode: string,
    states: readonly ListedDocumentState[],
    signal: AbortSignal,
  ): Promise<AsyncGenerator<DocumentView[]>> {
    const { id } = await this.suppliers.require(organisationId, supplierCode);
    return this.chunks(id, states, signal);
  }

  private async *chunks(
    supplierId: number,
    states: readonly ListedDocumentState[],
    signal: AbortSignal,
  ): AsyncGenerator<DocumentView[]> {
    for (const state of states) yield* this.chunksOf(supplierId, state, signal);
  }

  private async *chunksOf(
    supplierId: number,
    state: ListedDocumentState,
    signal: AbortSignal,
  ): AsyncGenerator<DocumentView[]> {
    let last: UnsettledDocument | undefined;
    for (;;) {
      const rows = await this.documents.listUnsettled(supplierId, state, last, LIST_CHUNK_ROWS, signal);
      if (rows.length > 0) yield rows.map((row) => this.buildView(row));
      if (rows.length < LIST_CHUNK_ROWS) return;
      last = rows.at(-1);
    }
  }

  private buildView(row: UnsettledDocument): DocumentView {
    return {
      external_account_number: row.externalAccountNumber,
      platform_account_number: row.accountNumber,
      document_path: row.path,
      kind: row.kind,
      state: row.state,
      error_code: row.errorCode,
      inspected_at:
        row.inspectedAt === null
          ? null
          : toOffsetMicroseconds(row.inspectedAt, this.config.PLATFORM_TIMEZONE),
    };
  }
}
