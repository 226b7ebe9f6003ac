import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type FieldError, PortageError } from '@portage/platform';
import { OperatorRules, type ReferenceListSummary } from '@portage/tenants';
import { requireBody } from '../../http/json-body';
import { OperatorEndpoint } from '../operator-endpoint';
import { toNamedValues } from '../../http/fields';
import {
  ImportReferenceListsRequest,
  InstanceSettings,
  ReferenceList,
  ReferenceLists,
} from './account-rules.dto';
import { exampleReferenceListSummary } from './account-rules.examples';

type Input = Record<string, unknown>;

/** Reference lists and settings of the account rules for the whole installation. */
@ApiTags('Account rules')
@Controller('operator/v1')
export class AccountRulesController {
  constructor(private readonly rules: OperatorRules) {}

  @Get('reference-lists')
  @OperatorEndpoint({ id: 'listReferenceLists', role: 'viewer', summary: 'List the reference lists' })
  @ApiOkResponse({
    description: 'The configured lists.',
    type: ReferenceLists,
    example: { items: [exampleReferenceListSummary] },
  })
  async list(): Promise<ReferenceLists> {
    return { items: (await this.rules.listReferenceData()).map(toUtc) };
  }

  @Get('reference-lists/:list')
  @OperatorEndpoint({
    id: 'readReferenceList',
    role: 'viewer',
    summary: 'Read a reference list',
  })
  @ApiOkResponse({
    description: 'The list.',
    type: ReferenceList,
    example: { list: 'ledger_types', entries: [] },
  })
  async read(@Param('list') list: string): Promise<ReferenceList> {
    await this.require(list);
    return { list, entries: await this.rules.showReferenceData(list) };
  }

  @Post('reference-lists')
  @OperatorEndpoint({
    id: 'importReferenceLists',
    role: 'admin',
    summary: 'Replace reference lists',
    description: 'Each list replaces the stored one of its name, all or none.',
    errors: ['operation_refused'],
  })
  @ApiBody({
    type: ImportReferenceListsRequest,
    examples: { lists: { value: { operations_teams: ['North'] } } },
  })
  @ApiOkResponse({
    description: 'The imported lists.',
    type: ReferenceLists,
    example: { items: [exampleReferenceListSummary] },
  })
  async import(@Body() body: Input | undefined): Promise<ReferenceLists> {
    return { items: (await this.rules.importReferenceData(JSON.stringify(requireBody(body)))).map(toUtc) };
  }

  @Delete('reference-lists/:list')
  @OperatorEndpoint({
    id: 'removeReferenceList',
    role: 'admin',
    summary: 'Remove a reference list',
    description: 'Its codes are no longer checked.',
    status: 204,
  })
  @ApiNoContentResponse({ description: 'The list is removed.' })
  async remove(@Param('list') list: string): Promise<void> {
    await this.require(list);
    await this.rules.removeReferenceData(list);
  }

  @Get('instance-settings')
  @OperatorEndpoint({
    id: 'readInstanceSettings',
    role: 'viewer',
    summary: 'Read the settings of the account rules of the installation',
  })
  @ApiOkResponse({
    description: 'All settings with their effective values.',
    type: InstanceSettings,
    example: { payment_day_min: 1 },
  })
  async settings(): Promise<Input> {
    return withNulls(await this.rules.instanceSettings());
  }

  @Patch('instance-settings')
  @OperatorEndpoint({
    id: 'setInstanceSettings',
    role: 'admin',
    summary: 'Set the settings of the account rules of the installation',
    errors: ['validation_error', 'operation_refused'],
  })
  @ApiBody({ type: InstanceSettings, examples: { set: { value: { payment_day_min: 1 } } } })
  @ApiOkResponse({
    description: 'All settings with their effective values.',
    type: InstanceSettings,
    example: { payment_day_min: 1 },
  })
  async set(@Body() body: Input | undefined): Promise<Input> {
    return withNulls(await this.rules.setInstanceSettings(readSettings(requireBody(body))));
  }

  private async require(list: string): Promise<void> {
    const lists = await this.rules.listReferenceData();
    if (!lists.some((one) => one.list === list))
      throw new PortageError('not_found', 'This reference list is not configured.');
  }
}

/** @throws PortageError `validation_error` with an error for each setting that is no text, number, flag or null */
function readSettings(body: Input): string[] {
  const errors: FieldError[] = [];
  const texts = Object.entries(body).flatMap(([attr, value]) => {
    const named = toNamedValues({ [attr]: value });
    const detail = 'Enter an object of texts, numbers, true, false and null.';
    if (!named) errors.push({ attr, code: 'invalid', detail });
    return named ?? [];
  });
  if (errors.length > 0) throw new PortageError('validation_error', 'The request is not valid.', { errors });
  return texts;
}

function toUtc(summary: ReferenceListSummary): ReferenceListSummary {
  return { ...summary, imported_at: new Date(summary.imported_at).toISOString() };
}

/** A setting without a value is null, and not left out. */
function withNulls(settings: Input): Input {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? null]));
}
