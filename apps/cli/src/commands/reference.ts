import { readFileSync } from 'node:fs';
import { PortageError } from '@portage/platform';
import { OperatorRules } from '@portage/tenants';
import { Command } from 'commander';
import { command, show } from '../command';
import { table } from '../table';

/** `reference import`, `list`, `show` and `remove`. */
export function referenceCommands(): Command {
  return new Command('reference')
    .description(
      'Reference lists that the account rules check codes against. Codes of a list that is not configured are not checked.',
    )
    .addCommand(
      command(
        'import <file>',
        'Import lists from a JSON file. Each replaces the stored list of its name.',
      ).action(async (file: string, { json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const imported = await app.get(OperatorRules).importReferenceData(readText(file));
          return {
            json: imported,
            text: imported.map(({ list, entries }) => `${list}: ${entries} entries`).join('\n'),
          };
        }),
      ),
    )
    .addCommand(
      command('list', 'Show the configured lists.').action(async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const lists = await app.get(OperatorRules).listReferenceData();
          return {
            json: lists,
            text: table(
              ['list', 'entries', 'imported'],
              lists.map(({ list, entries, imported_at }) => [list, entries, imported_at]),
              'No list is configured. Import lists with: reference import <file>',
            ),
          };
        }),
      ),
    )
    .addCommand(
      command('show <list>', 'Show the entries of a list, as JSON.').action(
        async (list: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => {
            const entries = await app.get(OperatorRules).showReferenceData(list);
            return { json: entries, text: JSON.stringify(entries, undefined, 2) };
          }),
      ),
    )
    .addCommand(
      command('remove <list>', 'Remove a list. Its codes are no longer checked.').action(
        async (list: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => {
            await app.get(OperatorRules).removeReferenceData(list);
            return {
              json: { list, removed: true },
              text: `The list ${list} is removed. Its codes are no longer checked.`,
            };
          }),
      ),
    );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new PortageError('operation_refused', `The file ${file} cannot be read.`);
  }
}
