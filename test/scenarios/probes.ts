import type { Installation } from '@portage/testing/installation';
import type { ServiceProcess } from '@portage/local-environment';
import type { Call, Clients } from '@portage/testing/promises';

const INTERVAL_MS = 500;
const TIMEOUT_MS = 30_000;
/** A program that takes longer does not answer well. */
const SLOW_MS = 5_000;
const MAX_LISTED = 15;

/** Asks each program at short intervals whether it answers: APIs for an account, workers for their readiness. */
export class Probes {
  private readonly calls: Call[] = [];
  private readonly running = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly installation: Installation,
    private readonly clients: Clients,
    private readonly account: string,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      for (const program of this.installation.programs) {
        const probe = this.probe(program).finally(() => this.running.delete(probe));
        this.running.add(probe);
      }
    }, INTERVAL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.running);
  }

  /**
   * The time from the fault to the end of the last slow or failed call that began before the heal, of the worst program and
   * by program, with the calls that ended last. The calls of the clients count too.
   */
  settle(
    faultAt: number,
    healedAt: number,
  ): { afterMs: number; byProgram: Record<string, number>; last: string[] } {
    const bad = [...this.clients.calls, ...this.calls].filter(
      ({ status, startedAt, endedAt }) =>
        endedAt > faultAt &&
        startedAt < healedAt &&
        (status === 0 || status >= 500 || endedAt - Math.max(startedAt, faultAt) > SLOW_MS),
    );
    const times = this.installation.programs.map(({ name }) => {
      const ends = bad.filter(({ instance }) => instance === name).map(({ endedAt }) => endedAt - faultAt);
      return [name, Math.max(0, ...ends)] as const;
    });
    return {
      afterMs: Math.max(...times.map(([, time]) => time)),
      byProgram: Object.fromEntries(times),
      last: bad
        .toSorted((one, other) => other.endedAt - one.endedAt)
        .slice(0, MAX_LISTED)
        .map((call) => describe(call, faultAt)),
    };
  }

  private async probe(program: ServiceProcess): Promise<void> {
    const request = program.name.startsWith('api')
      ? this.clients.statusOf(this.account)
      : ({ operation: 'list', method: 'GET', path: '/health/ready' } as const);
    this.calls.push(await this.clients.probe(program, this.account, request, TIMEOUT_MS));
  }
}

function describe(
  { operation, instance, account, status, startedAt, endedAt }: Call,
  faultAt: number,
): string {
  const at = (time: number) => ((time - faultAt) / 1_000).toFixed(1);
  return `${operation} ${account} at ${instance}: ${status}, ${at(startedAt)} to ${at(endedAt)} s`;
}
