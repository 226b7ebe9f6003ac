import { Injectable } from '@nestjs/common';
import { type AccountEntity, DocumentEntity, type UnsettledState } from '@portage/accounts';
import { MAX_ID } from '@portage/platform';
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

/** Each state of a supplier is a range of an index. Rows are compared, so that no plan reads another one. */
const KEY = '(document.unsettledSupplierId, document.state, document.id)';

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
      let rows: DocumentEntity[] = [];
      for (const state of states)
        rows = rows.concat(
          await reads.manager
            .createQueryBuilder(DocumentEntity, 'document')
            .innerJoin('document.account', 'account')
            .addSelect(['account.id', 'account.processId', 'account.externalAccountNumber', 'account.number'])
            .where(`document.state IN ('MISSING', 'REFUSED') AND ${KEY} > (:id, :state, 0)`)
            .andWhere(`${KEY} < (:id, :state, :before)`, { id, state, before })
            .orderBy({
              'document.unsettledSupplierId': 'DESC',
              'document.state': 'DESC',
              'document.id': 'DESC',
            })
            .limit(limit + 1)
            .getMany(),
        );
      const page = rows.toSorted((one, other) => Number(BigInt(other.id) - BigInt(one.id))).slice(0, limit);
      const last = page.at(-1);
      return {
        items: page.map(buildDocument),
        next_cursor: rows.length > limit && last ? encodeCursor([last.id]) : null,
      };
    });
  }
}

function buildDocument({ account, ...row }: DocumentEntity): UnsettledDocumentView {
  const { processId, externalAccountNumber, number } = account as AccountEntity;
  return {
    id: row.id,
    process_id: processId,
    external_account_number: externalAccountNumber,
    platform_account_number: number,
    kind: row.kind,
    path_masked: maskText(row.path),
    state: row.state as UnsettledState,
    error_code: row.errorCode,
    inspected_at: toMomentOrNull(row.inspectedAt),
  };
}
