import { Controller, Get } from '@nestjs/common';
import { type HealthView, type OverviewView, ViewHealth, ViewOverview } from '@portage/importing';
import { DescribeHealth, DescribeOverview } from './overview.openapi';

/** The overview of all suppliers, and the health. */
@Controller('operator/v1')
export class OverviewController {
  constructor(
    private readonly overviews: ViewOverview,
    private readonly components: ViewHealth,
  ) {}

  @Get('overview')
  @DescribeOverview()
  async overview(): Promise<OverviewView> {
    return this.overviews.read();
  }

  @Get('health')
  @DescribeHealth()
  async health(): Promise<HealthView> {
    return this.components.read();
  }
}
