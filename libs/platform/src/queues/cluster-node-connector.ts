import { createConnection } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisHost } from '../config/redis-url';

/** A node that has not told the slots of the cluster by then is passed over for the next one. */
const NODE_TIMEOUT_MS = 2_000;

/**
 * The connector of ioredis that leads to the node of a cluster that stores a key, as the one for Sentinels leads to the
 * primary. It asks one node after the other; those that the latest answer names are asked too, so the nodes of the URL may go.
 *
 * BullMQ with the cluster client of ioredis lost workers in fail-overs: both reset the connection on which a worker
 * waits, and then wait for each other.
 */
export function clusterNodeConnector(
  { hosts, login, tls }: Pick<RedisAddress, 'hosts' | 'login' | 'tls'>,
  key: string,
): NonNullable<RedisOptions['Connector']> {
  /** Nodes of the latest answer that are not named in the URL. */
  let learned: readonly RedisHost[] = [];
  let first = 0;

  return class ClusterNodeConnector extends AbstractConnector {
    constructor() {
      super(NODE_TIMEOUT_MS);
    }

    async connect(): ReturnType<AbstractConnector['connect']> {
      this.connecting = true;
      const node = await findNode();
      // disconnect() was called meanwhile.
      if (!this.isConnecting()) throw new Error('The connection was closed while its node was looked for.');
      this.stream = tls ? connectTls({ ...node, ...tls }) : createConnection(node);
      this.stream.once('error', (error: Error) => {
        this.firstError = error;
      });
      return this.stream;
    }

    private isConnecting(): boolean {
      return this.connecting;
    }
  };

  /** @throws the error of the node that was asked last */
  async function findNode(): Promise<RedisHost> {
    let failure: unknown = new Error('No node of the cluster stores the queues.');
    const candidates = [...hosts, ...learned];
    // A node that is cut off from the others may tell what was true before, so another is asked first each time.
    first = (first + 1) % candidates.length;
    for (const candidate of [...candidates.slice(first), ...candidates.slice(0, first)]) {
      try {
        const found = await ask(candidate);
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
      const named = new Set(hosts.map(nameOf));
      learned = ranges
        .flatMap(([, , ...nodes]) => nodes.map(([name, port]) => toHost(name, port)))
        .filter((node) => !named.has(nameOf(node)));
      const [, , primary] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? [];
      return primary && toHost(primary[0], primary[1]);
    } finally {
      client.disconnect();
    }
  }
}

function nameOf({ host, port }: RedisHost): string {
  return `${host}:${port}`;
}
