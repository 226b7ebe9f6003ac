import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../answer';
import { exchange } from '../exchange';
import { until } from '../until';
import type { CalledApi, ReadableService } from './clients';

const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 2_000;
const READY_TIMEOUT_MS = 180_000;

/** The API instances of a service that the last readiness probe found ready, as a load balancer sees them. */
export class LoadBalancer implements ReadableService {
  /** Instances that get requests. */
  apis: readonly CalledApi[] = [];
  private isOpen = true;

  constructor(private readonly service: ReadableService) {
    void this.probeRepeatedly();
  }

  get supplier(): string {
    return this.service.supplier;
  }

  get token(): string {
    return this.service.token;
  }

  async differencesFromDocument(method: string, path: string, answer: Answer): Promise<string[]> {
    return (await this.service.differencesFromDocument?.(method, path, answer)) ?? [];
  }

  async sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    return this.service.sql<Row>(text, values);
  }

  /** Waits until a probe has found the instance ready. */
  async untilReady(api: CalledApi): Promise<void> {
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
      const { apis } = this.service;
      const probed = [...apis];
      const ready = await Promise.all(probed.map(isReady));
      // As a load balancer does, which sends requests to the last ones if none answers in time.
      if (ready.includes(true)) this.apis = probed.filter((_api, index) => ready[index]);
      await sleep(PROBE_INTERVAL_MS);
    }
  }
}

async function isReady({ baseUrl }: CalledApi): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const answer = await exchange('GET', `${baseUrl}/health/ready`, { signal }).catch(() => undefined);
  return answer?.status === 200;
}
