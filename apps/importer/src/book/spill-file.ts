import { readSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { UsageError } from '../usage-error';
import { openTemporaryFile } from './temporary-file';

/** Bytes that are written together. */
const CHUNK_BYTES = 256 * 1024;

/** Where a text is in a spill file. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

/** A temporary file of texts, for what does not fit into memory. */
export class SpillFile {
  private pending: Buffer[] = [];
  private written = 0;
  private size = 0;

  private constructor(readonly handle: FileHandle) {}

  static async create(): Promise<SpillFile> {
    return new SpillFile(await openTemporaryFile());
  }

  append(text: string): Place {
    const bytes = Buffer.from(text);
    const place = { at: this.size, length: bytes.length };
    this.pending.push(bytes);
    this.size += bytes.length;
    if (this.size - this.written >= CHUNK_BYTES) this.flush();
    return place;
  }

  read({ at, length }: Place): string {
    if (at + length > this.written) this.flush();
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const count = readSync(this.handle.fd, bytes, done, length - done, at + done);
      if (count === 0) throw new Error('A temporary file has become shorter.');
      done += count;
    }
    return bytes.toString();
  }

  /** Writes what is held back. */
  flush(): void {
    const bytes = Buffer.concat(this.pending);
    try {
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.handle.fd, bytes, done, bytes.length - done, this.written + done);
    } catch (error) {
      throw new UsageError(
        `The temporary files cannot be written to ${tmpdir()}: ${(error as Error).message}. Give TMPDIR a folder with more room.`,
      );
    }
    this.pending = [];
    this.written = this.size;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}
