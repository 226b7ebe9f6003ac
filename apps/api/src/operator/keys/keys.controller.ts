import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { PortageError } from '@portage/domain';
import { Organisations, prefixOfApiKey } from '@portage/importing';
import { readTexts } from '../text-fields';
import {
  DescribeApiKeys,
  DescribeCreateOrganisation,
  DescribeIssueApiKey,
  DescribeOrganisations,
  DescribeRevokeApiKey,
} from './keys.openapi';

interface OrganisationView {
  name: string;
  created_at: string;
}

interface ApiKeyView {
  prefix: string;
  organisation: string;
  created_at: string;
  revoked_at: string | null;
}

/** Organisations and their API keys. */
@Controller('operator/v1')
export class KeysController {
  constructor(private readonly organisations: Organisations) {}

  @Get('organisations')
  @DescribeOrganisations()
  async list(): Promise<{ items: OrganisationView[] }> {
    return { items: (await this.organisations.list()).map(toView) };
  }

  @Post('organisations')
  @DescribeCreateOrganisation()
  async create(@Body() body: Record<string, unknown> | undefined): Promise<OrganisationView> {
    return toView(await this.organisations.create(readTexts(body, ['name']).name));
  }

  @Get('organisations/:name/api-keys')
  @DescribeApiKeys()
  async keys(@Param('name') name: string): Promise<{ items: ApiKeyView[] }> {
    await this.require(name);
    const keys = await this.organisations.listApiKeys();
    return {
      items: keys
        .filter(({ organisation }) => organisation === name)
        .map(({ organisation, key: { prefix, createdAt, revokedAt } }) => ({
          ...{ prefix, organisation, created_at: toUtc(createdAt) },
          revoked_at: revokedAt === null ? null : toUtc(revokedAt),
        })),
    };
  }

  @Post('organisations/:name/api-keys')
  @DescribeIssueApiKey()
  async issue(@Param('name') name: string): Promise<{ prefix: string; api_key: string }> {
    await this.require(name);
    const key = await this.organisations.issueApiKey(name);
    return { prefix: prefixOfApiKey(key) ?? '', api_key: key };
  }

  @Delete('api-keys/:prefix')
  @DescribeRevokeApiKey()
  async revoke(@Param('prefix') prefix: string): Promise<void> {
    const keys = await this.organisations.listApiKeys();
    if (!keys.some(({ key }) => key.prefix === prefix && key.revokedAt === null))
      throw new PortageError('not_found', 'There is no valid API key with this prefix.');
    await this.organisations.revokeApiKey(prefix);
  }

  private async require(name: string): Promise<void> {
    const organisations = await this.organisations.list();
    if (!organisations.some((organisation) => organisation.name === name))
      throw new PortageError('not_found', 'There is no such organisation.');
  }
}

const toUtc = (stored: string) => new Date(stored).toISOString();

function toView({ name, createdAt }: { name: string; createdAt: string }): OrganisationView {
  return { name, created_at: toUtc(createdAt) };
}
