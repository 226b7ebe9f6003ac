import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import {
  type ByteStream,
  type Clock,
  fullJitter,
  type PortageClient,
  PortageError,
  retryAfterMs,
  type RetryPolicy,
  type Submission,
  Unreachable,
  type Upload as UploadAnswer,
} from '@portage/client';
import type { SentLines } from './sent-lines';

/** How an upload has ended: with an answer, because the submission is not open any more, or because of a stop. */
export type UploadEnd =
  | { kind: 'uploaded'; answer: UploadAnswer }
  | { kind: 'closed'; submission: Submission }
  | { kind: 'stopped' };

/** The limits of an upload. */
export interface UploadLimits {
  /** Maximum time for which it is repeated without progress. */
  retryMs: number;
  /** Time after which an attempt is given up in which the service reads nothing and stores nothing. */
  timeoutMs: number;
}

/** What an upload needs. */
export interface UploadContext {
  portage: PortageClient;
  stop: AbortSignal;
  clock: Clock;
  random: () => number;
  note: (line: string) => void;
  /** Learns the state of the submission while the upload runs. */
  onRead: (submission: Submission) => void;
}

const DELAYS: Pick<RetryPolicy, 'baseDelayMs' | 'maxDelayMs'> = { baseDelayMs: 1000, maxDelayMs: 20_000 };

/** How often the submission is read while an upload runs. The service counts at most once a second. */
const WATCH_MS = 1000;

/** Longest time until one of these reads is given up. */
const MAX_WATCH_TIMEOUT_MS = 10_000;

/** The watch decides when an upload has stalled, so the timer of the request must not. */
const NO_TIMEOUT_MS = 0x7fffffff;

const ONCE: Partial<RetryPolicy> = { maxAttempts: 1 };

/**
 * Uploads the lines of a submission as one request, and from the first line again after a broken connection, a stall,
 * 429 and 5xx: the service recognises what it has.
 */
export class Upload {
  private readonly path: { id: string };
  private readonly operation: 'uploadAccounts' | 'uploadAdditions';
  /** How far the uploads have come: accounts or additions of the submission, and the line that was sent last. */
  private received: number;
  private furthestLine = 0;
  private movedAt = 0;
  private hasMoved = false;
  /** The file could not be read, which another attempt does not mend. */
  private fileError: Error | undefined;
  /** Lines that the service has stored, with repeated ones. */
  private stored = 0;

  constructor(
    submission: Submission,
    private readonly lines: SentLines,
    private readonly limits: UploadLimits,
    private readonly context: UploadContext,
  ) {
    this.path = { id: submission.id };
    this.operation = submission.kind === 'additions' ? 'uploadAdditions' : 'uploadAccounts';
    this.received = submission.counts.received;
  }

  /**
   * @throws Unreachable if the limits are exceeded; PortageError if the service refuses the upload; AccessLost,
   *   TokenRefused
   */
  async run(): Promise<UploadEnd> {
    const { clock, stop, random, note } = this.context;
    let failures = 0;
    let failingSince = 0;
    for (;;) {
      const end = await this.attempt();
      if (!(end instanceof Unreachable)) return end;
      if (this.isStopped()) return { kind: 'stopped' };
      const submission = await this.read().catch(undefinedIfUnreachable);
      if (submission !== undefined && submission.status !== 'OPEN') return { kind: 'closed', submission };
      if (this.takeProgress() || failures === 0) {
        failures = 0;
        failingSince = clock.now();
      }
      const retryAfter = retryAfterMs(retryAfterOf(end), clock.now()) ?? 0;
      const wait = retryAfter + fullJitter(failures, { ...NO_LIMITS, ...DELAYS }, random);
      failures += 1;
      const reason = reasonOf(end);
      if (clock.now() + wait - failingSince > this.limits.retryMs)
        throw new Unreachable(`gave up the upload after ${failures} attempts without progress: ${reason}`, {
          cause: end,
        });
      note(
        `The upload was interrupted after line ${this.lines.line} (${reason}). The whole file is sent again in ${Math.ceil(wait / 1000)} s, which is safe: lines that the service has are recognised.`,
      );
      await clock.sleep(wait, stop);
      if (this.isStopped()) return { kind: 'stopped' };
    }
  }

  /** @returns Unreachable if the upload can be repeated */
  private async attempt(): Promise<UploadEnd | Unreachable> {
    const { portage, stop } = this.context;
    const given = new AbortController();
    const watching = this.watch(given);
    try {
      const { data, error } = await portage[this.operation]({
        path: this.path,
        headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
        stream: () => compress(this.observe(this.lines.read())),
        retry: ONCE,
        timeoutMs: NO_TIMEOUT_MS,
        signal: AbortSignal.any([stop, given.signal]),
        throwOnError: false,
      });
      if (data !== undefined) return { kind: 'uploaded', answer: data };
      if (error.code === 'submission_not_open') return { kind: 'closed', submission: await this.read() };
      // The service has dropped a sender that stalled, such as a machine that was asleep.
      if (error.code === 'upload_stalled') return new Unreachable(error.detail, { cause: error });
      throw error;
    } catch (error) {
      if (this.fileError !== undefined) throw this.fileError;
      if (this.isStopped() && error instanceof Unreachable) return { kind: 'stopped' };
      const reason: unknown = given.signal.reason;
      if (reason instanceof Error && !(reason instanceof Stalled)) throw reason;
      if (error instanceof Unreachable) return error;
      throw error;
    } finally {
      given.abort();
      await watching;
    }
  }

  /** Reads the submission while an attempt runs, and ends the attempt if it stalls or access is lost. */
  private async watch(attempt: AbortController): Promise<void> {
    const { clock } = this.context;
    this.movedAt = clock.now();
    const { signal } = attempt;
    const pauseMs = Math.min(WATCH_MS, this.limits.timeoutMs / 2);
    for (;;) {
      await clock.sleep(pauseMs, signal);
      if (signal.aborted) return;
      try {
        await this.read();
      } catch (error) {
        if (!(error instanceof Unreachable)) attempt.abort(error);
      }
      const silentMs = clock.now() - this.movedAt;
      if (silentMs >= this.limits.timeoutMs)
        attempt.abort(
          new Stalled(`the service has read and stored nothing for ${Math.round(silentMs / 1000)} s`),
        );
    }
  }

  private async read(): Promise<Submission> {
    const timeoutMs = Math.min(MAX_WATCH_TIMEOUT_MS, this.limits.timeoutMs);
    const { data } = await this.context.portage.readSubmission({ path: this.path, retry: ONCE, timeoutMs });
    const { received, repeated } = data.counts;
    if (received + repeated !== this.stored) this.movedAt = this.context.clock.now();
    this.stored = received + repeated;
    if (received > this.received) {
      this.received = received;
      this.hasMoved = true;
    }
    this.context.onRead(data);
    return data;
  }

  /** True if something new has arrived since the last call. */
  private takeProgress(): boolean {
    const { hasMoved } = this;
    this.hasMoved = false;
    return hasMoved;
  }

  private isStopped(): boolean {
    return this.context.stop.aborted;
  }

  /** A chunk is asked for when the connection has taken the one before. */
  private async *observe(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of this.recordErrors(bytes)) {
      this.movedAt = this.context.clock.now();
      if (this.lines.line > this.furthestLine) {
        this.furthestLine = this.lines.line;
        this.hasMoved = true;
      }
      yield chunk;
    }
  }

  private async *recordErrors(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* bytes;
    } catch (error) {
      this.fileError = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
}

/** An attempt in which nothing moves. */
class Stalled extends Error {
  override readonly name = 'Stalled';
}

const NO_LIMITS = { maxAttempts: Infinity, maxDurationMs: Infinity };

function compress(bytes: AsyncIterable<Buffer>): ByteStream {
  // The fastest level: lines of accounts shrink to a tenth at any level.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  // The reader of the stream throws its errors.
  return pipeline(Readable.from(bytes), gzip, () => undefined);
}

function retryAfterOf({ cause }: Unreachable): string | undefined {
  return cause instanceof PortageError ? cause.retryAfter : undefined;
}

function reasonOf({ cause, message }: Unreachable): string {
  if (cause instanceof PortageError) return `${cause.detail.replace(/\.$/, '')}, status ${cause.status}`;
  return cause instanceof Error ? cause.message : message;
}

function undefinedIfUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}
