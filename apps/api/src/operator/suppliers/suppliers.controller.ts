import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { IMPORT_SUPPLIER_STATUSES } from '@portage/domain';
import {
  ImportSuppliers,
  type Page,
  type SupplierDetailView,
  type SupplierSettingsView,
  type ThroughputView,
  ViewSuppliers,
} from '@portage/importing';
import { readBody, readQuery } from '../read-input';
import { readSettings, SETTING_MEMBERS } from './supplier-settings';
import {
  DescribeCreateSupplier,
  DescribeSetStatus,
  DescribeSetSupplier,
  DescribeSupplier,
  DescribeSuppliers,
  DescribeThroughput,
} from './suppliers.openapi';

type Input = Record<string, unknown>;

/** Suppliers, as operators see and manage them. */
@Controller('operator/v1')
export class OperatorSuppliersController {
  constructor(
    private readonly views: ViewSuppliers,
    private readonly suppliers: ImportSuppliers,
  ) {}

  @Get('suppliers')
  @DescribeSuppliers()
  async list(@Query() query: Input): Promise<Page<SupplierSettingsView>> {
    return this.views.list(readQuery(query, (reader) => reader.page()));
  }

  @Get('suppliers/:code')
  @DescribeSupplier()
  async read(@Param('code') code: string): Promise<SupplierDetailView> {
    return this.views.read(code);
  }

  @Get('suppliers/:code/throughput')
  @DescribeThroughput()
  async throughput(@Param('code') code: string, @Query() query: Input): Promise<ThroughputView> {
    const range = readQuery(query, (reader) => ({
      from: reader.moment('from'),
      to: reader.moment('to'),
      step: reader.choice('step', ['minute', 'hour']) ?? 'minute',
    }));
    return this.views.throughput(code, range);
  }

  @Post('suppliers')
  @DescribeCreateSupplier()
  async create(@Body() body: Input | undefined): Promise<SupplierSettingsView> {
    const { code, organisation, settings, ruleSettings } = readBody(body, (reader, members) => {
      reader.only('code', 'organisation', ...SETTING_MEMBERS);
      return {
        code: reader.text('code', { isRequired: true, max: 128 }) ?? '',
        organisation: reader.text('organisation', { isRequired: true, max: 256 }) ?? '',
        ...readSettings(reader, members),
      };
    });
    await this.suppliers.create(code, organisation, settings, ruleSettings);
    return this.views.settings(code);
  }

  @Patch('suppliers/:code')
  @DescribeSetSupplier()
  async set(@Param('code') code: string, @Body() body: Input | undefined): Promise<SupplierSettingsView> {
    const { settings, ruleSettings } = readBody(body, (reader, members) => {
      reader.only(...SETTING_MEMBERS);
      return readSettings(reader, members);
    });
    await this.views.settings(code);
    await this.suppliers.set(code, settings, ruleSettings);
    return this.views.settings(code);
  }

  @Post('suppliers/:code/status')
  @DescribeSetStatus()
  async setStatus(
    @Param('code') code: string,
    @Body() body: Input | undefined,
  ): Promise<SupplierSettingsView> {
    const status = readBody(body, (reader) => {
      reader.only('status');
      return reader.choice('status', IMPORT_SUPPLIER_STATUSES, { isRequired: true });
    });
    await this.views.settings(code);
    await this.suppliers.setStatus(code, status ?? '');
    return this.views.settings(code);
  }
}
