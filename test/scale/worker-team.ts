import { METRICS_TOKEN, type OperatorSession, signIn } from '@portage/testing';
import type { FaultEnvironment } from '../faults/fault-environment';

const PROCESSED = /^portage_account_imports_total\{outcome="processed"\} (\d+)$/m;

/** Workers whose queue can be paused until all of them have started. */
export class WorkerTeam {
  private operator: OperatorSession | undefined;

  private constructor(
    private readonly environment: FaultEnvironment,
    private readonly urls: readonly string[],
  ) {}

  /** Stops the running workers of the environment, and starts `size` new ones. */
  static async start(environment: FaultEnvironment, size: number): Promise<WorkerTeam> {
    await environment.restore(0);
    const urls: string[] = [];
    for (let started = 0; started < size; started += 1) {
      await environment.portage.startWorker();
      urls.push(environment.portage.workerUrl);
    }
    return new WorkerTeam(environment, urls);
  }

  async pause(): Promise<void> {
    await this.steer('pause');
  }

  async resume(): Promise<void> {
    await this.steer('resume');
  }

  /** The number of accounts that each worker has created since its start. */
  async shares(): Promise<number[]> {
    return Promise.all(
      this.urls.map(async (url) => {
        const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
        const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
        return Number(PROCESSED.exec(metrics)?.[1] ?? 0);
      }),
    );
  }

  /** Pauses or resumes the queue in Bull Board, as an operator does. */
  private async steer(action: 'pause' | 'resume'): Promise<void> {
    const { portage } = this.environment;
    this.operator ??= await signIn(portage, 'operator');
    const { status, text } = await portage.send('PUT', `/queues/api/queues/account-imports/${action}`, {
      headers: this.operator.headers,
    });
    if (status !== 200) throw new Error(`Bull Board answered ${status} ${text}`);
  }
}
