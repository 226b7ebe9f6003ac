import { Controller, Get } from '@nestjs/common';
import { ViewWorkers } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { VendorList } from './vendors.dto';

/** Payment vendors. */
@Controller('operator/v1')
export class VendorsController {
  constructor(private readonly workers: ViewWorkers) {}

  /** The state of their circuit breakers and the outcomes of verifications, as the workers report them. */
  @Get('vendors')
  @OperatorEndpoint('viewer')
  async list(): Promise<VendorList> {
    return { items: await this.workers.vendors() };
  }
}
