import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Attack } from './attacks';
import type { Tenant } from './tenant';

/** A request of an attack. `{n}` becomes a number that is different each time. */
export interface FloodRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** Lines of an upload, sent as they are, instead of `body`. */
  lines?: { bytes: Buffer; isCompressed?: boolean; isSlow?: boolean };
}

const PROGRAM = join(__dirname, 'flood-program.mjs');

/** Requests that a supplier sends over many connections without a pause, from a process of its own. */
export class Flood {
  private output = '';
  /** A program that has sent its last request ends before it is stopped. */
  private readonly ended: Promise<unknown>;

  private constructor(private readonly process: ChildProcess) {
    this.ended = once(process, 'close');
    process.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  static async start(
    attacker: Tenant,
    { connections, maxRequests }: Pick<Attack, 'connections' | 'maxRequests'>,
    requests: readonly FloodRequest[],
  ): Promise<Flood> {
    const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    const flood = new Flood(child);
    child.stdin.end(
      JSON.stringify({
        baseUrl: attacker.baseUrl,
        token: attacker.token,
        connections,
        maxRequests,
        requests: requests.map(({ body, lines, ...request }) => ({
          ...request,
          body: JSON.stringify(body),
          lines: lines && { ...lines, bytes: lines.bytes.toString('base64') },
        })),
      }),
    );
    await once(child.stdout, 'data');
    return flood;
  }

  /** @returns the number of answers by status */
  async stop(): Promise<Record<string, number>> {
    this.process.kill('SIGTERM');
    await this.ended;
    return JSON.parse(this.output.trim().split('\n').at(-1)!) as Record<string, number>;
  }
}
