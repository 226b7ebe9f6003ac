import { readFileSync } from 'node:fs';
import { EnvError, makeValidator } from 'envalid';
import { decodePart, requireKnownParameters } from './url-parts';

/** A server, a Sentinel, or a node of a cluster. */
export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** Name and password of a user. The default user of Redis has no name. */
export interface RedisLogin {
  readonly username: string | undefined;
  readonly password: string;
}

/** PEM texts for TLS. Without `ca` the authorities of Node decide. `cert` and `key` are the client's own. */
export interface RedisTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** What all forms of REDIS_URL have. */
interface RedisAddressBase {
  /** At least one. */
  readonly hosts: readonly RedisHost[];
  readonly login: RedisLogin | undefined;
  /** Undefined without TLS. */
  readonly tls: RedisTls | undefined;
}

/** The parsed REDIS_URL. */
export type RedisAddress =
  | (RedisAddressBase & { readonly kind: 'server'; readonly database: number })
  | (RedisAddressBase & {
      /** The hosts are Sentinels, which know the current primary. */
      readonly kind: 'sentinel';
      readonly primary: string;
      readonly database: number;
      readonly sentinelLogin: RedisLogin | undefined;
    })
  /** The hosts are some nodes, from which the others are learned. */
  | (RedisAddressBase & { readonly kind: 'cluster' });

const FORMS =
  'must be a URL that starts with redis:// or rediss://, such as redis://user:password@host:6379/0, redis+sentinel://host:26379,host:26379/primary-name/0 or redis+cluster://host:6379,host:6379';
const URL_PARTS =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/?#]*)@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/;
const HOST = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?<port>\d{1,5}))?$/i;
const DEFAULT_PORTS = { server: 6379, sentinel: 26379, cluster: 6379 } as const;
const TLS_PARAMETERS = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
const SENTINEL_PARAMETERS = ['sentinel_username', 'sentinel_password'];

export const redisUrl = makeValidator<RedisAddress>((text) => {
  const parts = URL_PARTS.exec(text)?.groups;
  if (!parts) throw new EnvError(FORMS);
  const kind = (parts['kind'] ?? 'server') as RedisAddress['kind'];
  const hosts = (parts['hosts'] ?? '').split(',').map((host) => parseHost(host, DEFAULT_PORTS[kind]));
  const url = new URL(`redis://parameters/${parts['query'] ?? ''}`);
  requireKnownParameters(url, [
    ...Object.keys(TLS_PARAMETERS),
    ...(kind === 'sentinel' ? SENTINEL_PARAMETERS : []),
  ]);
  const base = { hosts, login: parseLogin(parts['login']), tls: parseTls(parts['scheme'] === 'rediss', url) };
  const path = (parts['path'] ?? '').replace(/^\//, '').split('/');
  switch (kind) {
    case 'server':
      if (hosts.length > 1)
        throw new EnvError('must have one host, or start with redis+sentinel:// or redis+cluster://');
      return { kind, ...base, database: parseDatabase(path) };
    case 'sentinel': {
      const [primary, ...rest] = path;
      if (!primary)
        throw new EnvError('must name the primary that the Sentinels watch: redis+sentinel://host/mymaster');
      const { searchParams } = url;
      const password = searchParams.get('sentinel_password');
      const username = searchParams.get('sentinel_username') ?? undefined;
      if (username !== undefined && password === null)
        throw new EnvError('must have a sentinel_password beside sentinel_username');
      const sentinelLogin = password === null ? undefined : { username, password };
      return { kind, ...base, primary: decodeName(primary), database: parseDatabase(rest), sentinelLogin };
    }
    case 'cluster':
      if (path.join('') !== '') throw new EnvError('must name no database: a cluster has only one');
      return { kind, ...base };
  }
});

function parseHost(text: string, defaultPort: number): RedisHost {
  const { host, port } = HOST.exec(text)?.groups ?? {};
  const number = Number(port ?? defaultPort);
  if (host === undefined || number < 1 || number > 65_535) throw new EnvError(FORMS);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: number };
}

function parseLogin(text: string | undefined): RedisLogin | undefined {
  if (!text) return undefined;
  const [username = '', password = '', ...rest] = text.split(':');
  if (password === '' || rest.length > 0)
    throw new EnvError('must have user:password@ or :password@ before the host, percent-encoded');
  return { username: username === '' ? undefined : decodeName(username), password: decodeName(password) };
}

function parseDatabase([text = '', ...rest]: readonly string[]): number {
  if (!/^\d{0,5}$/.test(text) || rest.length > 0) throw new EnvError(FORMS);
  return Number(text);
}

/** The files are read here, so that a wrong path stops the program at its start. */
function parseTls(hasTls: boolean, { searchParams }: URL): RedisTls | undefined {
  if (!hasTls) {
    if (Object.keys(TLS_PARAMETERS).some((name) => searchParams.has(name)))
      throw new EnvError('must start with rediss to have certificates');
    return undefined;
  }
  if (searchParams.has('sslcert') !== searchParams.has('sslkey'))
    throw new EnvError('must have sslcert and sslkey together');
  return Object.fromEntries(
    Object.entries(TLS_PARAMETERS).flatMap(([parameter, option]) => {
      const file = searchParams.get(parameter);
      return file === null ? [] : [[option, readPem(parameter, file)]];
    }),
  );
}

function readPem(parameter: string, file: string): string {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // Refused below: the message of the error has the path.
  }
  if (!/-----BEGIN [A-Z ]+-----/.test(text))
    throw new EnvError(`must name as ${parameter} a readable file in PEM format`);
  return text;
}

function decodeName(text: string): string {
  return decodePart(text, 'names and passwords');
}
