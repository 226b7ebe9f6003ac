import { Organisations } from '@portage/importing';
import { Command } from 'commander';
import { command, show } from '../command';
import { table } from '../table';

export function apiKeyCommands(): Command {
  return new Command('api-key')
    .description('Keys with which organisations obtain tokens.')
    .addCommand(
      command('issue', 'Issue a key. It is shown once.')
        .requiredOption('--organisation <name>', 'whose key it is')
        .action(async ({ organisation, json }: { organisation: string; json?: true }) =>
          show(json ?? false, async (app) => {
            const key = await app.get(Organisations).issueApiKey(organisation);
            return { json: { api_key: key }, text: `${key}\nKeep it now: it is not shown again.` };
          }),
        ),
    )
    .addCommand(
      command('list', 'List keys by their prefix.').action(async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const all = (await app.get(Organisations).listApiKeys()).map(({ organisation, key }) => ({
            prefix: key.prefix,
            organisation,
            created_at: key.createdAt,
            revoked_at: key.revokedAt,
          }));
          return {
            json: all,
            text: table(
              ['prefix', 'organisation', 'created', 'revoked'],
              all.map((key) => [key.prefix, key.organisation, key.created_at, key.revoked_at ?? '-']),
              'There is no key yet. Issue one with: api-key issue --organisation <name>',
            ),
          };
        }),
      ),
    )
    .addCommand(
      command('revoke <prefix>', 'Revoke a key and its tokens at once.').action(
        async (prefix: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => {
            await app.get(Organisations).revokeApiKey(prefix);
            return {
              json: { prefix, revoked: true },
              text: `Revoked the key ${prefix} and every token of it.`,
            };
          }),
      ),
    );
}
