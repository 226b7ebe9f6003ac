import { Metrics } from '@portage/observability';
import { Histogram } from 'prom-client';

/** Metrics that dashboard and alerts use already and the programs do not expose yet. A row goes when its metric comes. */
export const awaited: Readonly<Record<string, readonly string[]>> = {
  portage_queue_oldest_waiting_seconds: ['queue'],
  portage_job_retries_total: ['queue'],
  portage_job_failures_total: ['queue', 'code'],
  portage_import_processes: ['supplier', 'status'],
  portage_database_pool_connections: ['state'],
  portage_stuck_processes: [],
};

/** What Prometheus itself says of each target, and the labels that it gives to everything it reads there. */
const OF_PROMETHEUS = { up: [] as string[] };
export const TARGET_LABELS = ['job', 'instance', 'pod'];

/** The names and labels of everything that API and worker expose, as a query may use them. */
export function exposedMetrics(): Map<string, readonly string[]> {
  const exposed = new Map<string, readonly string[]>(Object.entries(OF_PROMETHEUS));
  for (const metric of new Metrics().registry.getMetricsAsArray()) {
    const { name, labelNames = [] } = metric as typeof metric & { labelNames?: string[] };
    if (metric instanceof Histogram) {
      exposed.set(`${name}_bucket`, [...labelNames, 'le']);
      exposed.set(`${name}_sum`, labelNames);
      exposed.set(`${name}_count`, labelNames);
    } else exposed.set(name, labelNames);
  }
  return exposed;
}
