import { Inject, Injectable } from '@nestjs/common';
import {
  buildQueryError,
  CONFIG,
  type Config,
  LIST_CHUNK_ROWS,
  toOffsetMicroseconds,
} from '@portage/platform';
import { ImportSupplierDirectory } from '@portage/tenants';
import { DocumentRepository, type ListedDocumentState, type UnsettledDocument } from './document.repository';
import type { DocumentView } from './documents.dto';

/** One page of the list. */
export interface DocumentPage {
  items: DocumentView[];
  /** The cursor `after` of the next page. Undefined on the last page. */
  next: string | undefined;
}

/** The place of a document in the list. */
type Place = Pick<UnsettledDocument, 'state' | 'externalAccountNumber' | 'documentId'>;

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

  /**
   * One page of the list, in the same order.
   *
   * @param after the cursor of the page before
   * @throws PortageError `not_found`; `validation_error` for a malformed cursor
   */
  async page(
    organisationId: number,
    supplierCode: string,
    states: readonly ListedDocumentState[],
    { limit, after }: { limit: number; after: string | undefined },
  ): Promise<DocumentPage> {
    const { id } = await this.suppliers.require(organisationId, supplierCode);
    let last = after === undefined ? undefined : readCursor(after, states);
    const rows: UnsettledDocument[] = [];
    for (const state of last ? states.slice(states.indexOf(last.state)) : states) {
      const missing = limit + 1 - rows.length;
      if (missing > 0)
        // oxlint-disable-next-line portage/no-unbounded-spread -- a page at most
        rows.push(...(await this.documents.listUnsettled(id, state, last, missing)));
      last = undefined;
    }
    const page = rows.slice(0, limit);
    const end = page.at(-1);
    return {
      items: page.map((row) => this.buildView(row)),
      next: rows.length > limit && end ? writeCursor(end) : undefined,
    };
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

/** The place of a row, which stays its place when the state of the document changes. */
function writeCursor({ state, externalAccountNumber, documentId }: Place): string {
  return Buffer.from(JSON.stringify([state, externalAccountNumber, documentId])).toString('base64url');
}

/** @throws PortageError `validation_error` for a text that is no cursor of a list of these states */
function readCursor(cursor: string, states: readonly ListedDocumentState[]): Place {
  try {
    const [name, externalAccountNumber, documentId] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    const state = states.find((known) => known === name);
    if (
      state !== undefined &&
      typeof externalAccountNumber === 'string' &&
      !externalAccountNumber.includes('\0') &&
      typeof documentId === 'string' &&
      /^\d{1,18}$/.test(documentId)
    )
      return { state, externalAccountNumber, documentId };
  } catch {
    // Answered below.
  }
  throw buildQueryError(
    'after',
    'after must be that of the address in the header Link of the previous page.',
  );
}
