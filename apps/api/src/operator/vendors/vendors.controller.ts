import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ViewWorkers } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { VendorList } from './vendors.dto';
import { exampleVendor } from './vendors.examples';

/** Payment vendors. */
@ApiTags('Vendors')
@Controller('operator/v1')
export class VendorsController {
  constructor(private readonly workers: ViewWorkers) {}

  @Get('vendors')
  @OperatorEndpoint({
    id: 'listVendors',
    role: 'viewer',
    summary: 'List the payment vendors',
    description:
      'The state of their circuit breakers and the outcomes of verifications, as the workers report them.',
  })
  @ApiOkResponse({ description: 'All vendors.', type: VendorList, example: { items: [exampleVendor] } })
  async list(): Promise<VendorList> {
    return { items: await this.workers.vendors() };
  }
}
