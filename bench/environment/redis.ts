import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '@portage/local-environment';

const START_MS = 10_000;

/** A Redis, or its free successor Valkey, of our own: what it has confirmed is on disk within a second. */
export class RedisServer {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    readonly version: string,
  ) {}

  /** Undefined where neither is installed. */
  static async start(directory: string): Promise<RedisServer | undefined> {
    const found = installed();
    if (!found) return undefined;
    mkdirSync(directory, { recursive: true });
    const port = await freePort();
    const settings = {
      ...{ port: String(port), bind: '127.0.0.1', dir: directory, save: '' },
      ...{ appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' },
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    // In a process group of its own, for Ctrl-C is ours to handle.
    const server = spawn(found.program, flags, { stdio: 'ignore', detached: true });
    const url = `redis://127.0.0.1:${port}`;
    const started = new RedisServer(server, url, found.version);
    try {
      await started.empty();
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get pid(): number {
    return this.process.pid ?? NaN;
  }

  async empty(): Promise<void> {
    const client = new Redis(this.url, { maxRetriesPerRequest: START_MS / 50, retryStrategy: () => 50 });
    // What matters is whether the command succeeds.
    client.on('error', () => undefined);
    try {
      await client.flushall();
    } finally {
      client.disconnect();
    }
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await Promise.race([exited, sleep(START_MS, undefined, { ref: false })]);
  }
}

function installed(): { program: string; version: string } | undefined {
  for (const program of ['redis-server', 'valkey-server']) {
    try {
      const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
      const version = /v=(\S+)/.exec(said)?.[1] ?? '';
      return { program, version: `${program.replace('-server', '')} ${version}` };
    } catch {
      // Look for the other one.
    }
  }
  return undefined;
}
