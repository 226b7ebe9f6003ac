import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type StoredFile, storeFile } from '../http/stored-file';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Formats that are compressed already. */
const COMPRESSED = new Set(['.woff2']);

/**
 * Reads the console that was built to `folder`, by the path of each file below it. The files are few, and a file system is
 * not read for each request.
 *
 * @returns undefined if the console was not built
 * @throws Error for a file whose type is not known, so that a new kind of file is noticed by the build's tests
 */
export function readConsoleFiles(folder: string): ReadonlyMap<string, StoredFile> | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = new Map<string, StoredFile>();
  for (const name of ['index.html', ...readdirSync(join(folder, 'assets')).map((file) => `assets/${file}`)])
    files.set(name, readConsoleFile(join(folder, name)));
  return files;
}

function readConsoleFile(path: string): StoredFile {
  const extension = extname(path);
  const type = TYPES[extension];
  if (type === undefined) throw new Error(`The console has a file of an unknown type: ${path}`);
  return storeFile(type, readFileSync(path), !COMPRESSED.has(extension));
}
