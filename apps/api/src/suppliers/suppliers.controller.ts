import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import {
  type Caller,
  ImportSupplierView,
  SUPPLIER_SETTING_DEFAULTS,
  SupplierProfile,
  SupplierProfileView,
} from '@portage/tenants';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { exampleQuotas } from './suppliers.examples';

const exampleSupplier = {
  code: 'DEMO',
  status: 'Ongoing',
  ...SUPPLIER_SETTING_DEFAULTS,
  document_root: 'demo',
  created_at: '2026-11-21T09:30:00.123456+00:00',
};

const exampleProfile = {
  ...exampleSupplier,
  auto_allocate_operations_team: true,
  rule_settings: {},
  limits: { max_body_bytes: 10_000_000, max_array_items: 10_000, max_errors: 1_000 },
  quotas: exampleQuotas,
  reference_data: [
    { list: 'products', supply_type: null, count: 1, codes: ['HOME-VAR'] },
    { list: 'tariffs', supply_type: 'ELECTRICITY', count: 2, codes: ['E-VAR', 'E-VAR-2'] },
    { list: 'tariffs', supply_type: 'GAS', count: 1, codes: ['G-VAR'] },
  ],
};

/** The configuration of import suppliers, for the suppliers themselves. */
@ApiTags('Suppliers')
@ApiSecurity('token')
@Controller('v2/data-import/suppliers')
export class SuppliersController {
  constructor(private readonly profile: SupplierProfile) {}

  @Get()
  @Endpoint({
    id: 'listSuppliers',
    summary: 'The import suppliers of the organisation',
    description:
      'Each with its profile, which decides what a complete account is, and its other settings: the first 1,000 in the order of their codes.',
  })
  @ApiOkResponse({
    description: 'The import suppliers.',
    type: [ImportSupplierView],
    example: [exampleSupplier],
  })
  async list(@CurrentCaller() { organisationId }: Caller): Promise<ImportSupplierView[]> {
    return this.profile.list(organisationId);
  }

  @Get(':supplier')
  @Endpoint({
    id: 'readSupplier',
    summary: 'Status and settings of an import supplier',
    description:
      'The settings that decide how its accounts are read and imported, the lists that codes are checked against, limits and quotas. The operator changes them.',
  })
  @ApiOkResponse({ description: 'The import supplier.', type: SupplierProfileView, example: exampleProfile })
  async read(
    @CurrentCaller() { organisationId }: Caller,
    @Param('supplier') supplier: string,
  ): Promise<SupplierProfileView> {
    return this.profile.read(organisationId, supplier);
  }
}
