import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { UsageError } from '../usage-error';
import { type Line, readLines } from './lines';

/** Above the service's own limit of 10 MB, so that it is the service that refuses a body for its size. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** A file with one JSON object a line, read once and never held whole. */
export class JsonLinesFile {
  private read = 0;

  private constructor(
    readonly path: string,
    private readonly size: number,
  ) {}

  /**
   * @param option what the path was given with
   * @throws UsageError when there is no such file or it cannot be read
   */
  static async open(path: string, option: '--file' | '--after-import'): Promise<JsonLinesFile> {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new UsageError(`There is no file ${path}. Check ${option}.`);
    if (!found.isFile()) throw new UsageError(`${path} is not a file. Give the file itself with ${option}.`);
    await access(path, constants.R_OK).catch(() => {
      throw new UsageError(`${path} cannot be read. Check who may read it.`);
    });
    return new JsonLinesFile(path, found.size);
  }

  /** The share of the file that has been read, 0 to 1. The number of its lines is known only at the end. */
  get fractionRead(): number {
    return this.size === 0 ? 1 : Math.min(1, this.read / this.size);
  }

  /** @param parse what a line is; undefined for one that is passed over */
  async *parsed<T>(parse: (line: Line, maxBytes: number) => T | undefined): AsyncGenerator<T> {
    for await (const line of readLines(this.chunks(), MAX_LINE_BYTES)) {
      const parsed = parse(line, MAX_LINE_BYTES);
      if (parsed !== undefined) yield parsed;
    }
  }

  private async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.read += chunk.length;
      yield chunk;
    }
  }
}
