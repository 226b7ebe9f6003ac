import { Injectable } from '@nestjs/common';
import {
  type BrowsedProcess,
  type BrowseFilter,
  type IdentifierCursor,
  ImportProcessBrowsingRepository,
} from './import-process-browsing.repository';
import { toMoment } from './moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from './page-cursor';
import { PageReads } from './page-reads';
import type { ProcessSummaryView } from './import-processes.dto';

/** Filters of the list. */
export interface ProcessListFilter extends Omit<BrowseFilter, 'supplierId'> {
  /** The beginning of an external account number or of an account number. */
  text?: string | undefined;
}

/** Lists the processes of a supplier for operators: the newest first, or by identifier, without counting them. */
@Injectable()
export class BrowseProcesses {
  constructor(
    private readonly reads: PageReads,
    private readonly processes: ImportProcessBrowsingRepository,
  ) {}

  /**
   * A page of the list. One request examines at most 10,000 processes, so that a page can have fewer than `limit`
   * although more follow.
   *
   * @throws PortageError `not_found`, `validation_error`, `unavailable`
   */
  async list(
    code: string,
    { text, ...filter }: ProcessListFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<ProcessSummaryView>> {
    return this.reads.run(async (reads) => {
      const { id: supplierId } = await this.reads.requireSupplier(code, reads);
      const selection = { ...filter, supplierId };
      if (text === undefined) {
        const [before] = cursor === undefined ? [] : decodeCursor(cursor, 1, ([id = '']) => isId(id));
        const { processes, next } = await this.processes.browse(selection, before, limit, reads);
        return {
          items: processes.map(toSummary),
          next_cursor: next === undefined ? null : encodeCursor([next]),
        };
      }
      const after = cursor === undefined ? { external: '' } : readIdentifierCursor(cursor);
      const { processes, next } = await this.processes.browseByIdentifier(
        selection,
        text,
        after,
        limit,
        reads,
      );
      return { items: processes.map(toSummary), next_cursor: next ? encodeIdentifierCursor(next) : null };
    });
  }
}

/** Builds the view of a process in a list. */
export function toSummary(process: BrowsedProcess): ProcessSummaryView {
  return {
    id: process.id,
    external_account_number: process.externalAccountNumber,
    status: process.status,
    error_code: process.errorCode,
    platform_account_number: process.accountNumber,
    submission_id: process.submissionId,
    version: process.version,
    received_at: toMoment(process.createdAt),
    updated_at: toMoment(process.modifiedAt),
  };
}

function encodeIdentifierCursor(cursor: IdentifierCursor): string {
  return 'external' in cursor
    ? encodeCursor(['external', cursor.external])
    : encodeCursor(['account', cursor.account]);
}

function readIdentifierCursor(cursor: string): IdentifierCursor {
  const [list, after = ''] = decodeCursor(
    cursor,
    2,
    ([name = '']) => name === 'external' || name === 'account',
  );
  return list === 'external' ? { external: after } : { account: after };
}
