import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '@portage/local-environment';
import { until } from '../until';
import { createCertificates } from './certificates';
import { Guard } from './guard';

/** How the servers that store the queues are run. */
export type RedisTopology = 'single' | 'tls' | 'sentinel' | 'cluster';

/** Options of {@link RedisServers.start}. */
export interface RedisNeeds {
  /** Default: one server. */
  topology?: RedisTopology;
  /** The server program, such as `redis-server`. Default: the one on the PATH. */
  program?: string | undefined;
  /** `small` has a single server without a replica, for suites that take nothing away. Default: `complete`. */
  size?: 'small' | 'complete';
}

interface RedisNode {
  port: number;
  args: readonly string[];
  process: ChildProcess;
  client: Redis;
}

/** The logical databases of each server. */
export const REDIS_DATABASES = 128;

/** The hash tag of all queues (CLUSTER_PREFIX in libs/platform/src/queues). */
const HASH_TAG = '{portage}';
const PRIMARY = 'portage';
const START_TIMEOUT_MS = 20_000;
const SLOTS = 16_384;
/** Time after which Sentinels and nodes treat a silent server as lost. In production it is 15 to 30 s by default. */
const DOWN_AFTER_MS = 3_000;

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

/**
 * Redis servers of their own on free ports: one, one with TLS, one that Sentinels watch, or a cluster. Each has an
 * append-only file with fsync every second. Certificates are made by openssl.
 */
export class RedisServers {
  /** REDIS_URL of these servers. */
  url = '';
  private readonly nodes: RedisNode[] = [];

  private readonly guard: Guard;

  private constructor(
    private readonly program: string,
    private readonly directory: string,
  ) {
    this.guard = new Guard(directory);
  }

  /** @returns undefined if there is no server program */
  static async start({
    topology = 'single',
    program = findRedisProgram(),
    size = 'complete',
  }: RedisNeeds = {}): Promise<RedisServers | undefined> {
    if (program === undefined) return undefined;
    const servers = new RedisServers(program, mkdtempSync(join(tmpdir(), 'portage-redis-')));
    const count = size === 'small' ? 1 : 3;
    try {
      if (topology === 'single') servers.url = `redis://127.0.0.1:${(await servers.launchServer()).port}`;
      else if (topology === 'tls') await servers.startWithTls();
      else if (topology === 'sentinel') await servers.startSentinels(count);
      else await servers.startCluster(count);
      return servers;
    } catch (error) {
      servers.stop();
      throw error;
    }
  }

  /** The connection of the test itself to the first server. */
  get client(): Redis {
    return this.nodes[0]!.client;
  }

  /** Process id of the first server. */
  get pid(): number {
    return this.nodes[0]!.process.pid!;
  }

  /** Kills the server that stores the queues. @returns the number of its connections */
  async killPrimary(): Promise<number> {
    const primary = await this.findPrimary();
    const connections = await countClients(primary);
    const exited = once(primary.process, 'exit');
    primary.process.kill('SIGKILL');
    await exited;
    return connections;
  }

  /**
   * Suspends the server that stores the queues: its connections stay open and carry nothing.
   *
   * @returns the number of its connections
   */
  async suspendPrimary(): Promise<number> {
    const primary = await this.findPrimary();
    const connections = await countClients(primary);
    primary.process.kill('SIGSTOP');
    return connections;
  }

  /** Resumes a suspended server. */
  resume(): void {
    for (const { process } of this.nodes) process.kill('SIGCONT');
  }

  /** Starts killed servers again, with their addresses and the data of their append-only files. */
  async restart(): Promise<void> {
    for (const node of this.nodes) {
      if (node.process.exitCode === null && node.process.signalCode === null) continue;
      node.process = this.spawn(node.args);
      await this.untilReady(node);
    }
  }

  stop(): void {
    for (const { process, client } of this.nodes) {
      client.disconnect();
      process.kill('SIGKILL');
    }
    void this.guard.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async startWithTls(): Promise<void> {
    const { authority, certificate, key } = createCertificates(this.directory, 'IP:127.0.0.1');
    const tls = [
      '--tls-cert-file',
      certificate,
      '--tls-key-file',
      key,
      '--tls-ca-cert-file',
      authority,
      '--tls-auth-clients',
      'no',
      '--requirepass',
      'a secret/of redis',
    ];
    const port = await freePort();
    await this.launch(port, ['--port', '0', '--tls-port', String(port), ...tls], {
      tls: { rejectUnauthorized: false },
      password: 'a secret/of redis',
    });
    this.url = `rediss://:${encodeURIComponent('a secret/of redis')}@127.0.0.1:${port}/2?sslrootcert=${authority}`;
  }

  private async startSentinels(count: number): Promise<void> {
    const primary = await this.launchServer();
    if (count > 1) {
      const replica = await this.launchServer('--replicaof', '127.0.0.1', String(primary.port));
      await untilInfo(replica, 'replication', 'master_link_status:up');
    }
    const ports: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const port = await freePort();
      const file = join(this.directory, `sentinel-${port}.conf`);
      writeFileSync(
        file,
        [
          `port ${port}`,
          'bind 127.0.0.1',
          `dir ${this.directory}`,
          `sentinel monitor ${PRIMARY} 127.0.0.1 ${primary.port} ${Math.ceil((count + 1) / 2)}`,
          `sentinel down-after-milliseconds ${PRIMARY} ${DOWN_AFTER_MS}`,
          `sentinel failover-timeout ${PRIMARY} 10000`,
        ].join('\n'),
      );
      await this.launch(port, [file, '--sentinel']);
      ports.push(port);
    }
    this.url = `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${PRIMARY}/1`;
    // Each has to know the others, and the replica, before it can fail over.
    for (const sentinel of this.nodes.slice(-count))
      if (count > 1) await untilInfo(sentinel, 'sentinel', `slaves=1,sentinels=${count}`);
  }

  private async startCluster(primaries: number): Promise<void> {
    const count = primaries === 1 ? 1 : 2 * primaries;
    for (let index = 0; index < count; index += 1) {
      const bus = String(await freePort());
      const file = join(this.directory, `nodes-${bus}.conf`);
      await this.launchServer(
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        bus,
        '--cluster-config-file',
        file,
        '--cluster-announce-ip',
        '127.0.0.1',
        '--cluster-node-timeout',
        String(DOWN_AFTER_MS),
      );
      const client = this.nodes[index]!.client;
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
      if (index < primaries) {
        const first = Math.floor((index * SLOTS) / primaries);
        const last = Math.floor(((index + 1) * SLOTS) / primaries) - 1;
        await client.call('CLUSTER', 'ADDSLOTSRANGE', String(first), String(last));
      }
      const [seed] = this.nodes;
      if (index > 0)
        await seed!.client.call('CLUSTER', 'MEET', '127.0.0.1', String(this.nodes[index]!.port), bus);
    }
    for (const node of this.nodes) await untilClusterInfo(node, `cluster_known_nodes:${count}`);
    for (const [index, { client }] of this.nodes.slice(primaries).entries())
      await client.call(
        'CLUSTER',
        'REPLICATE',
        String(await this.nodes[index]!.client.call('CLUSTER', 'MYID')),
      );
    for (const node of this.nodes) await untilClusterInfo(node, 'cluster_state:ok');
    for (const node of this.nodes.slice(primaries))
      await untilInfo(node, 'replication', 'master_link_status:up');
    const seeds = this.nodes.slice(0, 2).map(({ port }) => `127.0.0.1:${port}`);
    this.url = `redis+cluster://${seeds.join(',')}`;
  }

  private async launchServer(...args: string[]): Promise<RedisNode> {
    const port = await freePort();
    return this.launch(port, ['--port', String(port), ...args]);
  }

  private async launch(port: number, given: string[], connection: object = {}): Promise<RedisNode> {
    const isSentinel = given.includes('--sentinel');
    const stored = [
      '--bind',
      '127.0.0.1',
      '--dir',
      this.directory,
      '--save',
      '',
      '--maxmemory-policy',
      'noeviction',
      '--appendonly',
      'yes',
      '--appendfsync',
      'everysec',
      '--appenddirname',
      `appended-${port}`,
      '--dbfilename',
      `${port}.rdb`,
      '--repl-diskless-sync-delay',
      '0',
      '--databases',
      String(REDIS_DATABASES),
    ];
    const args = [...given, ...(isSentinel ? [] : stored)];
    const client = new Redis({
      host: '127.0.0.1',
      port,
      retryStrategy: () => 100,
      lazyConnect: true,
      ...connection,
    });
    client.on('error', () => undefined);
    const node: RedisNode = { port, args, process: this.spawn(args), client };
    this.nodes.push(node);
    await this.untilReady(node);
    return node;
  }

  private spawn(args: readonly string[]): ChildProcess {
    const server = spawn(this.program, args, { stdio: 'ignore' });
    if (server.pid !== undefined) this.guard.add(server.pid);
    return server;
  }

  private async untilReady({ client, port }: RedisNode): Promise<void> {
    await until(
      async () => (await client.ping().catch(() => '')) === 'PONG',
      () => `${this.program} did not start on port ${port}`,
      START_TIMEOUT_MS,
    );
  }

  /** The running primary that stores the queues. */
  private async findPrimary(): Promise<RedisNode> {
    for (const node of this.nodes) {
      if (node.process.exitCode !== null || node.process.signalCode !== null) continue;
      const [role] = (await node.client.call('ROLE')) as [string];
      if (role !== 'master') continue;
      if (!this.url.startsWith('redis+cluster:')) return node;
      const slot = (await node.client.call('CLUSTER', 'KEYSLOT', `${HASH_TAG}:x`)) as number;
      const ranges = (await node.client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
      const [, , [, port]] = ranges.find(([first, last]) => first <= slot && slot <= last)!;
      if (port === node.port) return node;
    }
    throw new Error('No primary was found.');
  }
}

async function countClients({ client }: RedisNode): Promise<number> {
  const list = (await client.call('CLIENT', 'LIST', 'TYPE', 'normal')) as string;
  // One of them is the test's own.
  return list.trim().split('\n').length - 1;
}

async function untilInfo({ client, port }: RedisNode, section: string, wanted: string): Promise<void> {
  let info = '';
  await until(
    async () => (info = await client.info(section)).includes(wanted),
    () => `port ${port} has not reached ${wanted}: ${info}`,
    START_TIMEOUT_MS,
  );
}

async function untilClusterInfo({ client, port }: RedisNode, wanted: string): Promise<void> {
  let info = '';
  await until(
    async () => (info = (await client.call('CLUSTER', 'INFO')) as string).includes(wanted),
    () => `port ${port} has not reached ${wanted}: ${info}`,
    START_TIMEOUT_MS,
  );
}
