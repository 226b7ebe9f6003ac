import type { RefusedLine } from '@portage/imports';
import {
  type JsonLimits,
  MAX_JSON_VALUES,
  MAX_NESTING,
  nextTurn,
  PortageError,
  TimeSlice,
} from '@portage/platform';
import { LineReader, type ReadLine } from './line-reader';
import { describeOtherBytes, describeOtherLine, startOf } from './other-formats';
import { type PayloadLine, readLine } from './read-line';

/** The bytes of an upload, as they arrive. */
export interface UploadBody {
  /**
   * Waits for the next bytes, up to `idleMs`.
   *
   * @returns undefined at the end; `idle` if nothing has arrived in that time; `cut` if the rest of the present line is left
   * out
   * @throws PortageError if the body cannot be read, or its sender has stalled; another error if the connection is lost
   */
  read(idleMs: number): Promise<Buffer | 'cut' | 'idle' | undefined>;

  /** @throws PortageError once the sender has gone, who gets no answer and sends the whole file again, or may not go on */
  throwIfEnded(): void;
}

/** What a run needs of its use case. */
interface UploadPorts<Item> {
  /** What a line has. */
  subject: 'account' | 'addition';
  maxLineBytes: number;
  /** Lines that are validated and accepted together. */
  batchLines: number;
  /** Validates lines. */
  check: (lines: readonly (PayloadLine | RefusedLine)[]) => Promise<Item[]>;
  /** True for a line whose account stays as it is: of it nothing is stored but that it was sent. */
  isUnchanged: (item: Item) => boolean;
  /** Stores lines: what is valid, and the refused ones. */
  accept: (items: readonly Item[]) => Promise<void>;
  /** True if the next batch is read once this one is stored, false if it is read and validated meanwhile. */
  storesAlone: boolean;
  /** Called about every {@link RENEWAL_MS} while nothing is stored. */
  renew: () => Promise<void>;
}

/** Bytes that are validated and accepted together. */
const MAX_BATCH_BYTES = 4 << 20;

/** Lines that are accepted together if most of their accounts are unchanged. */
const MAX_UNCHANGED_LINES = 512;

/** How often an upload is renewed that stores nothing, because its sender is slow. */
const RENEWAL_MS = 20_000;

/** Lines that have arrived are stored after this time without more. */
const IDLE_MS = 500;

/** Bytes of a line that is parsed beside others. A longer one takes milliseconds. */
const MAX_BYTES_AT_ONCE = 200_000;

const LINE_LIMITS: JsonLimits = { values: MAX_JSON_VALUES, nesting: 2 * MAX_NESTING };

/** One upload while it is received: its lines, in batches, with memory for a few of them. */
export class UploadRun<Item> {
  private readonly reader: LineReader;
  private batch: (PayloadLine | RefusedLine)[] = [];
  private batchBytes = 0;
  /** Lines that were validated, and wait for more because their accounts are unchanged. */
  private validated: Item[] = [];
  /** Those of them that are not unchanged. */
  private changedLines = 0;
  private changedBytes = 0;
  /** The last batch that was given to be stored. */
  private accepting: Promise<void> = Promise.resolve();
  /** The error of a batch. */
  private failure: Error | undefined;
  private readonly slice = new TimeSlice();
  private isFirst = true;
  private hasLines = false;
  private renewedAt = performance.now();

  constructor(private readonly ports: UploadPorts<Item>) {
    this.reader = new LineReader(ports.maxLineBytes);
  }

  /**
   * Reads the upload to its end. What was read before an error is accepted.
   *
   * @throws PortageError `parse_error` for a body that has no lines or another format; errors of the body and of batches
   */
  async receive(body: UploadBody): Promise<void> {
    try {
      for (let chunk = await body.read(IDLE_MS); chunk !== undefined; chunk = await body.read(IDLE_MS)) {
        if (chunk === 'idle') await this.handleIdle();
        else if (chunk === 'cut') this.reader.cut();
        else {
          this.requireLines(chunk);
          for (const line of this.reader.push(chunk)) {
            body.throwIfEnded();
            await this.add(line);
          }
          // The chunk may have had nothing but blank lines.
          await this.slice.pause();
        }
        this.throwFailure();
      }
      // The line after the last line break is complete only if the body is.
      const last = this.reader.end();
      if (last) await this.add(last);
      if (!this.hasLines)
        throw new PortageError('parse_error', `The body is empty. Send one ${this.ports.subject} a line.`);
      await this.acceptAll();
    } catch (error) {
      // What was read completely is stored, whatever has ended the upload.
      if (this.failure === undefined)
        await this.acceptAll().catch((failure: unknown) => {
          this.fail(failure);
        });
      throw error;
    } finally {
      await this.accepting;
    }
    this.throwFailure();
  }

  /** @throws PortageError `parse_error` if the upload begins like a file of another format */
  private requireLines(chunk: Buffer): void {
    if (!this.isFirst) return;
    if (startOf(chunk) === '') return;
    this.isFirst = false;
    this.refuseFormat(describeOtherBytes(chunk));
  }

  private async add(line: ReadLine): Promise<void> {
    await this.slice.pause();
    const length = line.bytes?.length ?? 0;
    // Parsing cannot be divided.
    if (length > MAX_BYTES_AT_ONCE) await nextTurn();
    const read = readLine(line, this.ports.maxLineBytes, LINE_LIMITS);
    // Every line of such a file would be refused.
    if (!this.hasLines && !('payload' in read) && line.bytes)
      this.refuseFormat(describeOtherLine(line.bytes));
    this.hasLines = true;
    this.batch.push(read);
    this.batchBytes += length;
    if (this.batch.length >= this.ports.batchLines || this.batchBytes >= MAX_BATCH_BYTES)
      await this.validateBatch();
  }

  /** Validates the batch, and accepts it unless it can wait for more. Returns once another one may be filled. */
  private async validateBatch(): Promise<void> {
    const { batch, batchBytes } = this;
    if (batch.length === 0) return;
    this.batch = [];
    this.batchBytes = 0;
    this.throwFailure();
    const items = await this.ports.check(batch);
    const changed = items.filter((item) => !this.ports.isUnchanged(item)).length;
    const bytes = changed > 0 ? batchBytes : 0;
    if (this.changedLines + changed > this.ports.batchLines || this.changedBytes + bytes > MAX_BATCH_BYTES)
      await this.acceptValidated();
    this.validated = this.validated.concat(items);
    this.changedLines += changed;
    this.changedBytes += bytes;
    const isFull =
      this.changedLines === this.ports.batchLines ||
      this.changedBytes >= MAX_BATCH_BYTES ||
      this.validated.length > MAX_UNCHANGED_LINES - this.ports.batchLines;
    if (isFull || performance.now() - this.renewedAt > IDLE_MS) await this.acceptValidated();
  }

  /** Validates and accepts all lines that were read. */
  private async acceptAll(): Promise<void> {
    await this.validateBatch();
    await this.acceptValidated();
  }

  private async acceptValidated(): Promise<void> {
    const { validated } = this;
    if (validated.length === 0) return;
    this.validated = [];
    this.changedLines = 0;
    this.changedBytes = 0;
    await this.accept(validated);
  }

  /** Stores lines after those before them. */
  private async accept(items: readonly Item[]): Promise<void> {
    await this.accepting;
    this.throwFailure();
    this.accepting = this.ports.accept(items).catch((error: unknown) => {
      this.fail(error);
    });
    this.renewedAt = performance.now();
    if (this.ports.storesAlone) await this.accepting;
  }

  private async handleIdle(): Promise<void> {
    await this.acceptAll();
    if (performance.now() - this.renewedAt < RENEWAL_MS) return;
    this.renewedAt = performance.now();
    await this.ports.renew();
  }

  /** @throws PortageError `parse_error` if there is a description of another format */
  private refuseFormat(description: string | undefined): void {
    if (description === undefined) return;
    throw new PortageError(
      'parse_error',
      `${description} Send one ${this.ports.subject} a line: JSON objects, each followed by a line break.`,
    );
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
