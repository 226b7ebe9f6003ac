import { execFileSync } from 'node:child_process';
import { chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgres } from '@portage/local-environment';
import { until } from '../until';
import { FaultProxy } from './fault-proxy';

/** Whether a commit waits until the standby has it. */
export type Replication = 'synchronous' | 'asynchronous';

const PASSWORD = 'test';
const STANDBY = 'standby';
/** Left out of the copy: they belong to the running server. */
const OF_THE_SERVER = ['postmaster.pid', 'postmaster.opts', 'server.log'];
const REPLICATION_TIMEOUT_MS = 30_000;

/** A primary and a standby that streams from it, each with a data directory below one folder. */
export class ReplicatedPostgres {
  isPromoted = false;
  private promotion = Promise.resolve();
  private lostProcesses: number[] = [];

  private constructor(
    private readonly directory: string,
    readonly primary: EmbeddedPostgres,
    readonly standby: EmbeddedPostgres,
    private readonly stream: FaultProxy,
  ) {}

  /**
   * Adds a standby to a running primary, from a base backup. The data directory of the primary is `postgres` in
   * `directory`.
   */
  static async addStandby(
    primary: EmbeddedPostgres,
    directory: string,
    replication: Replication,
  ): Promise<ReplicatedPostgres> {
    const stream = await FaultProxy.start(primary.url(), () => 0.5);
    const standbyDirectory = join(directory, STANDBY);
    await copyServer(primary, join(directory, 'postgres'), standbyDirectory);
    const { port, hostname, username } = new URL(stream.through(primary.url()));
    const standby = await EmbeddedPostgres.start({
      dataDirectory: standbyDirectory,
      password: PASSWORD,
      settings: {
        primary_conninfo: [
          `host=${hostname} port=${port} user=${username} password=${PASSWORD}`,
          `application_name=${STANDBY}`,
        ].join(' '),
      },
    });
    const servers = new ReplicatedPostgres(directory, primary, standby, stream);
    if (replication === 'synchronous') await servers.waitForStandby();
    return servers;
  }

  /** A URL of two hosts: that of the first URL, and behind it that of the second. */
  static joined(firstUrl: string, secondUrl: string): string {
    const { host } = new URL(firstUrl);
    const joined = firstUrl.replace(`@${host}`, `@${host},${new URL(secondUrl).host}`);
    return `${joined}?target_session_attrs=read-write`;
  }

  /** The URL of both servers, the primary first. */
  urlFor(primaryUrl: string): string {
    return ReplicatedPostgres.joined(primaryUrl, this.standby.url());
  }

  /** Waits for a promotion that {@link replacePrimary} has begun. */
  async untilPromoted(): Promise<void> {
    await this.promotion;
  }

  /** Runs a statement at the promoted server. */
  async run<Row extends object>(database: string, text: string, values: unknown[]): Promise<Row[]> {
    return run<Row>(this.standby, database, text, values);
  }

  /** What is committed from now on does not reach the standby. */
  cutReplication(): void {
    this.stream.silence('both');
  }

  /** Waits until the standby has received and replayed all that the primary has written. */
  async waitUntilReplicated(): Promise<void> {
    const { lsn } = await first<{ lsn: string }>(this.primary, 'SELECT pg_current_wal_lsn() AS lsn');
    await until(
      async () => {
        const { isThere } = await first<{ isThere: boolean }>(
          this.standby,
          'SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "isThere"',
          [lsn],
        );
        return isThere;
      },
      'the standby has not caught up',
      REPLICATION_TIMEOUT_MS,
    );
  }

  /** Ends or stops all processes of the primary at once, as the loss of its machine does. */
  signalPrimary(signal: 'SIGKILL' | 'SIGSTOP'): void {
    const pidFile = join(this.directory, 'postgres', 'postmaster.pid');
    if (this.lostProcesses.length === 0) {
      const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
      this.lostProcesses = [postmaster, ...childrenOf(postmaster)];
    }
    for (const pid of this.lostProcesses)
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself.
      }
    // Where nothing collects the process, pg_ctl takes it for a server that still runs.
    if (signal !== 'SIGKILL') return;
    rmSync(pidFile, { force: true });
    this.lostProcesses = [];
  }

  /** Loses the primary, and promotes the standby some time later. {@link stop} reports a promotion that failed. */
  replacePrimary(signal: 'SIGKILL' | 'SIGSTOP', afterMs: number): void {
    this.signalPrimary(signal);
    this.promotion = sleep(afterMs).then(async () => this.promote());
    this.promotion.catch(() => undefined);
  }

  /** Makes the standby accept writes. */
  async promote(): Promise<void> {
    await first(this.standby, 'SELECT pg_promote(true, 30)');
    this.isPromoted = true;
  }

  async stop(): Promise<void> {
    // A primary that was stopped by a signal cannot end by itself.
    if (this.lostProcesses.length > 0) this.signalPrimary('SIGKILL');
    await this.standby.stop('immediate');
    await this.stream.stop();
    await this.promotion;
  }

  private async waitForStandby(): Promise<void> {
    await first(this.primary, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await first(this.primary, 'SELECT pg_reload_conf()');
    await until(
      async () => {
        const { state } = await first<{ state: string }>(
          this.primary,
          `SELECT coalesce(max(sync_state), '') AS state FROM pg_stat_replication WHERE application_name = '${STANDBY}'`,
        );
        return state === 'sync';
      },
      'the standby is not synchronous',
      REPLICATION_TIMEOUT_MS,
    );
  }
}

/** Takes a base backup while the server runs. */
async function copyServer(server: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    execFileSync('cp', ['-a', from, to]);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    for (const name of OF_THE_SERVER) rmSync(join(to, name), { force: true });
    const { uid, gid } = statSync(join(to, 'PG_VERSION'));
    for (const [name, text] of [
      ['backup_label', rows[0]!.labelfile],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(to, name), text, { mode: 0o600 });
      chownSync(join(to, name), uid, gid);
    }
  } finally {
    await client.end();
  }
}

async function first<Row extends object>(
  server: EmbeddedPostgres,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  return (await run<Row>(server, 'postgres', text, values))[0]!;
}

async function run<Row extends object>(
  server: EmbeddedPostgres,
  database: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: server.url(database) });
  // The statement reports it too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** The processes that a process has started. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}
