import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './local-environment';
import { until } from './until';

export const REDIS_DATABASES = 128;

export interface RedisServer {
  url: string;
  port: number;
  process: ChildProcess;
  directory: string;
}

/** The Redis-compatible server on the PATH, if there is one. */
export function findRedisProgram(): string | undefined {
  return ['redis-server', 'valkey-server'].find((name) => {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts a Redis server on a free port; undefined if none is installed. */
export async function startRedis(port?: number): Promise<RedisServer | undefined> {
  const name = findRedisProgram();
  if (!name) return undefined;
  return launch(name, await freePort(port), mkdtempSync(join(tmpdir(), 'portage-redis-')));
}

/** Starts a killed server again, with the same address and the data of its append-only file. */
export async function restartRedis({ port, directory }: RedisServer): Promise<RedisServer> {
  return launch(findRedisProgram() ?? 'redis-server', port, directory);
}

/** Kills the server like a crash. The data stay. */
export async function killRedis(server: RedisServer): Promise<void> {
  const exited = once(server.process, 'exit');
  server.process.kill('SIGKILL');
  await exited;
}

async function launch(name: string, taken: number, directory: string): Promise<RedisServer> {
  const process = spawn(
    name,
    [
      '--port',
      String(taken),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--appendonly',
      'yes',
      '--appendfsync',
      'everysec',
      '--maxmemory-policy',
      'noeviction',
      '--databases',
      String(REDIS_DATABASES),
    ],
    { stdio: 'ignore' },
  );
  await until(
    async () => acceptsConnections(taken),
    10_000,
    () => `${name} did not start`,
  );
  return { url: `redis://127.0.0.1:${taken}`, port: taken, process, directory };
}

export function stopRedis(server: RedisServer): void {
  server.process.kill('SIGKILL');
  rmSync(server.directory, { recursive: true, force: true });
}

async function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
