import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '@portage/domain';
import { DataSource } from 'typeorm';
import { OrganisationEntity } from './organisation.entity';
import { recordWith } from '../audit/audit.repository';

@Injectable()
export class OrganisationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates an organisation; undefined when its name is taken. */
  async create(name: string, entry: AuditEntry): Promise<OrganisationEntity | undefined> {
    const isNew = await this.dataSource.transaction(async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(OrganisationEntity)
        .values({ name })
        .orIgnore()
        .returning('id')
        .execute();
      if ((inserted.raw as unknown[]).length === 0) return false;
      await recordWith(manager, entry);
      return true;
    });
    return isNew ? this.findByName(name) : undefined;
  }

  async findByName(name: string): Promise<OrganisationEntity | undefined> {
    return (await this.repository.findOneBy({ name })) ?? undefined;
  }

  async list(): Promise<OrganisationEntity[]> {
    return this.repository.find({ order: { id: 'ASC' } });
  }

  private get repository() {
    return this.dataSource.getRepository(OrganisationEntity);
  }
}
