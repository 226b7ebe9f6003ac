import { Controller, Get } from '@nestjs/common';
import { DescribeVendors } from './vendors.openapi';

/** Payment vendors. */
@Controller('operator/v1')
export class VendorsController {
  @Get('vendors')
  @DescribeVendors()
  list(): never {
    throw new Error('Not implemented.');
  }
}
