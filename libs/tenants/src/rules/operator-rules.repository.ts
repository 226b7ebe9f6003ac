import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type AuditEntry, AuditRepository, Database, translateErrors } from '@portage/platform';
import { Repository } from 'typeorm';
import { InstallationEntity } from './installation.entity';
import { ReferenceDataEntity } from './reference-data.entity';

/** The operator's reference lists and settings of the account rules. Each change is audited in its transaction. */
@Injectable()
export class OperatorRulesRepository {
  constructor(
    @InjectRepository(ReferenceDataEntity) private readonly referenceData: Repository<ReferenceDataEntity>,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Settings by name. A setting that is absent has its default. */
  async instanceSettings(): Promise<Record<string, unknown>> {
    const installation = await translateErrors(
      this.referenceData.manager.findOne(InstallationEntity, {
        select: { onlyRow: true, ruleSettings: true },
        where: { onlyRow: true },
      }),
    );
    return installation?.ruleSettings ?? {};
  }

  /** Changes the settings in `settings`, all or none. A null resets a setting. */
  async setInstanceSettings(settings: Readonly<Record<string, unknown>>, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (transaction) => {
      // A null resets a setting to its default.
      const merged = () => 'jsonb_strip_nulls(rule_settings || :settings::jsonb)';
      await transaction.manager
        .createQueryBuilder()
        .update(InstallationEntity)
        .set({ ruleSettings: merged })
        .where({ onlyRow: true })
        .setParameter('settings', JSON.stringify(settings))
        .execute();
      await this.audit.record(transaction, entry);
    });
  }

  /** All reference data lists. */
  async lists(): Promise<ReferenceDataEntity[]> {
    return translateErrors(this.referenceData.find({ order: { list: 'ASC' } }));
  }

  /** Replaces the stored lists of these names, all or none. Other lists are unchanged. */
  async importLists(lists: Readonly<Record<string, unknown>>, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const stored = Object.entries(lists).map(([list, entries]) => ({
        list,
        entries,
        importedAt: () => 'now()',
      }));
      await transaction.manager.withRepository(this.referenceData).upsert(stored, ['list']);
      await this.audit.record(transaction, entry);
    });
  }

  /** Deletes a list, so that nothing is checked against it; false when there is none of this name. */
  async removeList(list: string, entry: AuditEntry): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const referenceData = transaction.manager.withRepository(this.referenceData);
      if ((await referenceData.delete({ list })).affected !== 1) return false;
      await this.audit.record(transaction, entry);
      return true;
    });
  }
}
