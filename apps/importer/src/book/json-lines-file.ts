import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { UsageError } from '../usage-error';
import { type Line, readLines } from './lines';

/** Larger than the service's limit of 10 MB, so that the service reports a body that is too large. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** A file with one JSON object per line. It can be read once and is never held in memory as a whole. */
export class JsonLinesFile {
  private bytesRead = 0;

  private constructor(
    readonly path: string,
    private readonly size: number,
  ) {}

  /**
   * @param option the option that the path was given with
   * @throws UsageError if the file does not exist or cannot be read
   */
  static async open(path: string, option: '--file' | '--after-import'): Promise<JsonLinesFile> {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new UsageError(`There is no file ${path}. Check ${option}.`);
    if (!found.isFile()) throw new UsageError(`${path} is not a file. Give the file itself with ${option}.`);
    await access(path, constants.R_OK).catch(() => {
      throw new UsageError(`${path} cannot be read. Check its permissions.`);
    });
    return new JsonLinesFile(path, found.size);
  }

  /** The fraction of the file that has been read, 0 to 1. The number of lines is unknown before the end. */
  get fractionRead(): number {
    return this.size === 0 ? 1 : Math.min(1, this.bytesRead / this.size);
  }

  /** @param parse parses a line; undefined skips it */
  async *parse<T>(parse: (line: Line, maxBytes: number) => T | undefined): AsyncGenerator<T> {
    for await (const line of readLines(this.chunks(), MAX_LINE_BYTES)) {
      const parsed = parse(line, MAX_LINE_BYTES);
      if (parsed !== undefined) yield parsed;
    }
  }

  private async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }
}
