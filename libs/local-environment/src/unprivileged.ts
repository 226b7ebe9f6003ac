import { execFile } from 'node:child_process';
import { accessSync, chownSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How a program that refuses to run as root is started: a prefix of its command line, or another user. */
export interface Unprivileged {
  prefix: string[];
  user: { uid: number; gid: number } | undefined;
}

/** `nobody` has an entry in every password file, which PostgreSQL asks for. */
const NOBODY = 65_534;

/**
 * PostgreSQL does not run as root. Everybody else starts it as himself; root starts it in a user namespace of its
 * own, where he is `nobody` and the files are still his, or where that is not allowed (many containers) as the user
 * `nobody`.
 *
 * @throws Error when only `nobody` is left and cannot reach one of the `directories`; it names the folder
 */
export async function unprivileged(dataDirectory: string, directories: string[]): Promise<Unprivileged> {
  if (process.getuid?.() !== 0) return { prefix: [], user: undefined };
  const owner = statSync(dataDirectory).uid;
  const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
  if (owner === 0 && (await works([...namespace, 'true']))) return { prefix: namespace, user: undefined };
  for (const directory of directories) requireOpenTo(directory);
  chownSync(dataDirectory, NOBODY, NOBODY);
  return { prefix: [], user: { uid: NOBODY, gid: NOBODY } };
}

async function works([command = '', ...rest]: string[]): Promise<boolean> {
  try {
    await run(command, rest, { timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}

function requireOpenTo(directory: string): void {
  accessSync(directory, constants.F_OK);
  for (let path = directory; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0)
      throw new Error(
        `PostgreSQL cannot run as root, and the user nobody cannot enter ${path}. Run as an ordinary user, ` +
          `allow others to enter that folder (chmod o+x), or set DATABASE_URL to a PostgreSQL of your own.`,
      );
  }
}
