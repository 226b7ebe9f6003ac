import { Controller, Get } from '@nestjs/common';
import { type VendorView, ViewWorkers } from '@portage/importing';
import { DescribeVendors } from './vendors.openapi';

/** Payment vendors. */
@Controller('operator/v1')
export class VendorsController {
  constructor(private readonly workers: ViewWorkers) {}

  @Get('vendors')
  @DescribeVendors()
  async list(): Promise<{ items: VendorView[] }> {
    return { items: await this.workers.vendors() };
  }
}
