import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../../observability/metrics';
import { Database } from './database';

/** Reports the connection pool of this process to the metrics, by state. */
@Injectable()
export class ConnectionGauge {
  readonly connections: Gauge;

  constructor(database: Database, { registry }: Metrics) {
    this.connections = new Gauge({
      name: 'portage_database_pool_connections',
      help: 'Database connections of this process that are active or idle, and requests that wait for a connection.',
      labelNames: ['state'],
      registers: [registry],
      collect: () => {
        for (const [state, count] of Object.entries(database.connections))
          this.connections.set({ state }, count);
      },
    });
  }
}
