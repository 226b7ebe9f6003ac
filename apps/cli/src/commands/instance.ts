import { OperatorRules } from '@portage/tenants';
import { Command } from 'commander';
import { command, type CommandOutput, show } from '../command';
import { sheet } from '../table';

/** `instance show` and `instance set`: settings of the account rules. */
export function instanceCommands(): Command {
  const toOutput = (settings: Record<string, unknown>): CommandOutput => ({
    json: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? null])),
    text: sheet(settings),
  });
  return new Command('instance')
    .description('Settings of the account rules for the whole installation.')
    .addCommand(
      command('show', 'Show all settings with their effective values.').action(
        async ({ json }: { json?: true }) =>
          show(json ?? false, async (app) => toOutput(await app.get(OperatorRules).instanceSettings())),
      ),
    )
    .addCommand(
      command('set <name=value...>', 'Change settings. `name=` restores the default.').action(
        async (settings: string[], { json }: { json?: true }) =>
          show(json ?? false, async (app) =>
            toOutput(await app.get(OperatorRules).setInstanceSettings(settings)),
          ),
      ),
    );
}
