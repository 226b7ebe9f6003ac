import type { BookBody } from './book-body';
import type { Clock } from './clock';
import type { Submission, Upload } from './generated/api';
import type { Operations } from './operations';
import { PortageError } from './portage-error';
import { Unreachable } from './retry/retrier';
import { fullJitter, retryAfterMs, type RetryPolicy } from './retry/retry-policy';
import type { ByteStream } from './transport/transport';

/** Limits of an upload, and who learns of it. */
export interface UploadOptions {
  /** What the lines have, as the submission was opened: by default accounts. */
  kind?: 'accounts' | 'additions';
  /** Limits of repeating it without progress. */
  retry?: Partial<RetryPolicy>;
  /** Time after which an attempt is given up in which the service reads nothing and stores nothing. */
  timeoutMs?: number;
  /** Ends the upload when aborted. */
  signal?: AbortSignal;
  /** Called with the submission, about once a second. */
  onProgress?: (submission: Submission) => void;
  /** Called before the whole book is sent again. */
  onRetry?: (interruption: { reason: string; waitMs: number }) => void;
}

/** The options of an upload, and what the client has. */
interface UploadContext extends UploadOptions {
  operations: Pick<Operations, 'uploadAccounts' | 'uploadAdditions' | 'readSubmission'>;
  policy: RetryPolicy;
  timeoutMs: number;
  clock: Clock;
  random: () => number;
}

/** How often the submission is read while an upload runs. The service counts at most once a second. */
const WATCH_MS = 1000;

/** Longest time until one of these reads is given up. */
const MAX_WATCH_TIMEOUT_MS = 10_000;

/** The watch decides when an upload has stalled, so the timer of the request must not. */
const NO_TIMEOUT_MS = 0x7fffffff;

const ONCE: Partial<RetryPolicy> = { maxAttempts: 1 };

/**
 * Uploads the lines of a submission as one request, and from the first line again after a broken connection, a stall,
 * 429 and 5xx: the service recognises what it has. The limits of retries begin again whenever an attempt has come
 * further, because an upload can take hours.
 */
export class BookUpload {
  /** How far the uploads have come: bytes of the body, and accounts or additions of the submission. */
  private furthestByte = 0;
  private received = 0;
  /** Lines that the service has stored, with repeated ones. */
  private stored = 0;
  private movedAt = 0;
  private hasMoved = false;
  /** The book could not be read, which another attempt does not mend. */
  private sourceError: Error | undefined;

  constructor(
    private readonly id: string,
    private readonly body: BookBody,
    private readonly context: UploadContext,
  ) {}

  /** @throws PortageError, Unreachable, AccessLost, TokenRefused, and what the source throws */
  async run(): Promise<Upload> {
    const { clock, policy, random, onRetry } = this.context;
    let failures = 0;
    let failingSince = 0;
    for (;;) {
      const end = await this.attempt();
      if (!(end instanceof Unreachable)) return end;
      if (!this.body.isRepeatable || this.isStopped()) throw end;
      await this.read().catch(ignoreUnreachable);
      if (this.hasMoved || failures === 0) {
        failures = 0;
        failingSince = clock.now();
      }
      this.hasMoved = false;
      const retryAfter = end.cause instanceof PortageError ? end.cause.retryAfter : undefined;
      const waitMs = (retryAfterMs(retryAfter, clock.now()) ?? 0) + fullJitter(failures, policy, random);
      failures += 1;
      const reason = reasonOf(end);
      if (failures >= policy.maxAttempts || clock.now() + waitMs - failingSince > policy.maxDurationMs)
        throw new Unreachable(`gave up the upload after ${failures} attempts without progress: ${reason}`, {
          cause: end,
        });
      onRetry?.({ reason, waitMs });
      await clock.sleep(waitMs, this.context.signal);
      if (this.isStopped()) throw end;
    }
  }

  /** @returns Unreachable if the upload can be repeated */
  private async attempt(): Promise<Upload | Unreachable> {
    const { operations, kind = 'accounts', signal } = this.context;
    const given = new AbortController();
    const watching = this.watch(given);
    try {
      const { data } = await operations[kind === 'accounts' ? 'uploadAccounts' : 'uploadAdditions']({
        path: { id: this.id },
        headers: { 'content-encoding': 'gzip' },
        stream: () => this.observe(this.body.stream()),
        retry: ONCE,
        timeoutMs: NO_TIMEOUT_MS,
        signal: signal ? AbortSignal.any([signal, given.signal]) : given.signal,
      });
      return data;
    } catch (error) {
      if (this.sourceError !== undefined) throw this.sourceError;
      const reason: unknown = given.signal.reason;
      if (reason instanceof Error && !(reason instanceof Stalled)) throw reason;
      if (error instanceof Unreachable) return error;
      // The service has dropped a sender that stalled, such as a machine that was asleep.
      if (error instanceof PortageError && error.code === 'upload_stalled')
        return new Unreachable(error.detail, { cause: error });
      throw error;
    } finally {
      given.abort();
      await watching;
    }
  }

  /** Reads the submission while an attempt runs, and ends the attempt if it stalls or access is lost. */
  private async watch(attempt: AbortController): Promise<void> {
    const { clock, timeoutMs } = this.context;
    this.movedAt = clock.now();
    const { signal } = attempt;
    for (;;) {
      await clock.sleep(Math.min(WATCH_MS, timeoutMs / 2), signal);
      if (signal.aborted) return;
      try {
        await this.read();
      } catch (error) {
        if (!(error instanceof Unreachable)) attempt.abort(error);
      }
      const silentMs = clock.now() - this.movedAt;
      if (silentMs >= timeoutMs)
        attempt.abort(
          new Stalled(`the service has read and stored nothing for ${Math.round(silentMs / 1000)} s`),
        );
    }
  }

  private async read(): Promise<void> {
    const { operations, clock, onProgress } = this.context;
    const timeoutMs = Math.min(MAX_WATCH_TIMEOUT_MS, this.context.timeoutMs);
    const { data } = await operations.readSubmission({ path: { id: this.id }, retry: ONCE, timeoutMs });
    const { received, repeated } = data.counts;
    if (received + repeated !== this.stored) this.movedAt = clock.now();
    this.stored = received + repeated;
    this.hasMoved ||= received > this.received;
    this.received = received;
    onProgress?.(data);
  }

  private isStopped(): boolean {
    return this.context.signal?.aborted === true;
  }

  /** A chunk is asked for when the connection has taken the one before. */
  private async *observe(bytes: ByteStream): ByteStream {
    let count = 0;
    try {
      for await (const chunk of bytes) {
        this.movedAt = this.context.clock.now();
        count += chunk.length;
        this.hasMoved ||= count > this.furthestByte;
        this.furthestByte = Math.max(this.furthestByte, count);
        yield chunk;
      }
    } catch (error) {
      this.sourceError = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
}

/** An attempt in which nothing moves. */
class Stalled extends Error {
  override readonly name = 'Stalled';
}

function reasonOf({ cause, message }: Unreachable): string {
  if (cause instanceof PortageError) return `${cause.detail.replace(/\.$/, '')}, status ${cause.status}`;
  return cause instanceof Error ? cause.message : message;
}

function ignoreUnreachable(error: unknown): void {
  if (!(error instanceof Unreachable)) throw error;
}
