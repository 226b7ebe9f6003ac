import { Controller, Get } from '@nestjs/common';
import { DescribeHealth, DescribeOverview } from './overview.openapi';

/** The overview of all suppliers, and the health. */
@Controller('operator/v1')
export class OverviewController {
  @Get('overview')
  @DescribeOverview()
  overview(): never {
    throw new Error('Not implemented.');
  }

  @Get('health')
  @DescribeHealth()
  health(): never {
    throw new Error('Not implemented.');
  }
}
