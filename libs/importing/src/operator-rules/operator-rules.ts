import { Inject, Injectable } from '@nestjs/common';
import { readReferenceData, REFERENCE_LISTS } from '@portage/account-schema';
import { OperatorRulesRepository } from '@portage/database';
import { OPERATOR } from '../audit/operator';
import { Refusal } from '../refusal';
import { completeInstanceSettings, instanceSetting } from './rule-setting-text';

export interface ReferenceListSummary {
  list: string;
  entries: number;
  imported_at: string;
}

/** What an operator sets up for the account rules: reference lists, and settings of the whole instance. */
@Injectable()
export class OperatorRules {
  constructor(
    private readonly repository: OperatorRulesRepository,
    @Inject(OPERATOR) private readonly actor: string,
  ) {}

  /**
   * Puts the lists of a file in the place of those of the same name, all or none.
   *
   * @param text JSON: an object of lists
   * @throws Refusal with every problem of the file, each at its path
   */
  async importReferenceData(text: string): Promise<ReferenceListSummary[]> {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      throw new Refusal(`The file is not JSON: ${error instanceof Error ? error.message : ''}`);
    }
    const reading = readReferenceData(json);
    if (!reading.ok) throw new Refusal(['The lists are not usable:', ...reading.problems].join('\n  '));
    const names = Object.keys(reading.data);
    if (names.length === 0)
      throw new Refusal(`The file has no list that Portage knows. They are ${REFERENCE_LISTS.join(', ')}.`);
    const lists = Object.fromEntries(
      Object.entries({ ...reading.data }).map(([name, entries]) => [
        name,
        Object.keys(entries as object).length,
      ]),
    );
    await this.repository.importLists(
      { ...reading.data },
      { actor: this.actor, action: 'reference.import', details: { lists } },
    );
    return (await this.listReferenceData()).filter(({ list }) => names.includes(list));
  }

  async listReferenceData(): Promise<ReferenceListSummary[]> {
    return (await this.repository.lists()).map(({ list, entries, importedAt }) => ({
      list,
      entries: Object.keys(entries as object).length,
      imported_at: importedAt,
    }));
  }

  /** The entries of one list, as they were imported. */
  async showReferenceData(list: string): Promise<unknown> {
    const found = (await this.repository.lists()).find((stored) => stored.list === list);
    if (!found) throw notConfigured(list);
    return found.entries;
  }

  /** Forgets a list: nothing is checked against it any more. */
  async removeReferenceData(list: string): Promise<void> {
    const entry = { actor: this.actor, action: 'reference.remove', subject: list } as const;
    if (!(await this.repository.removeList(list, entry))) throw notConfigured(list);
  }

  async instanceSettings(): Promise<Record<string, unknown>> {
    return completeInstanceSettings(await this.repository.instanceSettings());
  }

  /** @param texts `name=value` each; an empty value takes the setting back to its default */
  async setInstanceSettings(texts: readonly string[]): Promise<Record<string, unknown>> {
    const written = texts.map(instanceSetting);
    const settings = Object.fromEntries(written.map(({ name, value }) => [name, value]));
    const entry = { actor: this.actor, action: 'instance.set', details: settings } as const;
    await this.repository.setInstanceSettings(settings, entry);
    return this.instanceSettings();
  }
}

function notConfigured(list: string): Refusal {
  return new Refusal(`The list ${list} has not been configured. List those that are with: reference list`);
}
