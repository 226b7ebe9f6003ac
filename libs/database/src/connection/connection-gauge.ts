import { Injectable } from '@nestjs/common';
import { Metrics } from '@portage/observability';
import { Database } from './database';

/** Tells the metrics how busy the connections of this process are. */
@Injectable()
export class ConnectionGauge {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  observe(): void {
    for (const [state, count] of Object.entries(this.database.connections))
      this.metrics.poolConnections.set({ state }, count);
  }
}
