import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ActionItemList,
  HealthView,
  OverviewView,
  ViewActionItems,
  ViewHealth,
  ViewOverview,
} from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { exampleActionItem, exampleHealth, exampleOverview } from './overview.examples';

/** The overview of all suppliers, and the health. */
@ApiTags('Overview')
@Controller('operator/v1')
export class OverviewController {
  constructor(
    private readonly overviews: ViewOverview,
    private readonly components: ViewHealth,
    private readonly items: ViewActionItems,
  ) {}

  @Get('overview')
  @OperatorEndpoint({
    id: 'readOverview',
    role: 'viewer',
    summary: 'Read the overview',
    description:
      'Every supplier with its counts, the submissions in progress and the health of what the service depends on. Counts are made each minute by a worker.',
  })
  @ApiOkResponse({ description: 'The overview.', type: OverviewView, example: exampleOverview })
  async overview(): Promise<OverviewView> {
    return this.overviews.read();
  }

  @Get('health')
  @OperatorEndpoint({ id: 'readHealth', role: 'viewer', summary: 'Read the health of all components' })
  @ApiOkResponse({ description: 'The health.', type: HealthView, example: exampleHealth })
  async health(): Promise<HealthView> {
    return this.components.read();
  }

  @Get('action-items')
  @OperatorEndpoint({
    id: 'listActionItems',
    role: 'viewer',
    summary: 'List the states that last until an operator acts',
    description:
      'The most urgent kind first, at most 200 of each. A supplier whose migration is complete has none but those of its webhooks. While the queue does not answer, `queues_unavailable` is the only one about queues.',
  })
  @ApiOkResponse({
    description: 'The action items.',
    type: ActionItemList,
    example: { items: [exampleActionItem] },
  })
  async actionItems(): Promise<ActionItemList> {
    return { items: await this.items.list() };
  }
}
