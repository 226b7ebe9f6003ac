import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type TestPortage, until } from '@portage/testing';

interface Instance {
  baseUrl: string;
}

/** Interval of the readiness probes; an orchestrator probes every few seconds. */
const PROBE_INTERVAL_MS = 100;

/** A round-robin load balancer over the instances that the last readiness probe found ready. */
export class LoadBalancer {
  private ready: Instance[] = [];
  private next = 0;
  private isOpen = true;
  /** The number of requests sent to each instance, by its address. */
  readonly requestCounts = new Map<string, number>();

  constructor(
    private readonly portage: TestPortage,
    private readonly instances: Set<Instance>,
  ) {}

  async open(): Promise<void> {
    await this.probe();
    void this.probeRepeatedly();
  }

  close(): void {
    this.isOpen = false;
  }

  /** Waits until a probe has found the instance ready. */
  async waitUntilReady(instance: Instance): Promise<void> {
    await until(
      () => this.ready.includes(instance),
      60_000,
      () => `${instance.baseUrl} was not ready`,
    );
  }

  async post(path: string, body: unknown): Promise<Answer> {
    const instance = this.ready[this.next++ % this.ready.length];
    if (!instance) throw new Error('No instance is ready.');
    this.requestCounts.set(instance.baseUrl, (this.requestCounts.get(instance.baseUrl) ?? 0) + 1);
    return this.portage.send('POST', path, { body, baseUrl: instance.baseUrl });
  }

  private async probeRepeatedly(): Promise<void> {
    while (this.isOpen) {
      await sleep(PROBE_INTERVAL_MS);
      await this.probe();
    }
  }

  private async probe(): Promise<void> {
    const ready = await Promise.all(
      [...this.instances].map(async (instance) => {
        const answer = await fetch(`${instance.baseUrl}/health/ready`).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        return answer?.ok ? [instance] : [];
      }),
    );
    this.ready = ready.flat();
  }
}
