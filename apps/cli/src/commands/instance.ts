import { OperatorRules } from '@portage/importing';
import { Command } from 'commander';
import { command, show, type Shown } from '../command';
import { sheet } from '../table';

export function instanceCommands(): Command {
  const shown = (settings: Record<string, unknown>): Shown => ({
    json: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? null])),
    text: sheet(settings),
  });
  return new Command('instance')
    .description('What account rules need to know of the whole installation.')
    .addCommand(
      command('show', 'Show every setting with the value that holds.').action(
        async ({ json }: { json?: true }) =>
          show(json ?? false, async (app) => shown(await app.get(OperatorRules).instanceSettings())),
      ),
    )
    .addCommand(
      command('set <name=value...>', 'Set some; `name=` takes one back to its default.').action(
        async (settings: string[], { json }: { json?: true }) =>
          show(json ?? false, async (app) =>
            shown(await app.get(OperatorRules).setInstanceSettings(settings)),
          ),
      ),
    );
}
