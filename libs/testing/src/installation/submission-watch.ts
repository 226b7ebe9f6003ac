import { setTimeout as sleep } from 'node:timers/promises';
import type { Clients, ReadableService } from './clients';

const INTERVAL_MS = 50;

interface StoredCounts {
  lines: number;
  refused: number;
  takenOver: number;
  processes: number;
}

/**
 * Reads the counts of a submission all the time: over HTTP, and from the tables in one statement. At every reading as
 * many lines must have been received as were refused or are in any state, and none may disappear.
 */
export class SubmissionWatch {
  /** Readings of either kind that succeeded. */
  readings = 0;
  /** The lines in the tables at the latest reading. */
  received = 0;
  private shown = 0;
  private readonly violations: string[] = [];
  private isStopped = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly service: ReadableService,
    private readonly clients: Clients,
    private readonly id: string,
    private readonly size: number,
  ) {
    this.running = Promise.all([
      this.repeat(async () => this.readTables()),
      this.repeat(async () => this.readOverHttp()),
    ]);
  }

  /** @returns the violations, the first of each kind with its figures */
  async stop(): Promise<string[]> {
    this.isStopped = true;
    await this.running;
    return this.violations;
  }

  private async repeat(read: () => Promise<void>): Promise<void> {
    while (!this.isStopped) {
      // API and PostgreSQL are down at times.
      await read().catch((error: unknown) => {
        if (!isOutage(error)) this.report(`a reading failed: ${String(error)}`);
      });
      await sleep(INTERVAL_MS);
    }
  }

  private async readTables(): Promise<void> {
    const [counts] = await this.service.sql<StoredCounts>(
      `SELECT (SELECT count(*)::int FROM submission_line WHERE submission_id = $1 AND outcome IS DISTINCT FROM 'repeated') AS lines,
         (SELECT count(*)::int FROM submission_line WHERE submission_id = $1 AND outcome = 'refused') AS refused,
         (SELECT count(*)::int FROM submission_line WHERE submission_id = $1 AND outcome = 'cancelled') AS "takenOver",
         (SELECT count(*)::int FROM import_process WHERE submission_id = $1) AS processes`,
      [this.id],
    );
    const { lines, refused, takenOver, processes } = counts!;
    if (lines !== refused + takenOver + processes)
      this.report(`the tables have other lines than processes and refusals: ${JSON.stringify(counts)}`);
    if (lines < this.received || lines > this.size)
      this.report(`${lines} lines in the tables after ${this.received} of ${this.size}`);
    this.received = lines;
    this.readings += 1;
  }

  private async readOverHttp(): Promise<void> {
    const path = `/v2/data-import/submissions/${this.id}/`;
    const { status, body, text } = await this.clients.get(this.service.apis[0]!, path);
    if (status === 0 || status >= 500) return;
    if (status !== 200) {
      this.report(`the submission was answered with ${status} ${text}`);
      return;
    }
    const { counts } = body as { counts: Record<string, number> };
    const { received, repeated: _repeated, ...states } = counts;
    const sum = Object.values(states).reduce((total, count) => total + count, 0);
    if (received !== sum) this.report(`received differs from the sum of all states: ${text}`);
    if (received! < this.shown || received! > this.size)
      this.report(`${received} received lines are shown after ${this.shown} of ${this.size}`);
    this.shown = received!;
    this.readings += 1;
  }

  private report(violation: string): void {
    if (this.violations.length < 5) this.violations.push(violation);
  }
}

/** True for a lost or refused connection, and for a statement that PostgreSQL ended with its shutdown. */
function isOutage(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code ?? '') ||
    /^57P0/.test(code ?? '') ||
    /Connection terminated/.test(message)
  );
}
