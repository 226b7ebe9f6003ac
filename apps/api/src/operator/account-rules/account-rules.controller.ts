import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { PortageError } from '@portage/domain';
import { OperatorRules, type ReferenceListSummary } from '@portage/importing';
import { requireBody } from '../../http/json-body';
import { readBody, readNamedValues } from '../read-input';
import {
  DescribeImportReferenceLists,
  DescribeInstanceSettings,
  DescribeReferenceList,
  DescribeReferenceLists,
  DescribeRemoveReferenceList,
  DescribeSetInstanceSettings,
} from './account-rules.openapi';

type Input = Record<string, unknown>;

/** Reference lists and settings of the account rules for the whole installation. */
@Controller('operator/v1')
export class AccountRulesController {
  constructor(private readonly rules: OperatorRules) {}

  @Get('reference-lists')
  @DescribeReferenceLists()
  async list(): Promise<{ items: ReferenceListSummary[] }> {
    return { items: (await this.rules.listReferenceData()).map(toUtc) };
  }

  @Get('reference-lists/:list')
  @DescribeReferenceList()
  async read(@Param('list') list: string): Promise<{ list: string; entries: unknown }> {
    await this.require(list);
    return { list, entries: await this.rules.showReferenceData(list) };
  }

  @Post('reference-lists')
  @DescribeImportReferenceLists()
  async import(@Body() body: Input | undefined): Promise<{ items: ReferenceListSummary[] }> {
    return { items: (await this.rules.importReferenceData(JSON.stringify(requireBody(body)))).map(toUtc) };
  }

  @Delete('reference-lists/:list')
  @DescribeRemoveReferenceList()
  async remove(@Param('list') list: string): Promise<void> {
    await this.require(list);
    await this.rules.removeReferenceData(list);
  }

  @Get('instance-settings')
  @DescribeInstanceSettings()
  async settings(): Promise<Input> {
    return withNulls(await this.rules.instanceSettings());
  }

  @Patch('instance-settings')
  @DescribeSetInstanceSettings()
  async set(@Body() body: Input | undefined): Promise<Input> {
    const texts = readBody(body, (reader, members) =>
      Object.keys(members).flatMap((name) => readNamedValues(reader, name, { [name]: members[name] })),
    );
    return withNulls(await this.rules.setInstanceSettings(texts));
  }

  private async require(list: string): Promise<void> {
    const lists = await this.rules.listReferenceData();
    if (!lists.some((one) => one.list === list))
      throw new PortageError('not_found', 'This reference list is not configured.');
  }
}

function toUtc(summary: ReferenceListSummary): ReferenceListSummary {
  return { ...summary, imported_at: new Date(summary.imported_at).toISOString() };
}

/** A setting without a value is null, and not left out. */
function withNulls(settings: Input): Input {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? null]));
}
