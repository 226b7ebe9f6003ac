import { Injectable } from '@nestjs/common';
import { Metrics } from '../../observability/metrics';
import { Database } from './database';

/** Reports the connection pool of this process to the metrics. */
@Injectable()
export class ConnectionGauge {
  constructor(
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {}

  /** Sets the gauge of pool connections, by state. */
  observe(): void {
    for (const [state, count] of Object.entries(this.database.connections))
      this.metrics.poolConnections.set({ state }, count);
  }
}
