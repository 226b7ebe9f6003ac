import { Organisations } from '@portage/tenants';
import type { Command } from 'commander';
import { command, group } from '../command';

/** `api-key issue`, `list` and `revoke`. */
export function apiKeyCommands(): Command {
  return group('api-key', 'API keys, with which organisations obtain tokens.', [
    command(
      'issue',
      'Issue an API key. It is shown once.',
      async (app, { organisation }: { organisation: string }) => ({
        value: { api_key: await app.get(Organisations).issueApiKey(organisation) },
        note: 'Store it now. It is not shown again.',
      }),
    ).requiredOption('--organisation <name>', 'the organisation of the key'),
    command('list', 'List the API keys by their prefix.', async (app) => ({
      value: (await app.get(Organisations).listApiKeys()).map(({ organisation, key }) => ({
        prefix: key.prefix,
        organisation,
        created_at: key.createdAt,
        revoked_at: key.revokedAt,
      })),
    })),
    command(
      'revoke <prefix>',
      'Revoke an API key and its tokens at once.',
      async (app, _options: object, prefix: string) => {
        await app.get(Organisations).revokeApiKey(prefix);
        return { value: { prefix, revoked: true } };
      },
    ),
  ]);
}
