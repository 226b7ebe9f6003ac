import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Identifies the code of all field checks and rules: a hash of this library as it was loaded, of the manifest with the
 * exact versions of its packages, and of the versions of Node and its time zones. Programs of different releases never
 * have the same version.
 */
export const RULES_VERSION = hashRules();

function hashRules(): string {
  const hash = createHash('sha256');
  for (const file of filesOf(__dirname))
    hash.update(`${file.slice(__dirname.length)}\0`).update(readFileSync(file));
  const { node, icu, tz } = process.versions;
  hash.update(readFileSync(manifest())).update(JSON.stringify([node, icu, tz]));
  return hash.digest('hex');
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** The nearest package.json above this file. It names each package with one version. */
function manifest(): string {
  for (let directory = __dirname; ; directory = dirname(directory)) {
    const file = join(directory, 'package.json');
    if (existsSync(file)) return file;
    if (directory === dirname(directory)) throw new Error('The release has no package.json.');
  }
}
