import type { RedisAddress, RedisLogin } from '@portage/config';
import { KEEP_ALIVE } from '@portage/connections';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';

/** A connection to one Redis server, or to the primary that Sentinels name; or those to a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * The prefix of all keys in a cluster. Its hash tag stores all queues on one node: the scripts of BullMQ use several
 * keys, and a cluster allows a script the keys of one slot only.
 */
export const CLUSTER_PREFIX = '{portage}';

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 1_000;
/** Time after which a connection is closed if Redis has answered none of its commands. They are sent again. */
const REDIS_SILENCE_MS = 4_000;
/** The same for the connection on which a worker waits for jobs. BullMQ waits for 10 s at most. */
const REDIS_BLOCKING_SILENCE_MS = 12_000;
/** A Sentinel that has not answered by then is passed over for the next one. */
const SENTINEL_TIMEOUT_MS = 2_000;
/** A node that has not told the slots of the cluster by then is passed over for the next one. */
const SLOTS_TIMEOUT_MS = 2_000;
/** Pause before a command is sent again that has lost its node, and how often it is sent. */
const CLUSTER_REPEAT = {
  /** For a request: gives up after about a second and a half. */
  request: { retryDelayOnFailover: 100, maxRedirections: 16 },
  /** For a worker: outlasts the election of another node. */
  worker: { retryDelayOnFailover: 250, maxRedirections: 80 },
} as const;

/** Who uses a connection: requests, whose commands fail at once while Redis is away, or a worker, whose commands wait. */
export type RedisUser = 'request' | 'worker';

/** Opens a connection that reconnects by itself for as long as it is not disconnected. Errors are its `error` events. */
export function connectRedis(address: RedisAddress, user: RedisUser): RedisClient {
  const enableOfflineQueue = user === 'worker';
  const options: RedisOptions = {
    ...loginOf(address.login),
    ...(address.tls && { tls: { ...address.tls } }),
    maxRetriesPerRequest: null,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: REDIS_SILENCE_MS,
    keepAlive: KEEP_ALIVE.keepAliveInitialDelayMillis,
  };
  if (address.kind === 'cluster')
    return new WatchedCluster([...address.hosts], {
      ...CLUSTER_REPEAT[user],
      enableOfflineQueue,
      clusterRetryStrategy: () => RECONNECT_MS,
      slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
      // Connections need the names of hosts to verify their certificates.
      dnsLookup: (host, callback) => {
        callback(null, host);
      },
      redisOptions: options,
    });
  const single: RedisOptions = {
    ...options,
    enableOfflineQueue,
    db: address.database,
    retryStrategy: () => RECONNECT_MS,
    reconnectOnError: repeatOnPrimary,
  };
  if (address.kind === 'server') return new WatchedRedis({ ...single, ...address.hosts[0] });
  const { username, password } = address.sentinelLogin ?? {};
  return new WatchedRedis({
    ...single,
    sentinels: [...address.hosts],
    name: address.primary,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: () => RECONNECT_MS,
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(address.tls && { enableTLSForSentinelMode: true, sentinelTLS: { ...address.tls } }),
  });
}

/**
 * The servers that evict keys when their memory is full, because their maxmemory-policy is not `noeviction`.
 *
 * @returns the policies
 */
export async function findEviction(client: RedisClient): Promise<string[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  const answers = await Promise.all(servers.map(async (server) => server.info('memory')));
  return answers
    .map((answer) => /^maxmemory_policy:(.*?)\r?$/m.exec(answer)?.[1] ?? 'noeviction')
    .filter((policy) => policy !== 'noeviction');
}

function loginOf(login: RedisLogin | undefined): Pick<RedisOptions, 'username' | 'password'> {
  if (!login) return {};
  return { password: login.password, ...(login.username !== undefined && { username: login.username }) };
}

/**
 * After a fail-over a connection may lead to a server that is a replica now, which refuses to write. The address of the
 * server, or a Sentinel, then leads to the primary.
 *
 * @returns 2 to reconnect and to send the command again
 */
function repeatOnPrimary({ message }: Error): false | 2 {
  return message.includes('READONLY') ? 2 : false;
}

/** A connection of a worker, from which BullMQ makes the one on which it waits for jobs. */
class WatchedRedis extends Redis {
  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    return new Redis({ ...this.options, ...override, socketTimeout: REDIS_BLOCKING_SILENCE_MS });
  }
}

/** The same for a cluster. */
class WatchedCluster extends Cluster {
  override duplicate(
    nodes: Parameters<Cluster['duplicate']>[0] = [],
    override: ClusterOptions = {},
  ): Cluster {
    const redisOptions = { ...this.options.redisOptions, ...override.redisOptions };
    return super.duplicate(nodes, {
      ...override,
      redisOptions: { ...redisOptions, socketTimeout: REDIS_BLOCKING_SILENCE_MS },
    });
  }
}
