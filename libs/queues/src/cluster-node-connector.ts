import { createConnection } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisAddress, RedisHost } from '@portage/config';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';

/** A node that has not told the slots of the cluster by then is passed over for the next one. */
const NODE_TIMEOUT_MS = 2_000;

/**
 * The connector of ioredis that leads to the node of a cluster that stores a key, as the one for Sentinels leads to the
 * primary. It asks one node after the other; those that it learns of are asked too, so the named ones may go.
 *
 * BullMQ with the cluster client of ioredis lost workers in fail-overs: both reset the connection on which a worker
 * waits, and then wait for each other.
 */
export function clusterNodeConnector(
  { hosts, login, tls }: Pick<RedisAddress, 'hosts' | 'login' | 'tls'>,
  key: string,
): NonNullable<RedisOptions['Connector']> {
  const known = new Map(hosts.map((host) => [nameOf(host), host]));
  let next = 0;

  return class ClusterNodeConnector extends AbstractConnector {
    constructor() {
      super(NODE_TIMEOUT_MS);
    }

    async connect(): ReturnType<AbstractConnector['connect']> {
      this.connecting = true;
      const node = await findNode();
      if (!this.connecting) throw new Error('The connection was closed while its node was looked for.');
      this.stream = tls ? connectTls({ ...node, ...tls }) : createConnection(node);
      this.stream.once('error', (error) => {
        this.firstError = error;
      });
      return this.stream;
    }
  };

  /** @throws the error of the node that was asked last */
  async function findNode(): Promise<RedisHost> {
    let failure: unknown = new Error('No node of the cluster stores the queues.');
    const candidates = [...known.values()];
    for (let asked = 0; asked < candidates.length; asked += 1) {
      // A node that is cut off from the others may tell what was true before, so another is asked each time.
      next = (next + 1) % candidates.length;
      try {
        const found = await ask(candidates[next]!);
        if (found) return found;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async function ask(host: RedisHost): Promise<RedisHost | undefined> {
    const client = new Redis({
      ...host,
      ...(login && { password: login.password }),
      ...(login?.username !== undefined && { username: login.username }),
      ...(tls && { tls: { ...tls } }),
      connectTimeout: NODE_TIMEOUT_MS,
      commandTimeout: NODE_TIMEOUT_MS,
      enableReadyCheck: false,
      retryStrategy: null,
    });
    client.on('error', () => undefined);
    try {
      const [slot, ranges] = await Promise.all([client.cluster('KEYSLOT', key), client.cluster('SLOTS')]);
      // A node that does not know its own address gives none.
      const toHost = (name: string, port: number): RedisHost => ({ host: name || host.host, port });
      for (const [, , ...nodes] of ranges)
        for (const [name, port] of nodes) known.set(nameOf(toHost(name, port)), toHost(name, port));
      const [, , primary] = ranges.find(([first, last]) => first <= slot && slot <= last) ?? [];
      return primary && toHost(primary[0], primary[1]);
    } finally {
      client.disconnect();
    }
  }
}

function nameOf({ host, port }: RedisHost): string {
  return `${host}:${port}`;
}
