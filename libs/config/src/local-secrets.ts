import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A secret for a developer's machine: made once, kept in `<directory>/<name>`, readable by its owner only.
 * Two processes that ask at once get the same one.
 */
export function localSecret(directory: string, name: string): string {
  const path = join(directory, name);
  const kept = read(path);
  if (kept) return kept;
  mkdirSync(directory, { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
  try {
    // A link fails where the file already exists, so the first writer wins and nobody reads half a secret.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
