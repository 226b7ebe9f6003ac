import { toSummary } from './browse-processes';
import type { List } from './page.dto';
import { Injectable } from '@nestjs/common';
import type { Statement } from '@portage/platform';
import { BROWSED_COLUMNS, type BrowsedProcess } from './import-process-browsing.repository';
import { ProcessSummaryView } from './import-processes.dto';
import { PageReads } from './page-reads';

/** A process of any supplier. */
export interface FoundProcessView extends ProcessSummaryView {
  /** Its code. */
  import_supplier: string;
}

/** The processes with a number. */
export type FoundProcessList = List<FoundProcessView>;

const MAX_FOUND = 100;

/** Two look-ups in the unique indexes of each supplier, and one in that of account numbers. */
const findProcesses: Statement = {
  name: 'find-processes-of-all-suppliers',
  text: `
    SELECT found.*, code AS supplier FROM (
      SELECT process.* FROM import_supplier supplier CROSS JOIN LATERAL (
        SELECT supplier_id, ${BROWSED_COLUMNS} FROM import_process
        WHERE supplier_id = supplier.id AND external_account_number = $1
        UNION
        SELECT supplier_id, ${BROWSED_COLUMNS} FROM import_process
        WHERE supplier_id = supplier.id AND external_identifier = $1
      ) process
      UNION
      SELECT supplier_id, ${BROWSED_COLUMNS} FROM import_process
      WHERE id = (SELECT process_id FROM account WHERE number = $1)
    ) found JOIN import_supplier ON import_supplier.id = supplier_id
    ORDER BY code, found.id LIMIT ${MAX_FOUND}`,
};

/** Finds accounts without knowing their supplier. */
@Injectable()
export class FindProcesses {
  constructor(private readonly reads: PageReads) {}

  /** At most 100 processes with this external account number, external identifier or platform account number. */
  async find(number: string): Promise<FoundProcessView[]> {
    const rows = await this.reads.run(async (reads) =>
      reads.run<BrowsedProcess & { supplier: string }>(findProcesses, [number]),
    );
    return rows.map((row) => ({ ...toSummary(row), import_supplier: row.supplier }));
  }
}
