import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { JsonLinesFile } from '../book/json-lines-file';
import { UsageError } from '../usage-error';

/** Collects the numbers of refused lines, and copies these lines from the file at the end of the run. */
export interface RejectedLines {
  add(line: number): void;
  /** Copies the lines in the order of the file, byte for byte. Without a file there are none. */
  write(file: JsonLinesFile | undefined): Promise<void>;
  /** Call at the end, also of a run that writes nothing because it could not start. */
  close(): Promise<void>;
}

/** For runs without --rejected. */
export const noRejectedLines: RejectedLines = {
  add: () => undefined,
  write: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** The refused lines as a file that can be corrected and sent. */
export class RejectedLinesFile implements RejectedLines {
  private readonly lines = new Set<number>();

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** Creates the file or empties an existing one. @throws UsageError if the file cannot be written */
  static async create(path: string): Promise<RejectedLinesFile> {
    const handle = await open(path, 'w', 0o600).catch((error: unknown) => {
      throw new UsageError(`The refused lines cannot be written to ${path}: ${(error as Error).message}`);
    });
    return new RejectedLinesFile(path, handle);
  }

  add(line: number): void {
    this.lines.add(line);
  }

  async write(file: JsonLinesFile | undefined): Promise<void> {
    const lines =
      file === undefined || this.lines.size === 0 ? [] : file.copy((line) => this.lines.has(line));
    await pipeline(Readable.from(lines), createWriteStream(this.path, { fd: this.handle }));
  }

  async close(): Promise<void> {
    // Without effect after write(), whose stream has closed it.
    await this.handle.close();
  }
}
