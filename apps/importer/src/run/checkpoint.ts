import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { isJsonObject, parseJson } from '@portage/client';
import { readLines } from '../book/lines';
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
const MAX_LINE_BYTES = 10_000;
const NEWLINE = 0x0a;

/**
 * A file to which each line that is done is appended. It may end anywhere: the first line is created with its file by
 * renaming, and an incomplete last line is removed. Concurrent lines are written and synchronised together.
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
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || (found.isFile() && found.size === 0)) await create(path, binding);
    await expectHeader(path, binding);
    const handle = await open(path, 'a+').catch((error: unknown) => {
      throw notWritable(path, error);
    });
    try {
      await removeIncompleteLine(path, handle);
      const checkpoint = new Checkpoint(path, handle);
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

  private async read({ digest }: CheckpointBinding): Promise<void> {
    for await (const { number, text } of readLines(createReadStream(this.path), MAX_LINE_BYTES)) {
      const entry = parseJson(text ?? '');
      if (!isJsonObject(entry)) throw this.damaged(number);
      if (number > 1) this.readEntry(entry, number);
    }
    if (digest === undefined) return;
    if (this.digest === undefined) await this.append({ file: FILE, sha256: digest });
    else if (this.digest !== digest) throw refusal(this.path, 'was made for another after-import file');
  }

  private readEntry({ file, sha256, line, state }: Record<string, unknown>, number: number): void {
    if (file === 'book') return;
    if (file !== FILE) throw this.damaged(number);
    if (typeof sha256 === 'string') this.digest = sha256;
    else if (Number.isSafeInteger(line) && state === 'done') this.lines.add(Number(line));
    else throw this.damaged(number);
  }

  private damaged(line: number): UsageError {
    return new UsageError(`Line ${line} of the checkpoint ${this.path} is damaged. ${START_AGAIN}`);
  }
}

const START_AGAIN = 'Delete the file to send everything again; what was imported is recognised.';

async function create(path: string, { baseUrl, organisation }: CheckpointBinding): Promise<void> {
  const header = { portage_checkpoint: FORMAT, base_url: baseUrl, organisation };
  const temporary = `${path}.${process.pid}.new`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    await handle.writeFile(`${JSON.stringify(header)}\n`);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (error) {
    throw notWritable(path, error);
  }
}

/** Checks the first line before anything of the file is changed. */
async function expectHeader(path: string, { baseUrl, organisation }: CheckpointBinding): Promise<void> {
  const header = parseJson((await readFirstLine(path)) ?? '');
  if (!isJsonObject(header) || header['portage_checkpoint'] !== FORMAT) throw notACheckpoint(path);
  if (header['base_url'] !== baseUrl)
    throw refusal(path, `was made for the service at ${String(header['base_url'])}, not ${baseUrl}`);
  if (header['organisation'] !== organisation)
    throw refusal(path, 'was made with the API key of another organisation');
}

async function readFirstLine(path: string): Promise<string | undefined> {
  try {
    for await (const { text } of readLines(createReadStream(path), MAX_LINE_BYTES)) return text;
    return undefined;
  } catch (error) {
    throw notWritable(path, error);
  }
}

function refusal(path: string, problem: string): UsageError {
  return new UsageError(
    `The checkpoint ${path} ${problem}. Give --checkpoint another path, or delete the file to send everything again.`,
  );
}

/** A process that was killed while it appended leaves an incomplete line. */
async function removeIncompleteLine(path: string, handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  const tail = Buffer.alloc(Math.min(size, MAX_LINE_BYTES));
  await handle.read(tail, 0, tail.length, size - tail.length);
  const end = tail.lastIndexOf(NEWLINE);
  if (end < 0) throw notACheckpoint(path);
  await handle.truncate(size - tail.length + end + 1);
}

function notACheckpoint(path: string): UsageError {
  return new UsageError(`${path} is not a checkpoint of this tool. Give --checkpoint another path.`);
}

function notWritable(path: string, error: unknown): UsageError {
  return new UsageError(`The checkpoint cannot be written to ${path}: ${(error as Error).message}`);
}
