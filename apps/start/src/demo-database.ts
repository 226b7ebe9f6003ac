import { join } from 'node:path';
import {
  announceEmbeddedDatabase,
  localSecret,
  runningEmbeddedDatabase,
  withdrawEmbeddedDatabase,
} from '@portage/config';
import { EmbeddedPostgres } from '@portage/local-environment';
import { printLine, runStep } from './progress';
import { StartError } from './start-error';

const DATABASE = 'portage';
const PREFERRED_PORT = 54_329;

/** The embedded PostgreSQL server of the demo. Its data is stored below the demo's directory. */
export class DemoDatabase {
  private postgres: EmbeddedPostgres | undefined;

  constructor(private readonly directory: string) {}

  /**
   * Starts the server and announces it to the command line.
   *
   * @returns the database's URL
   * @throws StartError if a demo with this directory is running, or the server cannot start
   */
  async start(): Promise<string> {
    const running = runningEmbeddedDatabase(this.directory);
    if (running) throw new StartError(`npm start is running already, as process ${running.pid}.`);
    return runStep('Starting PostgreSQL', async () => this.launch());
  }

  /** Stops the server if it was started. Idempotent. */
  async stop(): Promise<void> {
    const { postgres } = this;
    this.postgres = undefined;
    if (!postgres) return;
    printLine('Stopping the database ...');
    withdrawEmbeddedDatabase(this.directory);
    await postgres.stop();
  }

  private async launch(): Promise<string> {
    this.postgres = await EmbeddedPostgres.start({
      dataDirectory: join(this.directory, 'postgres'),
      wantedPort: PREFERRED_PORT,
      password: localSecret(this.directory, 'postgres-password'),
    }).catch((error: unknown) => {
      throw StartError.from(error);
    });
    await this.postgres.createDatabase(DATABASE);
    const databaseUrl = this.postgres.url(DATABASE);
    announceEmbeddedDatabase(this.directory, { databaseUrl, pid: process.pid });
    return databaseUrl;
  }
}
