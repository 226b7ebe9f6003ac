import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { asked } from '../database-unavailable';
import { ImportSupplierEntity } from '../entities/import-supplier.entity';

/** What an operator may configure of a supplier. */
export type ImportSupplierSettings = Omit<
  ImportSupplierEntity,
  'id' | 'organisationId' | 'code' | 'status' | 'createdAt' | 'modifiedAt'
>;

@Injectable()
export class ImportSupplierRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates a supplier that is Ongoing; undefined when its code is taken (codes are unique across organisations). */
  async create(
    organisationId: number,
    code: string,
    settings: ImportSupplierSettings,
  ): Promise<ImportSupplierEntity | undefined> {
    const inserted = await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(ImportSupplierEntity)
      .values({ organisationId, code, status: 'Ongoing', ...settings })
      .orIgnore()
      .returning('id')
      .execute();
    return (inserted.raw as unknown[]).length > 0 ? this.findByCode(code) : undefined;
  }

  async findByCode(code: string): Promise<ImportSupplierEntity | undefined> {
    return (await asked(this.repository.findOneBy({ code }))) ?? undefined;
  }

  async list(): Promise<ImportSupplierEntity[]> {
    return this.repository.find({ order: { code: 'ASC' } });
  }

  /** Changes a supplier; undefined when there is none of this code. */
  async update(
    code: string,
    change: Partial<ImportSupplierSettings & Pick<ImportSupplierEntity, 'status'>>,
  ): Promise<ImportSupplierEntity | undefined> {
    await this.dataSource
      .createQueryBuilder()
      .update(ImportSupplierEntity)
      .set({ ...change, modifiedAt: () => 'now()' })
      .where({ code })
      .execute();
    return this.findByCode(code);
  }

  private get repository() {
    return this.dataSource.getRepository(ImportSupplierEntity);
  }
}
