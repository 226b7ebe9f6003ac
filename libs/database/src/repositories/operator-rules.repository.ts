import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database, type Statement } from '../database';
import { ReferenceDataEntity } from '../entities/reference-data.entity';

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
  ) {}

  async instanceSettings(): Promise<Record<string, unknown>> {
    const [row] = await this.database.run<{ settings: Record<string, unknown> }>(readInstanceSettings, []);
    return row?.settings ?? {};
  }

  /** Changes the settings that are given, all or none. */
  async setInstanceSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.database.run(writeInstanceSettings, [JSON.stringify(settings)]);
  }

  async lists(): Promise<ReferenceDataEntity[]> {
    return this.repository.find({ order: { list: 'ASC' } });
  }

  /** Puts lists in the place of those of the same name, all or none; other lists stay. */
  async importLists(lists: Readonly<Record<string, unknown>>): Promise<void> {
    await this.database.run(importLists, [JSON.stringify(lists)]);
  }

  /** Forgets a list, so that nothing is checked against it; false when there is none of this name. */
  async removeList(list: string): Promise<boolean> {
    return (await this.repository.delete({ list })).affected === 1;
  }

  private get repository() {
    return this.dataSource.getRepository(ReferenceDataEntity);
  }
}
