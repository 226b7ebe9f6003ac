import { readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm start` writes down while it runs, so that the command line finds the same database. */
export interface EmbeddedDatabase {
  databaseUrl: string;
  /** The process that runs the server. */
  pid: number;
}

const fileIn = (directory: string) => join(directory, 'embedded-database.json');

/** The embedded database that is running now, if there is one. */
export function runningEmbeddedDatabase(directory: string): EmbeddedDatabase | undefined {
  try {
    const found = JSON.parse(readFileSync(fileIn(directory), 'utf8')) as EmbeddedDatabase;
    process.kill(found.pid, 0);
    return found;
  } catch {
    return undefined;
  }
}

export function announceEmbeddedDatabase(directory: string, database: EmbeddedDatabase): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(fileIn(directory), JSON.stringify(database), { mode: 0o600 });
}

export function withdrawEmbeddedDatabase(directory: string): void {
  rmSync(fileIn(directory), { force: true });
}
