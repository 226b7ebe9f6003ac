import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SupplierDetailView, SupplierSettingsView, ThroughputView, ViewSuppliers } from '@portage/operators';
import { ImportSuppliers } from '@portage/tenants';
import { OperatorEndpoint } from '../operator-endpoint';
import { PageQuery } from '../page-query.dto';
import {
  CreateSupplierRequest,
  SupplierPage,
  SupplierSettingsRequest,
  SupplierStatusRequest,
  ThroughputQuery,
  toSettings,
} from './suppliers.dto';
import { exampleSupplier, exampleSupplierDetail } from './suppliers.examples';

/** Suppliers, as operators see and manage them. */
@ApiTags('Suppliers')
@Controller('operator/v1')
export class OperatorSuppliersController {
  constructor(
    private readonly views: ViewSuppliers,
    private readonly suppliers: ImportSuppliers,
  ) {}

  @Get('suppliers')
  @OperatorEndpoint({
    id: 'listSuppliers',
    role: 'viewer',
    summary: 'List suppliers by code',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of suppliers.',
    type: SupplierPage,
    example: { items: [exampleSupplier], next_cursor: null },
  })
  async list(@Query() page: PageQuery): Promise<SupplierPage> {
    return this.views.list(page);
  }

  @Get('suppliers/:code')
  @OperatorEndpoint({
    id: 'readSupplierDetail',
    role: 'viewer',
    summary: 'Read a supplier',
    description:
      'Its settings, the funnel of its accounts and its most frequent errors, as counted each minute.',
  })
  @ApiOkResponse({ description: 'The supplier.', type: SupplierDetailView, example: exampleSupplierDetail })
  async read(@Param('code') code: string): Promise<SupplierDetailView> {
    return this.views.read(code);
  }

  @Get('suppliers/:code/throughput')
  @OperatorEndpoint({
    id: 'readThroughput',
    role: 'viewer',
    summary: 'Read throughput over time',
    description: 'Minutes of the last seven days, or hours made of them. The current minute is not complete.',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'At most 1,500 points.',
    type: ThroughputView,
    example: { step_seconds: 60, points: [[1763717400, 5400, 5210, 3, 812.4]] },
  })
  async throughput(
    @Param('code') code: string,
    @Query() { from, to, step }: ThroughputQuery,
  ): Promise<ThroughputView> {
    return this.views.throughput(code, { from, to, step });
  }

  @Post('suppliers')
  @OperatorEndpoint({
    id: 'createSupplier',
    role: 'admin',
    summary: 'Create a supplier',
    description: 'With the status Ongoing. Settings that are absent have their defaults.',
    status: 201,
    errors: ['validation_error', 'operation_refused'],
  })
  @ApiBody({
    type: CreateSupplierRequest,
    examples: { supplier: { value: { code: 'DEMO', organisation: 'Demo Energy', creation_mode: 'direct' } } },
  })
  @ApiCreatedResponse({
    description: 'The new supplier.',
    type: SupplierSettingsView,
    example: exampleSupplier,
  })
  async create(@Body() body: CreateSupplierRequest): Promise<SupplierSettingsView> {
    const { code, organisation, rule_settings: ruleSettings = [] } = body;
    await this.suppliers.create(code, organisation, toSettings(body), ruleSettings);
    return this.views.settings(code);
  }

  @Patch('suppliers/:code')
  @OperatorEndpoint({
    id: 'setSupplier',
    role: 'admin',
    summary: 'Change settings of a supplier',
    description: 'Changes the settings that are present and leaves the others. Safe to repeat.',
    errors: ['validation_error', 'operation_refused'],
  })
  @ApiBody({ type: SupplierSettingsRequest, examples: { settings: { value: { creation_mode: 'staged' } } } })
  @ApiOkResponse({ description: 'The supplier.', type: SupplierSettingsView, example: exampleSupplier })
  async set(
    @Param('code') code: string,
    @Body() body: SupplierSettingsRequest,
  ): Promise<SupplierSettingsView> {
    await this.views.settings(code);
    await this.suppliers.set(code, toSettings(body), body.rule_settings ?? []);
    return this.views.settings(code);
  }

  @Post('suppliers/:code/status')
  @OperatorEndpoint({
    id: 'setSupplierStatus',
    role: 'operator',
    summary: 'Set the status of a supplier',
    description:
      'Paused and Complete suppliers accept no accounts. Accepted accounts that have not begun stay PENDING while the supplier is Paused, and end in ERRORED once it is Complete. Safe to repeat.',
    errors: ['validation_error', 'operation_refused'],
  })
  @ApiBody({ type: SupplierStatusRequest, examples: { pause: { value: { status: 'Paused' } } } })
  @ApiOkResponse({ description: 'The supplier.', type: SupplierSettingsView, example: exampleSupplier })
  async setStatus(
    @Param('code') code: string,
    @Body() { status }: SupplierStatusRequest,
  ): Promise<SupplierSettingsView> {
    await this.views.settings(code);
    await this.suppliers.setStatus(code, status);
    return this.views.settings(code);
  }
}
