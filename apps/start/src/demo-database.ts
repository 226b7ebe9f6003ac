import { join } from 'node:path';
import {
  announceEmbeddedDatabase,
  localSecret,
  runningEmbeddedDatabase,
  withdrawEmbeddedDatabase,
} from '@portage/platform';
import { EmbeddedPostgres } from '@portage/local-environment';
import { printLine, runStep } from './progress';
import { StartError } from './start-error';

const DATABASE = 'portage';
/** The role of API, worker and command line. It owns nothing; the superuser of the server migrates. */
const APPLICATION_ROLE = 'portage_app';
const PREFERRED_PORT = 54_329;

/** The addresses of the demo's database. */
export interface DatabaseUrls {
  /** As the role of the application. */
  databaseUrl: string;
  /** As the role that migrates and owns the tables. */
  migrationDatabaseUrl: string;
}

/** The embedded PostgreSQL server of the demo. Its data is stored below the demo's directory. */
export class DemoDatabase {
  private postgres: EmbeddedPostgres | undefined;

  constructor(private readonly directory: string) {}

  /**
   * Starts the server and announces it to the command line.
   *
   * @throws StartError if a demo with this directory is running, or the server cannot start
   */
  async start(): Promise<DatabaseUrls> {
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

  private async launch(): Promise<DatabaseUrls> {
    this.postgres = await EmbeddedPostgres.start({
      dataDirectory: join(this.directory, 'postgres'),
      wantedPort: PREFERRED_PORT,
      password: localSecret(this.directory, 'postgres-password'),
    }).catch((error: unknown) => {
      throw StartError.from(error);
    });
    await this.postgres.createDatabase(DATABASE);
    const password = localSecret(this.directory, 'postgres-application-password');
    const urls = {
      databaseUrl: this.postgres.urlAs(APPLICATION_ROLE, password, DATABASE),
      migrationDatabaseUrl: this.postgres.url(DATABASE),
    };
    announceEmbeddedDatabase(this.directory, { ...urls, pid: process.pid });
    return urls;
  }
}
