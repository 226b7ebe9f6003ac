import { Injectable } from '@nestjs/common';
import type { AuditEntry } from '@portage/domain';
import { DataSource } from 'typeorm';
import { Database, type Statement } from '../connection/database';
import { ReferenceDataEntity } from './reference-data.entity';
import { AuditRepository, recordWith } from '../audit/audit.repository';

const readInstanceSettings: Statement = {
  name: 'read-instance-rule-settings',
  text: 'SELECT rule_settings AS settings FROM installation',
};

const writeInstanceSettings: Statement = {
  name: 'write-instance-rule-settings',
  // null takes a setting back to its default.
  text: `
    UPDATE installation SET rule_settings = jsonb_strip_nulls(rule_settings || $1::jsonb)`,
};

const importLists: Statement = {
  name: 'import-reference-data',
  text: `
    INSERT INTO reference_data (list, entries) SELECT key, value FROM json_each($1::json)
    ON CONFLICT (list) DO UPDATE SET entries = excluded.entries, imported_at = now()`,
};

/** What the operator has set up for the account rules. */
@Injectable()
export class OperatorRulesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  async instanceSettings(): Promise<Record<string, unknown>> {
    const [row] = await this.database.run<{ settings: Record<string, unknown> }>(readInstanceSettings, []);
    return row?.settings ?? {};
  }

  /** Changes the settings that are given, all or none. */
  async setInstanceSettings(settings: Readonly<Record<string, unknown>>, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (executor) => {
      await executor.run(writeInstanceSettings, [JSON.stringify(settings)]);
      await this.audit.record(executor, entry);
    });
  }

  async lists(): Promise<ReferenceDataEntity[]> {
    return this.repository.find({ order: { list: 'ASC' } });
  }

  /** Puts lists in the place of those of the same name, all or none; other lists stay. */
  async importLists(lists: Readonly<Record<string, unknown>>, entry: AuditEntry): Promise<void> {
    await this.database.transaction(async (executor) => {
      await executor.run(importLists, [JSON.stringify(lists)]);
      await this.audit.record(executor, entry);
    });
  }

  /** Forgets a list, so that nothing is checked against it; false when there is none of this name. */
  async removeList(list: string, entry: AuditEntry): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      if ((await manager.delete(ReferenceDataEntity, { list })).affected !== 1) return false;
      await recordWith(manager, entry);
      return true;
    });
  }

  private get repository() {
    return this.dataSource.getRepository(ReferenceDataEntity);
  }
}
