import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { ImportProcessReadingRepository, type ListedImportProcess, type ListedKind } from '@portage/database';
import { mayBeIdentifier, PortageError, toUtcSeconds } from '@portage/domain';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';

/** An item of the list endpoints (contract 2.9). */
export interface ListItem {
  external_account_number: string;
  platform_account_number: string | null;
  account_created_at: string | null;
}

export interface ListPage {
  items: ListItem[];
  /** The `after` of the next page, if there is one. */
  next: string | undefined;
}

/** Lists a supplier's import processes in the order of creation (contract 4.10, DESIGN 1). */
@Injectable()
export class ListImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessReadingRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The whole list, a chunk at a time: however long it is, memory holds LIST_CHUNK_ROWS of it.
   *
   * @throws PortageError `not_found`, before the first chunk
   */
  async stream(
    kind: ListedKind,
    organisationId: number,
    supplierCode: string,
    after?: string,
  ): Promise<AsyncGenerator<ListItem[]>> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    return this.chunks(kind, supplier.id, await this.idAfter(supplier.id, after));
  }

  /**
   * One page.
   *
   * @param after the external account number that the page before ended with
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
      await this.idAfter(supplier.id, after),
      limit + 1,
    );
    const page = rows.slice(0, limit);
    return {
      items: page.map(item),
      next: rows.length > limit ? page.at(-1)?.externalAccountNumber : undefined,
    };
  }

  private async *chunks(kind: ListedKind, supplierId: number, start: string): AsyncGenerator<ListItem[]> {
    let after = start;
    for (;;) {
      const rows = await this.processes.list(kind, supplierId, after, this.config.LIST_CHUNK_ROWS);
      if (rows.length > 0) yield rows.map(item);
      if (rows.length < this.config.LIST_CHUNK_ROWS) return;
      after = (rows.at(-1) as ListedImportProcess).processId;
    }
  }

  private async idAfter(supplierId: number, after: string | undefined): Promise<string> {
    if (after === undefined) return '0';
    const id = mayBeIdentifier(after) ? await this.processes.idOf(supplierId, after) : undefined;
    if (id !== undefined) return id;
    throw new PortageError('validation_error', 'A query parameter is not valid.', {
      errors: [
        {
          attr: 'after',
          code: 'invalid',
          detail: 'after must be the external_account_number that the page before ended with.',
        },
      ],
    });
  }
}

function item(row: ListedImportProcess): ListItem {
  return {
    external_account_number: row.externalAccountNumber,
    platform_account_number: row.accountNumber,
    account_created_at: row.accountCreatedAt === null ? null : toUtcSeconds(row.accountCreatedAt),
  };
}
