import { execFile } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);

/** How to start a program that refuses to run as root: with a command prefix, or as another user. */
export interface Unprivileged {
  prefix: string[];
  user: { uid: number; gid: number } | undefined;
}

/** The user `nobody`. PostgreSQL requires a user with an entry in the password file, which `nobody` always has. */
const NOBODY = 65_534;

/**
 * PostgreSQL does not run as root. Any other user starts it directly. Root starts it in a new user namespace, in which
 * root appears as `nobody` and still owns the files. Where user namespaces are not allowed, as in many containers, root
 * starts it as the user `nobody`.
 *
 * @throws Error that names the directory if `nobody` cannot enter one of the `directories`
 */
export async function unprivileged(dataDirectory: string, directories: string[]): Promise<Unprivileged> {
  if (process.getuid?.() !== 0) return { prefix: [], user: undefined };
  const owner = statSync(dataDirectory).uid;
  const namespace = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
  if (owner === 0 && (await succeeds([...namespace, 'true']))) return { prefix: namespace, user: undefined };
  // The directory of Portage is private. `nobody` may pass through it, and still not list it or read its files.
  const parent = dirname(dataDirectory);
  chmodSync(parent, statSync(parent).mode | 0o001);
  for (const directory of directories) requireEntryForOthers(directory);
  chownSync(dataDirectory, NOBODY, NOBODY);
  return { prefix: [], user: { uid: NOBODY, gid: NOBODY } };
}

async function succeeds([command = '', ...rest]: string[]): Promise<boolean> {
  try {
    await execFileAsync(command, rest, { timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
}

function requireEntryForOthers(directory: string): void {
  accessSync(directory, constants.F_OK);
  for (let path = directory; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0)
      throw new Error(
        `PostgreSQL cannot run as root, and the user nobody cannot enter ${path}. Run as an ordinary user, ` +
          `allow others to enter that folder (chmod o+x), or set DATABASE_URL to a PostgreSQL of your own.`,
      );
  }
}
