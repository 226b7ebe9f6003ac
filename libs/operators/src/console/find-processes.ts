import { toSummary } from './browse-processes';
import type { List } from './page.dto';
import { Injectable } from '@nestjs/common';
import { AccountEntity } from '@portage/accounts';
import { ImportProcessEntity } from '@portage/imports';
import { ImportSupplierEntity } from '@portage/tenants';
import { type FindOptionsWhere, In } from 'typeorm';
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
      const supplierId = In([...codes.keys()]);
      // Each is a look-up in one unique index. A condition with OR would read all processes.
      const find = async (where: FindOptionsWhere<ImportProcessEntity>) =>
        manager.findBy(ImportProcessEntity, where);
      const found = [
        ...(await find({ supplierId, externalAccountNumber: number })),
        ...(await find({ supplierId, externalIdentifier: number })),
        ...(account ? await find({ id: account.processId }) : []),
      ];
      const views = [...new Map(found.map((process) => [process.id, process])).values()]
        .sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
        .map((process) => ({
          ...toSummary(process),
          import_supplier: codes.get(process.supplierId) as string,
        }));
      const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
      return views
        .sort((one, other) => compare(one.import_supplier, other.import_supplier))
        .slice(0, MAX_FOUND);
    });
  }
}
