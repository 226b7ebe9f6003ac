import { Injectable } from '@nestjs/common';
import { buildQueryError, LIST_CHUNK_ROWS, nextTurn, toUtcSeconds } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { ImportSupplierDirectory } from '@portage/tenants';
import {
  ImportProcessReadingRepository,
  type ListedImportProcess,
  type ListSelection,
} from './import-process-reading.repository';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from './status';
import type { ListItem } from './import-process.dto';
import { toProcessError } from './process-error';

/** The lists of a supplier's processes. */
export type ListedKind = 'all' | 'pending' | 'imported';

/** Members that an item of a list has on request. */
export const LIST_MEMBERS = ['status', 'error'] as const;
export type ListMember = (typeof LIST_MEMBERS)[number];

/** A list of a supplier, and the part of it that a request asks for. */
export interface ListRequest {
  kind: ListedKind;
  organisationId: number;
  supplierCode: string;
  /** Only processes with one of these statuses; undefined: all of the list. */
  statuses: readonly ImportProcessStatus[] | undefined;
  /** Members of the items besides the three of the contract. */
  include: readonly ListMember[];
  /** The cursor: the external account number of the last row to skip. */
  after: string | undefined;
}

/** One page of a list. */
export interface ListPage {
  items: ListItem[];
  /** The cursor `after` of the next page. Undefined on the last page. */
  next: string | undefined;
}

/** Lists a supplier's import processes in the order of creation (contract, "List imports"). */
@Injectable()
export class ListImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessReadingRepository,
  ) {}

  /**
   * The whole list in chunks. Memory holds at most LIST_CHUNK_ROWS rows of it.
   *
   * @param signal ends the reading, in the middle of a statement too
   * @throws PortageError `not_found` or `validation_error`, before the first chunk
   */
  async stream(request: ListRequest, signal: AbortSignal): Promise<AsyncGenerator<ListItem[]>> {
    const { selection, start } = await this.resolve(request);
    return this.chunks(selection, request.include, start, signal);
  }

  /**
   * One page.
   *
   * @throws PortageError `not_found`, `validation_error`
   */
  async page(request: ListRequest, limit: number): Promise<ListPage> {
    const { selection, start } = await this.resolve(request);
    const rows = await this.processes.list(selection, start, limit + 1);
    const page = rows.slice(0, limit);
    return {
      items: page.map((row) => buildListItem(row, request.include)),
      next: rows.length > limit ? page.at(-1)?.externalAccountNumber : undefined,
    };
  }

  private async resolve({
    kind,
    organisationId,
    supplierCode,
    statuses,
    after,
  }: ListRequest): Promise<{ selection: ListSelection; start: string }> {
    const { id: supplierId } = await this.suppliers.require(organisationId, supplierCode);
    return {
      selection: { supplierId, statuses: statusesOf(kind, statuses) },
      start: await this.resolveCursor(supplierId, after),
    };
  }

  private async *chunks(
    selection: ListSelection,
    include: readonly ListMember[],
    start: string,
    signal: AbortSignal,
  ): AsyncGenerator<ListItem[]> {
    let after = start;
    for (;;) {
      const rows = await this.processes.list(selection, after, LIST_CHUNK_ROWS, signal);
      // One chunk a turn of the event loop, however many lists are streamed.
      await nextTurn();
      if (rows.length > 0) yield rows.map((row) => buildListItem(row, include));
      if (rows.length < LIST_CHUNK_ROWS) return;
      after = (rows.at(-1) as ListedImportProcess).processId;
    }
  }

  private async resolveCursor(supplierId: number, after: string | undefined): Promise<string> {
    if (after === undefined) return '0';
    const name = readIdentifier(after);
    const id = name === undefined ? undefined : await this.processes.idOf(supplierId, name);
    if (id !== undefined) return id;
    throw buildQueryError(
      'after',
      'after must be the external_account_number of the last row of the previous page.',
    );
  }
}

/** The states of a list: those of its kind that a request has chosen. A list has cancelled processes only by choice. */
function statusesOf(
  kind: ListedKind,
  chosen: readonly ImportProcessStatus[] = IMPORT_PROCESS_STATUSES.filter((status) => status !== 'CANCELLED'),
): readonly ImportProcessStatus[] {
  // An account exists in this state only.
  return chosen.filter((status) => kind === 'all' || (status === 'PROCESSED') === (kind === 'imported'));
}

function buildListItem(row: ListedImportProcess, include: readonly ListMember[]): ListItem {
  return {
    external_account_number: row.externalAccountNumber,
    platform_account_number: row.accountNumber,
    account_created_at: row.accountCreatedAt === null ? null : toUtcSeconds(row.accountCreatedAt),
    ...(include.includes('status') && { status: row.status }),
    ...(include.includes('error') && { error: toProcessError(row) }),
  };
}
