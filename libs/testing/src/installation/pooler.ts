import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '@portage/local-environment';
import { until } from '../until';

/** The program; PGBOUNCER names another one than that on the PATH. */
const PGBOUNCER = process.env['PGBOUNCER'] ?? 'pgbouncer';
/** Fewer than the connections of an API and a worker. */
const POOL_SIZE = 6;
const OLDEST_MINOR = 21;
const START_TIMEOUT_MS = 20_000;

/** @returns the reason why no PgBouncer can be started, such as its version; undefined if one can */
export function poolerIsMissing(): string | undefined {
  try {
    const version = execFileSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
    const [major = 0, minor = 0] = (/PgBouncer (\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
    if (major > 1 || (major === 1 && minor >= OLDEST_MINOR)) return undefined;
    return `PgBouncer 1.${OLDEST_MINOR} or later is needed, and this is ${version.trim()}; name another program in PGBOUNCER`;
  } catch {
    return 'no pgbouncer is on the PATH; install the Debian package pgbouncer, or name a program in PGBOUNCER';
  }
}

/** PgBouncer in transaction mode before a PostgreSQL server. */
export class Pooler {
  private constructor(
    private readonly process: ChildProcess,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  /**
   * @param url of a database of the server; its role is the one that may connect
   * @param settings of pgbouncer.ini
   */
  static async start(url: string, settings: Readonly<Record<string, string>> = {}): Promise<Pooler> {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), 'portage-pooler-'));
    // PgBouncer does not run as root, and reads its files as another user.
    chmodSync(directory, 0o777);
    const file = join(directory, 'pgbouncer.ini');
    const users = join(directory, 'users.txt');
    const { port: serverPort, username, password } = new URL(url);
    writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o644 });
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: users,
      pool_mode: 'transaction',
      default_pool_size: String(POOL_SIZE),
      max_prepared_statements: '500',
      ...settings,
    };
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
    const databases = `[databases]\n* = host=127.0.0.1 port=${serverPort}\n`;
    writeFileSync(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`, { mode: 0o644 });
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(PGBOUNCER, [...user, file], { stdio: 'ignore' });
    const pooler = new Pooler(child, directory, port);
    try {
      await pooler.untilReady(url);
    } catch (error) {
      await pooler.stop();
      throw error;
    }
    return pooler;
  }

  /** The address of a database through the pooler. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'exit');
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async untilReady(url: string): Promise<void> {
    await until(
      async () => {
        const client = new Client({ connectionString: this.through(url) });
        client.on('error', () => undefined);
        return client.connect().then(
          async () => client.end().then(() => true),
          () => false,
        );
      },
      'PgBouncer does not answer',
      START_TIMEOUT_MS,
    );
  }
}
