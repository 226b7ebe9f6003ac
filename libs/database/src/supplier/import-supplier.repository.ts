import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '@portage/domain';
import { DataSource } from 'typeorm';
import { asked } from '../connection/database-unavailable';
import { ImportSupplierEntity } from './import-supplier.entity';
import { recordWith } from '../audit/audit.repository';

/** What an operator may configure of a supplier. */
export type ImportSupplierSettings = Omit<
  ImportSupplierEntity,
  'id' | 'organisationId' | 'code' | 'status' | 'createdAt' | 'modifiedAt'
>;

type SupplierChange = Partial<ImportSupplierSettings & Pick<ImportSupplierEntity, 'status'>>;

/** What import suppliers there are. Whoever changes one says who it is, and that is put on record with the change. */
@Injectable()
export class ImportSupplierRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates a supplier that is Ongoing; undefined when its code is taken (codes are unique across organisations). */
  async create(
    organisationId: number,
    code: string,
    settings: ImportSupplierSettings,
    entry: AuditEntry,
  ): Promise<ImportSupplierEntity | undefined> {
    const isNew = await this.dataSource.transaction(async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(ImportSupplierEntity)
        .values({ organisationId, code, status: 'Ongoing', ...settings })
        .orIgnore()
        .returning('id')
        .execute();
      if ((inserted.raw as unknown[]).length === 0) return false;
      await recordWith(manager, { ...entry, supplier: code, details: this.named({ ...settings }) });
      return true;
    });
    return isNew ? this.findByCode(code) : undefined;
  }

  async findByCode(code: string): Promise<ImportSupplierEntity | undefined> {
    return (await asked(this.repository.findOneBy({ code }))) ?? undefined;
  }

  async list(): Promise<ImportSupplierEntity[]> {
    return this.repository.find({ order: { code: 'ASC' } });
  }

  /**
   * Changes a supplier; undefined when there is none of this code. What is on record is each setting with its value
   * before and after, and nothing where nothing changed.
   */
  async update(
    code: string,
    change: SupplierChange,
    entry: AuditEntry,
  ): Promise<ImportSupplierEntity | undefined> {
    await this.dataSource.transaction(async (manager) => {
      // Locked, so that what is on record as the value before was the value before.
      const before = await manager.findOne(ImportSupplierEntity, {
        where: { code },
        lock: { mode: 'for_no_key_update' },
      });
      const details = before ? this.named(differences(before, change)) : {};
      if (Object.keys(details).length === 0) return;
      await manager
        .createQueryBuilder()
        .update(ImportSupplierEntity)
        .set({ ...change, modifiedAt: () => 'now()' })
        .where({ code })
        .execute();
      await recordWith(manager, { ...entry, supplier: code, details });
    });
    return this.findByCode(code);
  }

  /** Settings by the names of their columns, which are those that operators see. */
  private named(settings: Record<string, unknown>): Record<string, unknown> {
    const { columns } = this.repository.metadata;
    const names = new Map(columns.map(({ propertyName, databaseName }) => [propertyName, databaseName]));
    return Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [names.get(name) ?? name, value]),
    );
  }

  private get repository() {
    return this.dataSource.getRepository(ImportSupplierEntity);
  }
}

function differences(before: ImportSupplierEntity, change: SupplierChange): Record<string, unknown> {
  const names = Object.keys(change) as (keyof SupplierChange)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(before[name], change[name]))
      .map((name) => [name, { from: before[name], to: change[name] }]),
  );
}
