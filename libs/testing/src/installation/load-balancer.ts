import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../answer';
import type { ServiceProcess } from '../local-environment';
import { until } from '../until';
import type { ReadableService } from './clients';
import type { Installation } from './installation';

const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 180_000;

/** The API instances of an installation that the last readiness probe found ready, as a load balancer sees them. */
export class LoadBalancer implements ReadableService {
  /** Instances that get requests. */
  apis: readonly ServiceProcess[] = [];
  private isOpen = true;

  constructor(private readonly installation: Installation) {
    void this.probeRepeatedly();
  }

  get supplier(): string {
    return this.installation.supplier;
  }

  get token(): string {
    return this.installation.token;
  }

  async differencesFromDocument(method: string, path: string, answer: Answer): Promise<string[]> {
    return this.installation.differencesFromDocument(method, path, answer);
  }

  async sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    return this.installation.sql<Row>(text, values);
  }

  /** Waits until a probe has found the instance ready. */
  async untilReady(api: ServiceProcess): Promise<void> {
    await until(
      () => this.apis.includes(api),
      () => `${api.name} was not found ready`,
      READY_TIMEOUT_MS,
    );
  }

  close(): void {
    this.isOpen = false;
  }

  private async probeRepeatedly(): Promise<void> {
    while (this.isOpen) {
      const { apis } = this.installation;
      const probed = [...apis];
      const ready = await Promise.all(probed.map(isReady));
      // As a load balancer does, which sends requests to the last ones if none answers in time.
      if (ready.includes(true)) this.apis = probed.filter((_api, index) => ready[index]);
      await sleep(PROBE_INTERVAL_MS);
    }
  }
}

async function isReady({ baseUrl }: ServiceProcess): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const answer = await fetch(`${baseUrl}/health/ready`, { signal }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok ?? false;
}
