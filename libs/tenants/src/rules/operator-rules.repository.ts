import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type AuditEntry,
  AuditRepository,
  Database,
  type Statement,
  translateErrors,
} from '@portage/platform';
import { Repository } from 'typeorm';
import { ReferenceDataEntity } from './reference-data.entity';

const readInstanceSettings: Statement = {
  name: 'read-instance-rule-settings',
  text: 'SELECT rule_settings AS settings FROM installation',
};

const writeInstanceSettings: Statement = {
  name: 'write-instance-rule-settings',
  // A null resets a setting to its default.
  text: `
    UPDATE installation SET rule_settings = jsonb_strip_nulls(rule_settings || $1::jsonb)`,
};

const importLists: Statement = {
  name: 'import-reference-data',
  text: `
    INSERT INTO reference_data (list, entries) SELECT key, value FROM json_each($1::json)
    ON CONFLICT (list) DO UPDATE SET entries = excluded.entries, imported_at = now()`,
};

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
    const [row] = await this.database.run<{ settings: Record<string, unknown> }>(readInstanceSettings, []);
    return row?.settings ?? {};
  }

  /** Changes the settings in `settings`, all or none. A null resets a setting. */
  async setInstanceSettings(settings: Readonly<Record<string, unknown>>, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.run(writeInstanceSettings, [JSON.stringify(settings)]);
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
      await transaction.run(importLists, [JSON.stringify(lists)]);
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
