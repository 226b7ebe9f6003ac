import { Injectable } from '@nestjs/common';
import type { UnsettledState } from '@portage/accounts';
import type { Statement } from '@portage/platform';
import { maskText } from './masking';
import { toMomentOrNull } from './moments';
import { decodeCursor, encodeCursor, isId, type Page, type PageRequest } from './page-cursor';
import { AccountItem } from './page.dto';
import { PageReads } from './page-reads';

/** A document that was missing or refused. */
export interface UnsettledDocumentView extends AccountItem {
  kind: 'statement' | 'note';
  /** The form of its path below the folder of the supplier. */
  path_masked: string;
  state: UnsettledState;
  error_code: string | null;
  inspected_at: string | null;
}

interface DocumentRow {
  id: string;
  processId: string;
  externalAccountNumber: string;
  number: string;
  kind: 'statement' | 'note';
  path: string;
  state: UnsettledState;
  errorCode: string | null;
  inspectedAt: string | null;
}

const MAX_ID = '9223372036854775807';

const list: Statement = {
  name: 'list-unsettled-documents-of-supplier',
  text: `
    SELECT document.id, process_id, external_account_number, number, kind, path, document.state, error_code, inspected_at
    FROM unnest($2::text[]) AS wanted (state) CROSS JOIN LATERAL (
      SELECT * FROM document
      WHERE document.state IN ('MISSING', 'REFUSED')
        AND (unsettled_supplier_id, document.state, id) > ($1, wanted.state, 0)
        AND (unsettled_supplier_id, document.state, id) < ($1, wanted.state, $3)
      ORDER BY unsettled_supplier_id DESC, document.state DESC, id DESC LIMIT $4
    ) AS document CROSS JOIN LATERAL (SELECT * FROM account WHERE account.id = account_id OFFSET 0) AS account
    ORDER BY document.id DESC LIMIT $4`,
};

/** Lists documents that were missing or refused for operators. */
@Injectable()
export class ViewDocuments {
  constructor(private readonly reads: PageReads) {}

  /** The documents of a supplier, the newest first. @throws PortageError `not_found`, `validation_error` */
  async list(
    code: string,
    states: readonly UnsettledState[],
    { limit, cursor }: PageRequest,
  ): Promise<Page<UnsettledDocumentView>> {
    const [before = MAX_ID] = cursor === undefined ? [] : decodeCursor(cursor, 1, ([id = '']) => isId(id));
    return this.reads.run(async (reads) => {
      const { id } = await this.reads.requireSupplier(code, reads);
      const rows = await reads.run<DocumentRow>(list, [id, states, before, limit + 1]);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        items: page.map(buildDocument),
        next_cursor: rows.length > limit && last ? encodeCursor([last.id]) : null,
      };
    });
  }
}

function buildDocument(row: DocumentRow): UnsettledDocumentView {
  return {
    id: row.id,
    process_id: row.processId,
    external_account_number: row.externalAccountNumber,
    platform_account_number: row.number,
    kind: row.kind,
    path_masked: maskText(row.path),
    state: row.state,
    error_code: row.errorCode,
    inspected_at: toMomentOrNull(row.inspectedAt),
  };
}
