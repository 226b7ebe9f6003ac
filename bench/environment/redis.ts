import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@portage/testing/local-environment';
import { Redis } from 'ioredis';

const START_TIMEOUT_MS = 10_000;

/** A dedicated Redis or Valkey server. Confirmed writes are on disk within a second. */
export class RedisServer {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
    readonly version: string,
  ) {}

  /** Returns undefined if neither is installed. */
  static async start(directory: string): Promise<RedisServer | undefined> {
    const installed = findInstalled();
    if (!installed) return undefined;
    mkdirSync(directory, { recursive: true });
    const port = await freePort();
    const settings = {
      port: String(port),
      bind: '127.0.0.1',
      dir: directory,
      save: '',
      appendonly: 'yes',
      appendfsync: 'everysec',
      'maxmemory-policy': 'noeviction',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    // In a new process group, so that Ctrl-C does not reach it directly.
    const server = spawn(installed.program, flags, { stdio: 'ignore', detached: true });
    const url = `redis://127.0.0.1:${port}`;
    const started = new RedisServer(server, url, installed.version);
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
    const client = new Redis(this.url, {
      maxRetriesPerRequest: START_TIMEOUT_MS / 50,
      retryStrategy: () => 50,
    });
    // The command below reports the error.
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
    await Promise.race([exited, sleep(START_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

function findInstalled(): { program: string; version: string } | undefined {
  for (const program of ['redis-server', 'valkey-server']) {
    try {
      const output = execFileSync(program, ['--version'], { encoding: 'utf8' });
      const version = /v=(\S+)/.exec(output)?.[1] ?? '';
      return { program, version: `${program.replace('-server', '')} ${version}` };
    } catch {
      // Try the next program.
    }
  }
  return undefined;
}
