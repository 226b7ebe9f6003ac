import { Controller, Get, Param } from '@nestjs/common';
import { type Caller, SupplierProfile, type SupplierProfileView } from '@portage/importing';
import { CurrentCaller } from '../http/caller';
import { DescribeSupplierProfile } from './suppliers.openapi';

/** The configuration of an import supplier, for the supplier itself. */
@Controller('v2/data-import/suppliers')
export class SuppliersController {
  constructor(private readonly profile: SupplierProfile) {}

  @Get(':supplier')
  @DescribeSupplierProfile()
  async read(
    @CurrentCaller() { organisationId }: Caller,
    @Param('supplier') supplier: string,
  ): Promise<SupplierProfileView> {
    return this.profile.read(organisationId, supplier);
  }
}
