import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type TestPortage, until } from '@portage/testing';

interface Instance {
  baseUrl: string;
}

/** How often instances are asked whether they are ready; an orchestrator asks every few seconds. */
const PROBE_MS = 100;

/** What stands in front of several instances: sends each request to the next one that was ready when last asked. */
export class LoadBalancer {
  private ready: Instance[] = [];
  private next = 0;
  private isOpen = true;
  /** Sent to each instance, by its address. */
  readonly sent = new Map<string, number>();

  constructor(
    private readonly portage: TestPortage,
    private readonly instances: Set<Instance>,
  ) {}

  async open(): Promise<void> {
    await this.probe();
    void this.goOnProbing();
  }

  close(): void {
    this.isOpen = false;
  }

  /** Waits until a probe has found the instance ready. */
  async sees(instance: Instance): Promise<void> {
    await until(
      () => this.ready.includes(instance),
      60_000,
      () => `${instance.baseUrl} was not ready`,
    );
  }

  async post(path: string, body: unknown): Promise<Answer> {
    const instance = this.ready[this.next++ % this.ready.length];
    if (!instance) throw new Error('No instance is ready.');
    this.sent.set(instance.baseUrl, (this.sent.get(instance.baseUrl) ?? 0) + 1);
    return this.portage.send('POST', path, { body, baseUrl: instance.baseUrl });
  }

  private async goOnProbing(): Promise<void> {
    while (this.isOpen) {
      await sleep(PROBE_MS);
      await this.probe();
    }
  }

  private async probe(): Promise<void> {
    const found = await Promise.all(
      [...this.instances].map(async (instance) => {
        const answer = await fetch(`${instance.baseUrl}/health/ready`).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        return answer?.ok ? [instance] : [];
      }),
    );
    this.ready = found.flat();
  }
}
