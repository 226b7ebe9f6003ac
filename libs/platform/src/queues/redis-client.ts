import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisLogin } from '../config/redis-url';
import { KEEP_ALIVE } from '../connections/session-limits';
import { clusterNodeConnector } from './cluster-node-connector';

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

/** What a server answers that is not, or not yet, the one that stores the queues. */
const WRONG_SERVER = /\b(?:READONLY|MOVED|ASK|CLUSTERDOWN)\b/;

/** Who uses a connection: requests, whose commands fail at once while Redis is away, or a worker, whose commands wait. */
export type RedisUser = 'request' | 'worker';

/**
 * Opens a connection to the server that stores the queues: the named one, the primary of Sentinels, or the node of a
 * cluster that has the slot of {@link CLUSTER_PREFIX}. It reconnects by itself for as long as it is not disconnected, and
 * looks for the server each time. Errors are its `error` events.
 */
export function connectRedis(address: RedisAddress, user: RedisUser): Redis {
  const options: RedisOptions = {
    ...loginOf(address.login),
    ...(address.tls && { tls: { ...address.tls } }),
    maxRetriesPerRequest: null,
    enableOfflineQueue: user === 'worker',
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: REDIS_SILENCE_MS,
    keepAlive: KEEP_ALIVE.keepAliveInitialDelayMillis,
    retryStrategy: () => RECONNECT_MS,
    reconnectOnError: leaveWrongServer,
  };
  switch (address.kind) {
    case 'server':
      return new WatchedRedis({ ...options, ...address.hosts[0], db: address.database });
    case 'cluster':
      return new WatchedRedis({ ...options, Connector: clusterNodeConnector(address, CLUSTER_PREFIX) });
    case 'sentinel': {
      const { username, password } = address.sentinelLogin ?? {};
      return new WatchedRedis({
        ...options,
        db: address.database,
        sentinels: [...address.hosts],
        name: address.primary,
        sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
        sentinelRetryStrategy: () => RECONNECT_MS,
        ...(username !== undefined && { sentinelUsername: username }),
        ...(password !== undefined && { sentinelPassword: password }),
        ...(address.tls && { enableTLSForSentinelMode: true, sentinelTLS: { ...address.tls } }),
      });
    }
  }
}

/** The maxmemory-policy by which the server evicts keys when its memory is full; undefined if it evicts none. */
export async function findEviction(client: Redis): Promise<string | undefined> {
  const policy = /^maxmemory_policy:(.*?)\r?$/m.exec(await client.info('memory'))?.[1];
  return policy === 'noeviction' ? undefined : policy;
}

function loginOf(login: RedisLogin | undefined): Pick<RedisOptions, 'username' | 'password'> {
  if (!login) return {};
  return { password: login.password, ...(login.username !== undefined && { username: login.username }) };
}

/**
 * After a fail-over a connection may lead to a server that is a replica now, which refuses to write.
 *
 * @returns 2 to reconnect, to the right server, and to send the command again
 */
function leaveWrongServer({ message }: Error): false | 2 {
  return WRONG_SERVER.test(message) ? 2 : false;
}

/** The timer of ioredis that its types leave out. */
interface SocketTimeout {
  socketTimeoutTimer: NodeJS.Timeout | undefined;
}

/** A connection from which BullMQ makes the one on which a worker waits for jobs. */
class WatchedRedis extends Redis {
  constructor(options: RedisOptions) {
    super(options);
    // ioredis leaves the timer of `socketTimeout` to itself. It would close the next connection, or keep a process that
    // has disconnected from ending.
    this.on('close', () => {
      const state = this as unknown as SocketTimeout;
      clearTimeout(state.socketTimeoutTimer);
      state.socketTimeoutTimer = undefined;
    });
  }

  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    return new WatchedRedis({ ...this.options, ...override, socketTimeout: REDIS_BLOCKING_SILENCE_MS });
  }
}
