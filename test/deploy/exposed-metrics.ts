import { Metrics } from '@portage/observability';
import { Histogram } from 'prom-client';

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
