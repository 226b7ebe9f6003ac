import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { queryRows } from './row-objects';

/** The servers of one database, as in its URL. */
export interface ServerList {
  /** One URL for each host, in the order in which they are preferred. */
  readonly urls: readonly [string, ...string[]];
  /** What a connection needs of its server, in the words of libpq. */
  readonly targetSession: 'any' | 'read-write' | 'primary';
}

/** Maximum time for the answer of a server about itself. */
const PROBE_TIMEOUT_MS = 2_500;
/** Time for which a search goes on after a suitable server has answered. */
const GRACE_MS = 250;
/** Pause between two searches that find nothing, so that waiting requests do not press the servers. */
const SEARCH_PAUSE_MS = 500;

/** No server of the list can be used at the moment. */
export class NoSuitableServer extends Error {
  override readonly name = 'NoSuitableServer';
}

interface Answer {
  url: string;
  isSuitable: boolean;
  /** Grows with each promotion. 0 for a standby. */
  timeline: number;
}

// `transaction_read_only` is on in a standby too.
const ASK = `
  SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only')::boolean AS is_read_only,
    CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

/**
 * Knows which server of a list connections go to. With one host that may be any server it asks nothing.
 *
 * Otherwise it asks all of them at once, the first time and whenever the server it knows has failed. If several accept
 * writes, as after a promotion while the former primary is still there, it takes the one that was promoted last.
 */
export class Servers {
  private known: string | undefined;
  private search: Promise<string> | undefined;
  private failure: { at: number; error: NoSuitableServer } | undefined;

  constructor(private readonly list: ServerList) {}

  /** The URL of the first server, for what all servers have in common: user, database and options. */
  get commonUrl(): string {
    return this.list.urls[0];
  }

  /** False if there is only one server, and no condition. */
  get isChoice(): boolean {
    return this.list.urls.length > 1 || this.list.targetSession !== 'any';
  }

  /** True if a server that reports these values is not to be used. */
  refuses({ isStandby, isReadOnly }: { isStandby: boolean; isReadOnly: boolean }): boolean {
    const { targetSession } = this.list;
    return targetSession !== 'any' && (isStandby || (targetSession === 'read-write' && isReadOnly));
  }

  /**
   * @returns the URL of the server to connect to
   * @throws NoSuitableServer
   */
  async find(): Promise<string> {
    if (!this.isChoice) return this.commonUrl;
    if (this.known !== undefined) return this.known;
    if (this.failure && performance.now() - this.failure.at < SEARCH_PAUSE_MS) throw this.failure.error;
    this.search ??= this.ask().finally(() => {
      this.search = undefined;
    });
    return this.search;
  }

  /** As {@link find}, without what is known. */
  async findAgain(): Promise<string> {
    this.known = undefined;
    return this.find();
  }

  /** The server has failed or become read-only: the next connection looks for another. */
  forget(url: string): void {
    if (this.known === url) this.known = undefined;
  }

  private async ask(): Promise<string> {
    const answers: Answer[] = [];
    const reasons: string[] = [];
    let found: () => void;
    const firstSuitable = new Promise<void>((resolve) => {
      found = resolve;
    });
    const all = this.list.urls.map(async (url, index) => {
      try {
        const answer = await this.probe(url);
        answers.push(answer);
        if (answer.isSuitable) found();
        else reasons[index] = `${hostOf(url)} accepts no writes`;
      } catch (error) {
        reasons[index] = `${hostOf(url)}: ${error instanceof Error ? error.message : String(error)}`;
      }
    });
    await Promise.race([
      Promise.all(all),
      firstSuitable.then(async () => sleep(GRACE_MS, undefined, { ref: false })),
    ]);
    const [best] = answers
      .filter(({ isSuitable }) => isSuitable)
      .toSorted(
        (one, other) =>
          other.timeline - one.timeline ||
          this.list.urls.indexOf(one.url) - this.list.urls.indexOf(other.url),
      );
    if (best) {
      this.known = best.url;
      return best.url;
    }
    const error = new NoSuitableServer(`No server of the database can be used: ${reasons.join('; ')}.`);
    this.failure = { at: performance.now(), error };
    throw error;
  }

  private async probe(url: string): Promise<Answer> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
      application_name: 'portage server check',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const [row] = await queryRows<{
        isStandby: boolean;
        isReadOnly: boolean;
        timeline: string | null;
      }>(client, ASK);
      if (!row) throw new Error('The server has not said what it is.');
      // With `any` a standby counts as much as a primary.
      const timeline = this.list.targetSession === 'any' ? 0 : Number.parseInt(row.timeline ?? '0', 16);
      return { url, isSuitable: !this.refuses(row), timeline };
    } finally {
      client.connection.stream.destroy();
    }
  }
}

function hostOf(url: string): string {
  return new URL(url).host;
}
