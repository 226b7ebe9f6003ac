import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { SupplierDetailView, SupplierSettingsView, ViewSuppliers } from '@portage/operators';
import { byProperty } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { OperatorEndpoint } from '../operator-endpoint';
import { PageQuery } from '../page-query.dto';
import {
  CreateSupplierRequest,
  SupplierPage,
  SupplierSettingsRequest,
  SupplierStatusRequest,
} from './suppliers.dto';

/** Suppliers, as operators see and manage them. */
@Controller('operator/v1')
export class OperatorSuppliersController {
  constructor(
    private readonly views: ViewSuppliers,
    private readonly suppliers: ImportSuppliers,
  ) {}

  @Get('suppliers')
  @OperatorEndpoint('viewer')
  async list(@Query() page: PageQuery): Promise<SupplierPage> {
    return this.views.list(page);
  }

  /** Its settings, the funnel of its accounts and its most frequent errors. */
  @Get('suppliers/:code')
  @OperatorEndpoint('viewer')
  async read(@Param('code') code: string): Promise<SupplierDetailView> {
    return this.views.read(code);
  }

  /** With the status Ongoing. Settings that are absent have their defaults. */
  @Post('suppliers')
  @OperatorEndpoint('admin', 201)
  async create(@Body() body: CreateSupplierRequest): Promise<SupplierSettingsView> {
    const { code, organisation, rule_settings: ruleSettings } = body;
    await this.suppliers.create(code, organisation, byProperty(body), ruleSettings);
    return this.views.settings(code);
  }

  /** Changes the settings that are present and leaves the others. Safe to repeat. */
  @Patch('suppliers/:code')
  @OperatorEndpoint('admin')
  async set(
    @Param('code') code: string,
    @Body() body: SupplierSettingsRequest,
  ): Promise<SupplierSettingsView> {
    await this.views.settings(code);
    await this.suppliers.set(code, byProperty(body), body.rule_settings);
    return this.views.settings(code);
  }

  /**
   * Paused and Complete suppliers accept no accounts. Accepted accounts that have not begun stay PENDING while the
   * supplier is Paused, and end in ERRORED once it is Complete. Safe to repeat.
   */
  @Post('suppliers/:code/status')
  @OperatorEndpoint('operator')
  async setStatus(
    @Param('code') code: string,
    @Body() { status }: SupplierStatusRequest,
  ): Promise<SupplierSettingsView> {
    await this.views.settings(code);
    await this.suppliers.setStatus(code, status);
    return this.views.settings(code);
  }
}
