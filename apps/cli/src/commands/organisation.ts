import { Organisations } from '@portage/tenants';
import { Command } from 'commander';
import { command, show } from '../command';
import { table } from '../table';

const toJson = ({ name, createdAt }: { name: string; createdAt: string }) => ({
  name,
  created_at: createdAt,
});

/** `organisation create` and `organisation list`. */
export function organisationCommands(): Command {
  return new Command('organisation')
    .description('Organisations, which own suppliers and API keys.')
    .addCommand(
      command('create <name>', 'Create an organisation.').action(
        async (name: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => {
            const created = await app.get(Organisations).create(name);
            return { json: toJson(created), text: `The organisation "${created.name}" is created.` };
          }),
      ),
    )
    .addCommand(
      command('list', 'List organisations.').action(async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const all = (await app.get(Organisations).list()).map(toJson);
          return {
            json: all,
            text: table(
              ['organisation', 'created'],
              all.map(({ name, created_at }) => [name, created_at]),
              'There is no organisation yet. Create one with: organisation create <name>',
            ),
          };
        }),
      ),
    );
}
