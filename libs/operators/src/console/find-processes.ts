import { toSummary } from './browse-processes';
import type { List } from './page.dto';
import { Injectable } from '@nestjs/common';
import { AccountEntity } from '@portage/accounts';
import { ImportProcessEntity } from '@portage/imports';
import { ImportSupplierEntity } from '@portage/tenants';
import { In } from 'typeorm';
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

/** Finds accounts without knowing their supplier. */
@Injectable()
export class FindProcesses {
  constructor(private readonly reads: PageReads) {}

  /** At most 100 processes with this external account number, external identifier or platform account number. */
  async find(number: string): Promise<FoundProcessView[]> {
    return this.reads.run(async ({ manager }) => {
      const suppliers = await manager.find(ImportSupplierEntity, { select: { id: true, code: true } });
      const codes = new Map(suppliers.map(({ id, code }) => [id, code]));
      const account = await manager.findOneBy(AccountEntity, { number });
      // Two look-ups in the unique indexes of each supplier.
      const supplierId = In([...codes.keys()]);
      const found = await manager.find(ImportProcessEntity, {
        where: [
          { supplierId, externalAccountNumber: number },
          { supplierId, externalIdentifier: number },
          ...(account ? [{ id: account.processId }] : []),
        ],
        order: { supplierId: 'ASC', id: 'ASC' },
        take: MAX_FOUND,
      });
      return found.map((process) => ({
        ...toSummary(process),
        import_supplier: codes.get(process.supplierId) as string,
      }));
    });
  }
}
