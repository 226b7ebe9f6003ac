import { Injectable } from '@nestjs/common';
import { ImportProcessReadingRepository, type ListedImportProcess, type ListedKind } from '@portage/database';
import { isPossibleIdentifier, PortageError, toUtcSeconds } from '@portage/domain';
import { LIST_CHUNK_ROWS } from '../list-chunk';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';

/** An item of the list endpoints (contract 2.9). */
export interface ListItem {
  external_account_number: string;
  platform_account_number: string | null;
  account_created_at: string | null;
}

/** One page of a list. */
export interface ListPage {
  items: ListItem[];
  /** The cursor `after` of the next page. Undefined on the last page. */
  next: string | undefined;
}

/** Lists a supplier's import processes in the order of creation (contract 4.10). */
@Injectable()
export class ListImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessReadingRepository,
  ) {}

  /**
   * The whole list in chunks. Memory holds at most LIST_CHUNK_ROWS rows of it.
   *
   * @param after the cursor: the external account number of the last row to skip
   * @throws PortageError `not_found` or `validation_error`, before the first chunk
   */
  async stream(
    kind: ListedKind,
    organisationId: number,
    supplierCode: string,
    after?: string,
  ): Promise<AsyncGenerator<ListItem[]>> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    return this.chunks(kind, supplier.id, await this.resolveCursor(supplier.id, after));
  }

  /**
   * One page.
   *
   * @param after the cursor: the external account number of the last row of the previous page
   * @throws PortageError `not_found`, `validation_error`
   */
  async page(
    kind: ListedKind,
    organisationId: number,
    supplierCode: string,
    limit: number,
    after?: string,
  ): Promise<ListPage> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    const rows = await this.processes.list(
      kind,
      supplier.id,
      await this.resolveCursor(supplier.id, after),
      limit + 1,
    );
    const page = rows.slice(0, limit);
    return {
      items: page.map(buildListItem),
      next: rows.length > limit ? page.at(-1)?.externalAccountNumber : undefined,
    };
  }

  private async *chunks(kind: ListedKind, supplierId: number, start: string): AsyncGenerator<ListItem[]> {
    let after = start;
    for (;;) {
      const rows = await this.processes.list(kind, supplierId, after, LIST_CHUNK_ROWS);
      if (rows.length > 0) yield rows.map(buildListItem);
      if (rows.length < LIST_CHUNK_ROWS) return;
      after = (rows.at(-1) as ListedImportProcess).processId;
    }
  }

  private async resolveCursor(supplierId: number, after: string | undefined): Promise<string> {
    if (after === undefined) return '0';
    const name = after.trim();
    const id = isPossibleIdentifier(name) ? await this.processes.idOf(supplierId, name) : undefined;
    if (id !== undefined) return id;
    throw new PortageError('validation_error', 'A query parameter is not valid.', {
      errors: [
        {
          attr: 'after',
          code: 'invalid',
          detail: 'after must be the external_account_number of the last row of the previous page.',
        },
      ],
    });
  }
}

function buildListItem(row: ListedImportProcess): ListItem {
  return {
    external_account_number: row.externalAccountNumber,
    platform_account_number: row.accountNumber,
    account_created_at: row.accountCreatedAt === null ? null : toUtcSeconds(row.accountCreatedAt),
  };
}
