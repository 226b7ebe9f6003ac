import { Injectable } from '@nestjs/common';
import { readReferenceData, REFERENCE_LISTS } from '@portage/account-schema';
import { ActingOperator, PortageError } from '@portage/platform';
import { OperatorRulesRepository } from './operator-rules.repository';
import { effectiveInstanceSettings, parseInstanceSetting } from '../suppliers/rule-setting-text';
import type { ReferenceListSummary } from './operator-rules.dto';

/**
 * Reference lists and instance settings of the account rules, as an operator manages them. Each change is recorded in
 * the audit.
 */
@Injectable()
export class OperatorRules {
  constructor(
    private readonly repository: OperatorRulesRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Replaces each stored list by the list of the same name in a file, all or none.
   *
   * @param text JSON: an object of lists
   * @returns the imported lists
   * @throws PortageError `operation_refused` with every problem of the file and its path
   */
  async importReferenceData(text: string): Promise<ReferenceListSummary[]> {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw new PortageError(
        'operation_refused',
        `The file is not JSON: ${error instanceof Error ? error.message : ''}`,
      );
    }
    const reading = readReferenceData(json);
    if (!reading.ok)
      throw new PortageError(
        'operation_refused',
        ['The lists are not valid:', ...reading.problems].join('\n  '),
      );
    const names = Object.keys(reading.data);
    if (names.length === 0)
      throw new PortageError(
        'operation_refused',
        `The file has no known list. The known lists are ${REFERENCE_LISTS.join(', ')}.`,
      );
    const lists = Object.fromEntries(
      Object.entries({ ...reading.data }).map(([name, entries]) => [
        name,
        Object.keys(entries as object).length,
      ]),
    );
    await this.repository.importLists(
      { ...reading.data },
      { actor: this.operator.actor, action: 'reference.import', details: { lists } },
    );
    return (await this.listReferenceData()).filter(({ list }) => names.includes(list));
  }

  /** The configured lists. */
  async listReferenceData(): Promise<ReferenceListSummary[]> {
    return (await this.repository.lists()).map(({ list, entries, importedAt }) => ({
      list,
      entries: Object.keys(entries as object).length,
      imported_at: importedAt,
    }));
  }

  /**
   * The entries of one list, as imported.
   *
   * @throws PortageError `operation_refused` if the list is not configured
   */
  async showReferenceData(list: string): Promise<unknown> {
    const found = (await this.repository.lists()).find((stored) => stored.list === list);
    if (!found) throw listNotConfigured(list);
    return found.entries;
  }

  /**
   * Removes a list, so that its codes are no longer checked.
   *
   * @throws PortageError `operation_refused` if the list is not configured
   */
  async removeReferenceData(list: string): Promise<void> {
    const entry = { actor: this.operator.actor, action: 'reference.remove', subject: list } as const;
    if (!(await this.repository.removeList(list, entry))) throw listNotConfigured(list);
  }

  /** All instance settings with their effective values. */
  async instanceSettings(): Promise<Record<string, unknown>> {
    return effectiveInstanceSettings(await this.repository.instanceSettings());
  }

  /**
   * Changes instance settings.
   *
   * @param texts each `name=value`; an empty value restores the default
   * @returns all settings with their effective values
   * @throws PortageError `operation_refused` if a name or a value is not valid
   */
  async setInstanceSettings(texts: readonly string[]): Promise<Record<string, unknown>> {
    const parsed = texts.map(parseInstanceSetting);
    const settings = Object.fromEntries(parsed.map(({ name, value }) => [name, value]));
    const entry = { actor: this.operator.actor, action: 'instance.set', details: settings } as const;
    await this.repository.setInstanceSettings(settings, entry);
    return this.instanceSettings();
  }
}

function listNotConfigured(list: string): PortageError {
  return new PortageError(
    'operation_refused',
    `The list ${list} is not configured. Show the configured lists with: reference list`,
  );
}
