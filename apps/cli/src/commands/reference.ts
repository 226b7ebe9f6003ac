import { readFileSync } from 'node:fs';
import { OperatorRules, Refusal } from '@portage/importing';
import { Command } from 'commander';
import { command, show } from '../command';
import { table } from '../table';

export function referenceCommands(): Command {
  return new Command('reference')
    .description(
      'The lists that account rules check codes against. A list that is not configured is not checked.',
    )
    .addCommand(
      command(
        'import <file>',
        'Import lists from a JSON file; each takes the place of the one before.',
      ).action(async (file: string, { json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const imported = await app.get(OperatorRules).importReferenceData(contentOf(file));
          return {
            json: imported,
            text: imported.map(({ list, entries }) => `${list}: ${entries} entries`).join('\n'),
          };
        }),
      ),
    )
    .addCommand(
      command('list', 'List the lists that are configured.').action(async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const lists = await app.get(OperatorRules).listReferenceData();
          return {
            json: lists,
            text: table(
              ['list', 'entries', 'imported'],
              lists.map(({ list, entries, imported_at }) => [list, entries, imported_at]),
              'No list is configured. Import some with: reference import <file>',
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
      command('remove <list>', 'Forget a list: nothing is checked against it any more.').action(
        async (list: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => {
            await app.get(OperatorRules).removeReferenceData(list);
            return { json: { list, removed: true }, text: `Nothing is checked against ${list} any more.` };
          }),
      ),
    );
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Refusal(`The file ${file} cannot be read.`);
  }
}
