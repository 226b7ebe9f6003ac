import { readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The file that `npm start` writes while it runs, so that the command line uses the same database. */
export interface EmbeddedDatabase {
  databaseUrl: string;
  /** The same database as the role that owns the tables. */
  migrationDatabaseUrl: string;
  /** The process that runs the server. */
  pid: number;
}

const fileOf = (directory: string) => join(directory, 'embedded-database.json');

/** Finds the embedded database of a running `npm start`. */
export function runningEmbeddedDatabase(directory: string): EmbeddedDatabase | undefined {
  try {
    const database = JSON.parse(readFileSync(fileOf(directory), 'utf8')) as EmbeddedDatabase;
    process.kill(database.pid, 0);
    return database;
  } catch {
    return undefined;
  }
}

/** Publishes the embedded database to other processes that use the same directory. */
export function announceEmbeddedDatabase(directory: string, database: EmbeddedDatabase): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(fileOf(directory), JSON.stringify(database), { mode: 0o600 });
}

/** Reverts {@link announceEmbeddedDatabase}. */
export function withdrawEmbeddedDatabase(directory: string): void {
  rmSync(fileOf(directory), { force: true });
}
