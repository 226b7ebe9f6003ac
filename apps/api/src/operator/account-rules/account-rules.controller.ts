import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { type FieldError, PortageError } from '@portage/platform';
import { OperatorRules, type ReferenceListSummary } from '@portage/tenants';
import { requireBody } from '../../http/json-body';
import { OperatorEndpoint } from '../operator-endpoint';
import { toNamedValues } from '../../http/fields';
import { ReferenceList, ReferenceLists } from './account-rules.dto';

type Input = Record<string, unknown>;

/** Reference lists and settings of the account rules for the whole installation. */
@Controller('operator/v1')
export class AccountRulesController {
  constructor(private readonly rules: OperatorRules) {}

  @Get('reference-lists')
  @OperatorEndpoint('viewer')
  async list(): Promise<ReferenceLists> {
    return { items: (await this.rules.listReferenceData()).map(toUtc) };
  }

  @Get('reference-lists/:list')
  @OperatorEndpoint('viewer')
  async read(@Param('list') list: string): Promise<ReferenceList> {
    await this.require(list);
    return { list, entries: await this.rules.showReferenceData(list) };
  }

  /** Each list replaces the stored one of its name, all or none. */
  @Post('reference-lists')
  @OperatorEndpoint('admin')
  async import(@Body() body: Input | undefined): Promise<ReferenceLists> {
    return { items: (await this.rules.importReferenceData(JSON.stringify(requireBody(body)))).map(toUtc) };
  }

  /** Its codes are no longer checked. */
  @Delete('reference-lists/:list')
  @OperatorEndpoint('admin', 204)
  async remove(@Param('list') list: string): Promise<void> {
    await this.require(list);
    await this.rules.removeReferenceData(list);
  }

  @Get('instance-settings')
  @OperatorEndpoint('viewer')
  async settings(): Promise<Input> {
    return withNulls(await this.rules.instanceSettings());
  }

  @Patch('instance-settings')
  @OperatorEndpoint('admin')
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
