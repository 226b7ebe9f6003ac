import { Organisations } from '@portage/tenants';
import { Command } from 'commander';
import { command, show } from '../command';
import { table } from '../table';

/** `api-key issue`, `list` and `revoke`. */
export function apiKeyCommands(): Command {
  return new Command('api-key')
    .description('API keys, with which organisations obtain tokens.')
    .addCommand(
      command('issue', 'Issue an API key. It is shown once.')
        .requiredOption('--organisation <name>', 'the organisation of the key')
        .action(async ({ organisation, json }: { organisation: string; json?: true }) =>
          show(json ?? false, async (app) => {
            const key = await app.get(Organisations).issueApiKey(organisation);
            return { json: { api_key: key }, text: `${key}\nStore it now. It is not shown again.` };
          }),
        ),
    )
    .addCommand(
      command('list', 'List the API keys by their prefix.').action(async ({ json }: { json?: true }) =>
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
              'There is no API key yet. Issue one with: api-key issue --organisation <name>',
            ),
          };
        }),
      ),
    )
    .addCommand(
      command('revoke <prefix>', 'Revoke an API key and its tokens at once.').action(
        async (prefix: string, { json }: { json?: true }) =>
          show(json ?? false, async (app) => {
            await app.get(Organisations).revokeApiKey(prefix);
            return {
              json: { prefix, revoked: true },
              text: `The API key ${prefix} and its tokens are revoked.`,
            };
          }),
      ),
    );
}
