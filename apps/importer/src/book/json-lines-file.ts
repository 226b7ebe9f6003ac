import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../usage-error';
import { copyLines, type Line, readLines } from './lines';
import { openTemporaryFile } from './temporary-file';

/** The largest limit that a service can have (`MAX_BODY_BYTES`). The service refuses a line above its own. */
const MAX_LINE_BYTES = 100_000_000;

/** Bytes of one read. */
const READ_BYTES = 64 * 1024;

/** The option value that stands for standard input. */
export const STANDARD_INPUT = '-';

/**
 * A file with one JSON object per line, plain or compressed with gzip. It can be read several times and is never held
 * in memory as a whole. Standard input and named pipes are copied to a temporary file first, which has no name, so that
 * it disappears with the process.
 */
export class JsonLinesFile {
  private bytesRead = 0;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly size: number,
    private readonly isGzip: boolean,
  ) {}

  /**
   * @param path `-` is standard input
   * @param stop ends the copying of standard input
   * @throws UsageError if the file does not exist or cannot be read
   */
  static async open(
    path: string,
    stop: AbortSignal,
    standardInput: NodeJS.ReadableStream = process.stdin,
  ): Promise<JsonLinesFile> {
    const handle = path === STANDARD_INPUT ? await spool(standardInput, stop) : await openFile(path, stop);
    const { size } = await handle.stat();
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const isGzip = path.endsWith('.gz') || (bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b);
    return new JsonLinesFile(path === STANDARD_INPUT ? 'standard input' : path, handle, size, isGzip);
  }

  /** A plain file that is open already. @param path for messages and the reference of its submission */
  static async ofHandle(path: string, handle: FileHandle): Promise<JsonLinesFile> {
    return new JsonLinesFile(path, handle, (await handle.stat()).size, false);
  }

  /** The fraction of the file that this pass has read, 0 to 1. The number of lines is unknown before the end. */
  get fractionRead(): number {
    return this.size === 0 ? 1 : Math.min(1, this.bytesRead / this.size);
  }

  /**
   * @param parse parses a line; undefined skips it
   * @param onBytes sees all bytes of the file, unpacked
   * @throws UsageError if the file is a broken gzip file
   */
  async *parse<T>(
    parse: (line: Line, maxBytes: number) => T | undefined,
    onBytes: (chunk: Buffer) => void = () => undefined,
  ): AsyncGenerator<T> {
    for await (const line of readLines(this.chunks(onBytes), MAX_LINE_BYTES)) {
      const parsed = parse(line, MAX_LINE_BYTES);
      if (parsed !== undefined) yield parsed;
    }
  }

  /** The bytes of some lines, as they are in the file, of any length. */
  copy(isWanted: (line: number) => boolean): AsyncGenerator<Buffer> {
    return copyLines(
      this.chunks(() => undefined),
      isWanted,
    );
  }

  /** True if the path leads to this file, which must then not be written to. */
  async isAt(path: string): Promise<boolean> {
    const [own, other] = await Promise.all([this.handle.stat(), stat(path).catch(() => undefined)]);
    return other !== undefined && own.dev === other.dev && own.ino === other.ino;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** The bytes as they are stored. A stream of the handle would close it when a pass ends early. */
  private async *stored(): AsyncGenerator<Buffer> {
    for (let position = 0; ;) {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const { bytesRead } = await this.handle.read(buffer, 0, READ_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  private async *chunks(onBytes: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
    this.bytesRead = 0;
    const unpacked = this.isGzip ? createGunzip() : undefined;
    // The error is thrown by the loop as well.
    if (unpacked) pipeline(Readable.from(this.stored()), unpacked).catch(() => undefined);
    try {
      for await (const chunk of (unpacked ?? this.stored()) as AsyncIterable<Buffer>) {
        this.bytesRead = unpacked?.bytesWritten ?? this.bytesRead + chunk.length;
        onBytes(chunk);
        yield chunk;
      }
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error;
      throw new UsageError(
        `${this.path} is not a complete gzip file (${(error as Error).message}). Create or transfer it again.`,
      );
    }
  }
}

async function openFile(path: string, stop: AbortSignal): Promise<FileHandle> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new UsageError(`There is no file ${path}. Check --file.`);
  if (found.isFIFO()) return spool(createReadStream(path), stop);
  if (!found.isFile()) throw new UsageError(`${path} is not a file. Give the file itself with --file.`);
  return open(path, 'r').catch(() => {
    throw new UsageError(`${path} cannot be read. Check its permissions.`);
  });
}

/** Copies a stream to a temporary file. */
async function spool(source: NodeJS.ReadableStream, stop: AbortSignal): Promise<FileHandle> {
  const handle = await openTemporaryFile();
  const readable = addAbortSignal(stop, Readable.from(source));
  try {
    for await (const chunk of readable as AsyncIterable<Buffer>) await handle.appendFile(chunk);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
