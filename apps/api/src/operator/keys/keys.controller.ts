import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { PortageError } from '@portage/platform';
import { Organisations, prefixOfApiKey } from '@portage/tenants';
import { OperatorEndpoint } from '../operator-endpoint';
import {
  ApiKeyList,
  CreateOrganisationRequest,
  IssuedApiKey,
  OrganisationList,
  OrganisationView,
} from './keys.dto';

/** Organisations and their API keys. */
@Controller('operator/v1')
export class KeysController {
  constructor(private readonly organisations: Organisations) {}

  @Get('organisations')
  @OperatorEndpoint('viewer')
  async list(): Promise<OrganisationList> {
    return { items: (await this.organisations.list()).map(toView) };
  }

  @Post('organisations')
  @OperatorEndpoint('admin', 201)
  async create(@Body() { name }: CreateOrganisationRequest): Promise<OrganisationView> {
    return toView(await this.organisations.create(name));
  }

  @Get('organisations/:name/api-keys')
  @OperatorEndpoint('viewer')
  async keys(@Param('name') name: string): Promise<ApiKeyList> {
    await this.require(name);
    const keys = await this.organisations.listApiKeys();
    return {
      items: keys
        .filter(({ organisation }) => organisation === name)
        .map(({ organisation, key: { prefix, createdAt, revokedAt } }) => ({
          prefix,
          organisation,
          created_at: toUtc(createdAt),
          revoked_at: revokedAt === null ? null : toUtc(revokedAt),
        })),
    };
  }

  /** The key is shown here only. Each request issues another key. */
  @Post('organisations/:name/api-keys')
  @OperatorEndpoint('admin', 201)
  async issue(@Param('name') name: string): Promise<IssuedApiKey> {
    await this.require(name);
    const key = await this.organisations.issueApiKey(name);
    return { prefix: prefixOfApiKey(key) ?? '', api_key: key };
  }

  @Delete('api-keys/:prefix')
  @OperatorEndpoint('admin', 204)
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
