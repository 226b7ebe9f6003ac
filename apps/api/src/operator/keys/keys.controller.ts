import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
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
import { exampleApiKey } from './keys.examples';

/** Organisations and their API keys. */
@ApiTags('Organisations and keys')
@Controller('operator/v1')
export class KeysController {
  constructor(private readonly organisations: Organisations) {}

  @Get('organisations')
  @OperatorEndpoint({ id: 'listOrganisations', role: 'viewer', summary: 'List organisations' })
  @ApiOkResponse({
    description: 'All organisations.',
    type: OrganisationList,
    example: { items: [{ name: 'Demo Energy', created_at: '2026-11-20T08:00:00.000000Z' }] },
  })
  async list(): Promise<OrganisationList> {
    return { items: (await this.organisations.list()).map(toView) };
  }

  @Post('organisations')
  @OperatorEndpoint({
    id: 'createOrganisation',
    role: 'admin',
    summary: 'Create an organisation',
    status: 201,
    errors: ['validation_error', 'operation_refused'],
  })
  @ApiBody({
    type: CreateOrganisationRequest,
    examples: { organisation: { value: { name: 'Demo Energy' } } },
  })
  @ApiCreatedResponse({
    description: 'The new organisation.',
    type: OrganisationView,
    example: { name: 'Demo Energy', created_at: '2026-11-20T08:00:00.000000Z' },
  })
  async create(@Body() { name }: CreateOrganisationRequest): Promise<OrganisationView> {
    return toView(await this.organisations.create(name));
  }

  @Get('organisations/:name/api-keys')
  @OperatorEndpoint({
    id: 'listApiKeys',
    role: 'viewer',
    summary: 'List the API keys of an organisation, revoked ones included',
  })
  @ApiOkResponse({ description: 'The keys.', type: ApiKeyList, example: { items: [exampleApiKey] } })
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

  @Post('organisations/:name/api-keys')
  @OperatorEndpoint({
    id: 'issueApiKey',
    role: 'admin',
    summary: 'Issue an API key',
    description: 'The key is shown here only. Each request issues another key.',
    status: 201,
  })
  @ApiCreatedResponse({
    description: 'The key.',
    type: IssuedApiKey,
    example: { prefix: 'pk_1f2e', api_key: 'pk_1f2e.0F3k' },
  })
  async issue(@Param('name') name: string): Promise<IssuedApiKey> {
    await this.require(name);
    const key = await this.organisations.issueApiKey(name);
    return { prefix: prefixOfApiKey(key) ?? '', api_key: key };
  }

  @Delete('api-keys/:prefix')
  @OperatorEndpoint({
    id: 'revokeApiKey',
    role: 'admin',
    summary: 'Revoke an API key and its tokens at once',
    status: 204,
  })
  @ApiNoContentResponse({ description: 'The key is revoked.' })
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
