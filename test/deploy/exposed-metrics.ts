import { VendorMetrics } from '@portage/accounts';
import { FeedMetrics, WebhookMetrics } from '@portage/events';
import { ImportMetrics } from '@portage/imports';
import { AttentionMetrics } from '@portage/operators';
import { Metrics } from '@portage/platform';
import { TokenMetrics } from '@portage/tenants';
import { Histogram } from 'prom-client';
import { ConnectionGauge } from '../../libs/platform/src/database/connection/connection-gauge';

/** The metric that Prometheus adds for each target, and the labels that it adds to every metric. */
const PROMETHEUS_METRICS = { up: [] as string[] };
export const TARGET_LABELS = ['job', 'instance', 'pod'];

/** The names and labels of all metrics that API and worker expose, as queries use them. */
export function exposedMetrics(): Map<string, readonly string[]> {
  const exposed = new Map<string, readonly string[]>(Object.entries(PROMETHEUS_METRICS));
  const metrics = new Metrics();
  for (const OfSubject of [
    TokenMetrics,
    VendorMetrics,
    ImportMetrics,
    FeedMetrics,
    WebhookMetrics,
    AttentionMetrics,
  ])
    new OfSubject(metrics);
  new ConnectionGauge(undefined as never, metrics);
  for (const metric of metrics.registry.getMetricsAsArray()) {
    const { name, labelNames = [] } = metric as typeof metric & { labelNames?: string[] };
    if (metric instanceof Histogram) {
      exposed.set(`${name}_bucket`, [...labelNames, 'le']);
      exposed.set(`${name}_sum`, labelNames);
      exposed.set(`${name}_count`, labelNames);
    } else exposed.set(name, labelNames);
  }
  return exposed;
}
