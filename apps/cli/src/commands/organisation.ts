import { Organisations } from '@portage/tenants';
import type { Command } from 'commander';
import { command, group } from '../command';

const toView = ({ name, createdAt }: { name: string; createdAt: string }) => ({
  name,
  created_at: createdAt,
});

/** `organisation create` and `organisation list`. */
export function organisationCommands(): Command {
  return group('organisation', 'Organisations, which own suppliers and API keys.', [
    command('create <name>', 'Create an organisation.', async (app, _options: object, name: string) => ({
      value: toView(await app.get(Organisations).create(name)),
    })),
    command('list', 'List organisations.', async (app) => ({
      value: (await app.get(Organisations).list()).map(toView),
    })),
  ]);
}
