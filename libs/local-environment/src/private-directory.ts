import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Others may not even list a directory that holds secrets and personal data. */
const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Creates a directory that only its owner can enter. In a directory that exists, the files and folders become
 * private too, except those of another user, such as the data of a PostgreSQL that runs as `nobody`.
 */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  if (isOwn(lstatSync(directory))) chmodSync(directory, PRIVATE_DIRECTORY);
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry || !isOwn(entry)) continue;
    if (entry.isDirectory()) chmodSync(path, PRIVATE_DIRECTORY);
    else if (entry.isFile()) chmodSync(path, PRIVATE_FILE);
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}
