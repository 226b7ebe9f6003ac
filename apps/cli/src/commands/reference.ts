import { readFileSync } from 'node:fs';
import { PortageError } from '@portage/platform';
import { OperatorRules } from '@portage/tenants';
import type { Command } from 'commander';
import { command, group } from '../command';

/** `reference import`, `list`, `show` and `remove`. */
export function referenceCommands(): Command {
  return group(
    'reference',
    'Lists of codes that the account rules check against. Codes of a list that is not configured are not checked.',
    [
      command(
        'import <file>',
        'Import lists from a JSON file. Each replaces the stored list of its name.',
        async (app, _options: object, file: string) => ({
          value: await app.get(OperatorRules).importReferenceData(readText(file)),
        }),
      ),
      command('list', 'Show the configured lists.', async (app) => ({
        value: await app.get(OperatorRules).listReferenceData(),
      })),
      command('show <list>', 'Show the entries of a list.', async (app, _options: object, list: string) => ({
        value: await app.get(OperatorRules).showReferenceData(list),
      })),
      command(
        'remove <list>',
        'Remove a list. Its codes are no longer checked.',
        async (app, _options: object, list: string) => {
          await app.get(OperatorRules).removeReferenceData(list);
          return { value: { list, removed: true } };
        },
      ),
    ],
  );
}

/** `instance set`: settings of the account rules for the whole installation. */
export function instanceCommands(): Command {
  return group('instance', 'Settings of the account rules for the whole installation.', [
    command(
      'set [name=value...]',
      'Change settings, and show all with their effective values. `name=` restores the default.',
      async (app, _options: object, settings: string[]) => {
        const rules = app.get(OperatorRules);
        const all: Record<string, unknown> =
          settings.length > 0 ? await rules.setInstanceSettings(settings) : await rules.instanceSettings();
        return {
          value: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value ?? null])),
        };
      },
    ),
  ]);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new PortageError('operation_refused', `The file ${file} cannot be read.`);
  }
}
