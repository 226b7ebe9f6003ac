import { accessSync, constants } from 'node:fs';
import { EnvError, makeValidator } from 'envalid';

/** What a connection needs of its server, in the words of libpq. */
export type TargetSession = 'any' | 'read-write' | 'primary';

/** The servers of one database. */
export interface DatabaseServers {
  /** One URL for each host, in the order in which they are preferred. */
  readonly urls: readonly [string, ...string[]];
  readonly targetSession: TargetSession;
}

const FORM = 'must be a URL that starts with postgres:// or postgresql://';
const URL_PARTS = /^(?<scheme>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>[^]*)$/;
const TARGET = 'target_session_attrs';
const TARGETS: readonly TargetSession[] = ['any', 'read-write', 'primary'];
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/**
 * Reads a URL in the form of libpq, with one or more hosts: `postgres://user:password@one:5432,two:5432/name`. With
 * several hosts, connections go to the one that accepts writes unless `target_session_attrs` says otherwise.
 *
 * @throws EnvError if it has another form. The message contains no part of the URL
 */
export function parseDatabaseUrl(text: string): DatabaseServers {
  const { scheme = '', hosts = '', rest = '' } = URL_PARTS.exec(text)?.groups ?? {};
  const names = hosts.split(',');
  if (names.length > 1 && names.some((name) => name === '' || name.startsWith(':')))
    throw new EnvError('must have a name in front of and behind each comma of its hosts');
  const urls = names.map((name) => scheme + name + rest);
  const [first = ''] = urls;
  if (!urls.every((url) => URL.canParse(url))) throw new EnvError(FORM);
  if (names.length > 1 && new URL(first).searchParams.has('host'))
    throw new EnvError('must name its hosts in one place, not also in the parameter host');
  const targetSession = targetSessionOf(first) ?? (urls.length > 1 ? 'read-write' : 'any');
  return { urls: urls.map(withoutTarget) as [string, ...string[]], targetSession };
}

/** The setting of a database: {@link parseDatabaseUrl} accepts it, and the files of its TLS can be read. */
export const databaseUrl = makeValidator<string>((text) => {
  const { urls } = parseDatabaseUrl(text);
  const { searchParams } = new URL(urls[0]);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new EnvError(`must have one of ${SSL_MODES.join(', ')} as sslmode`);
  for (const parameter of SSL_FILES) {
    const file = searchParams.get(parameter);
    if (file !== null && !isReadable(file))
      throw new EnvError(`must have a file that this program can read as ${parameter}`);
  }
  return text;
});

function targetSessionOf(url: string): TargetSession | undefined {
  const given = new URL(url).searchParams.getAll(TARGET);
  if (given.length === 0) return undefined;
  const found = TARGETS.find((target) => given.length === 1 && given[0] === target);
  // Portage writes, so a standby is of no use to it.
  if (!found) throw new EnvError(`must have one of ${TARGETS.join(', ')} as ${TARGET}, once`);
  return found;
}

/** `pg` passes unknown parameters on. The rest of the text stays as it is. */
function withoutTarget(url: string): string {
  return url.replace(/(?<=[?&])target_session_attrs=[^&]*&?/, '').replace(/[?&]$/, '');
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
