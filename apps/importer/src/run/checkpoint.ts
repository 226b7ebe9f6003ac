import { type FileHandle, open } from 'node:fs/promises';
import { isJsonObject, parseJson } from '@portage/client';
import { UsageError } from '../usage-error';

/** What a checkpoint belongs to. Line numbers mean nothing for other files, and acceptance nothing for other services. */
export interface CheckpointBinding {
  baseUrl: string;
  /** The service's own identifier of the caller's organisation. */
  organisation: string;
  /** SHA-256 of the unpacked after-import file of this run. */
  digest: string | undefined;
}

/** Remembers which lines of the after-import file need not be sent again. */
export interface DoneLines {
  /** @param line counted from 1 */
  has(line: number): boolean;
  /** Resolves when the line is on the disk. */
  add(line: number): Promise<void>;
  close(): Promise<void>;
}

/** For runs without --checkpoint. */
export const noCheckpoint: DoneLines = {
  has: () => false,
  add: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const FORMAT = 1;
/** The file of an entry. Checkpoints of earlier releases have entries about lines of a book as well. */
const FILE = 'after-import';
const START_AGAIN = 'Delete the file to send everything again; what was imported is recognised.';

/**
 * A file to which each line that is done is appended. It may end anywhere: an incomplete last line is removed. Concurrent
 * lines are written and synchronised together.
 */
export class Checkpoint implements DoneLines {
  private readonly lines = new Set<number>();
  private digest: string | undefined;
  private buffered = '';
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /**
   * Opens a checkpoint or creates it.
   *
   * @throws UsageError if the file is no checkpoint, or that of another after-import file, service or organisation
   */
  static async open(path: string, binding: CheckpointBinding): Promise<Checkpoint> {
    const handle = await open(path, 'a+', 0o600).catch((error: unknown) => {
      throw new UsageError(`The checkpoint cannot be written to ${path}: ${(error as Error).message}`);
    });
    const checkpoint = new Checkpoint(path, handle);
    try {
      await checkpoint.read(binding);
      return checkpoint;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  has(line: number): boolean {
    return this.lines.has(line);
  }

  add(line: number): Promise<void> {
    this.lines.add(line);
    return this.append({ file: FILE, line, state: 'done' });
  }

  async close(): Promise<void> {
    await (this.next ?? this.writing).catch(() => undefined);
    await this.handle.close();
  }

  private append(entry: object): Promise<void> {
    this.buffered += `${JSON.stringify(entry)}\n`;
    this.next ??= this.writeAfter(this.writing);
    return this.next;
  }

  private async writeAfter(previous: Promise<void>): Promise<void> {
    await previous;
    const text = this.buffered;
    this.buffered = '';
    this.writing = this.next ?? this.writing;
    this.next = undefined;
    await this.handle.appendFile(text);
    await this.handle.datasync();
  }

  private async read(binding: CheckpointBinding): Promise<void> {
    const header = {
      portage_checkpoint: FORMAT,
      base_url: binding.baseUrl,
      organisation: binding.organisation,
    };
    const text = await this.handle.readFile('utf8');
    const isNew = JSON.stringify(header).startsWith(text);
    const complete = isNew ? '' : text.slice(0, text.lastIndexOf('\n') + 1);
    const [first = '', ...entries] = complete.trimEnd().split('\n');
    if (!isNew) this.expectHeader(parseJson(first), binding);
    entries.forEach((entry, index) => {
      this.readEntry(parseJson(entry), index + 2);
    });
    await this.handle.truncate(Buffer.byteLength(complete));
    if (isNew) await this.append(header);
    if (binding.digest === undefined) return;
    if (this.digest === undefined) await this.append({ file: FILE, sha256: binding.digest });
    else if (this.digest !== binding.digest) throw this.refusal('was made for another after-import file');
  }

  private expectHeader(header: unknown, { baseUrl, organisation }: CheckpointBinding): void {
    if (!isJsonObject(header) || header['portage_checkpoint'] !== FORMAT)
      throw new UsageError(`${this.path} is not a checkpoint of this tool. Give --checkpoint another path.`);
    if (header['base_url'] !== baseUrl)
      throw this.refusal(`was made for the service at ${String(header['base_url'])}, not ${baseUrl}`);
    if (header['organisation'] !== organisation)
      throw this.refusal('was made with the API key of another organisation');
  }

  private readEntry(entry: unknown, number: number): void {
    const { file, sha256, line, state } = isJsonObject(entry) ? entry : {};
    if (file === 'book') return;
    if (file === FILE && typeof sha256 === 'string') this.digest = sha256;
    else if (file === FILE && Number.isSafeInteger(line) && state === 'done') this.lines.add(Number(line));
    else throw new UsageError(`Line ${number} of the checkpoint ${this.path} is damaged. ${START_AGAIN}`);
  }

  private refusal(problem: string): UsageError {
    return new UsageError(
      `The checkpoint ${this.path} ${problem}. Give --checkpoint another path, or delete the file to send everything again.`,
    );
  }
}
