import { setTimeout as sleep } from 'node:timers/promises';
import { sampleAccount } from '../apps/importer/src/sample/sample-book';
import type { Installation } from './environment/installation';
import type { RunningProgram } from './environment/running-program';
import { type Latencies, latencies } from './statistics';

const ORGANISATION = 'Neighbour';
const SUPPLIER = 'NEIGHBOUR';
const SEED = 3;

/** A supplier of another organisation that reads the status of its one account again and again. */
export class OtherTenant {
  /** Pause between two reads. */
  static readonly INTERVAL_MS = 20;

  private constructor(
    private readonly baseUrl: string,
    private readonly token: string,
  ) {}

  static async join(installation: Installation, running: RunningProgram): Promise<OtherTenant> {
    await installation.operator('organisation', 'create', ORGANISATION);
    await installation.operator('supplier', 'create', SUPPLIER, '--organisation', ORGANISATION);
    const issued = await installation.operator('api-key', 'issue', '--organisation', ORGANISATION);
    const token = await running.obtainToken((issued as { api_key: string }).api_key);
    const tenant = new OtherTenant(running.baseUrl, token);
    const account = sampleAccount({ seed: SEED, supplier: SUPPLIER }, 0);
    await tenant.call('POST', '/v2/data-import/accounts/', JSON.stringify(account));
    await installation.allFinished();
    return tenant;
  }

  async readFor(milliseconds: number): Promise<Latencies> {
    return this.readUntil(sleep(milliseconds));
  }

  /** Reads one after another until `end` settles, and at least once. */
  async readUntil(end: Promise<unknown>): Promise<Latencies> {
    let isOver = false;
    const stop = () => {
      isOver = true;
    };
    end.then(stop, stop);
    const measured: number[] = [];
    const number = `${SUPPLIER}-${SEED}-0000000`;
    do {
      const start = performance.now();
      await this.call('GET', `/v2/data-import/accounts/${SUPPLIER}/${number}/`);
      measured.push(performance.now() - start);
      await sleep(OtherTenant.INTERVAL_MS);
    } while (!isOver);
    return latencies(measured);
  }

  /** @throws Error unless the answer is 200 or 201 */
  private async call(method: 'GET' | 'POST', path: string, body?: string): Promise<void> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Token ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  }
}
