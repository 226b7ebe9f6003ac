import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganisationEntity } from '../entities/organisation.entity';

@Injectable()
export class OrganisationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Creates an organisation; undefined when its name is taken. */
  async create(name: string): Promise<OrganisationEntity | undefined> {
    const inserted = await this.dataSource
      .createQueryBuilder()
      .insert()
      .into(OrganisationEntity)
      .values({ name })
      .orIgnore()
      .returning('id')
      .execute();
    return (inserted.raw as unknown[]).length > 0 ? this.findByName(name) : undefined;
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
