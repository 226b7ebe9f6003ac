import { Controller, Get } from '@nestjs/common';
import {
  ActionItemList,
  HealthView,
  OverviewView,
  ViewActionItems,
  ViewHealth,
  ViewOverview,
} from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';

/** The overview of all suppliers, and the health. */
@Controller('operator/v1')
export class OverviewController {
  constructor(
    private readonly overviews: ViewOverview,
    private readonly components: ViewHealth,
    private readonly items: ViewActionItems,
  ) {}

  /** Every supplier with its counts, the submissions in progress and the health of what the service depends on. */
  @Get('overview')
  @OperatorEndpoint('viewer')
  async overview(): Promise<OverviewView> {
    return this.overviews.read();
  }

  @Get('health')
  @OperatorEndpoint('viewer')
  async health(): Promise<HealthView> {
    return this.components.read();
  }

  /**
   * The most urgent kind first, at most 200 of each. A supplier whose migration is complete has none but those of its
   * webhooks. While the queue does not answer, `queues_unavailable` is the only one about queues.
   */
  @Get('action-items')
  @OperatorEndpoint('viewer')
  async actionItems(): Promise<ActionItemList> {
    return { items: await this.items.list() };
  }
}
