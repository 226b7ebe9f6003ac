import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type AuditEntry,
  AuditRepository,
  Database,
  insertUnlessTaken,
  translateErrors,
} from '@portage/platform';
import { normalizeIdentifier } from '@portage/text';
import { Repository } from 'typeorm';
import { OrganisationEntity } from './organisation.entity';

/** Organisations. Each change is audited in its transaction. */
@Injectable()
export class OrganisationRepository {
  constructor(
    @InjectRepository(OrganisationEntity) private readonly organisations: Repository<OrganisationEntity>,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Creates an organisation; undefined when its name is taken. */
  async create(name: string, entry: AuditEntry): Promise<OrganisationEntity | undefined> {
    const isNew = await this.database.transaction(async (transaction) => {
      const repository = transaction.manager.withRepository(this.organisations);
      if (!(await insertUnlessTaken(repository, { name }))) return false;
      await this.audit.record(transaction, entry);
      return true;
    });
    return isNew ? this.findByName(name) : undefined;
  }

  /** The organisation with this name. */
  async findByName(name: string): Promise<OrganisationEntity | undefined> {
    return (
      (await translateErrors(this.organisations.findOneBy({ name: normalizeIdentifier(name) }))) ?? undefined
    );
  }

  /** All organisations, in the order of creation. */
  async list(): Promise<OrganisationEntity[]> {
    return translateErrors(this.organisations.find({ order: { id: 'ASC' } }));
  }
}
