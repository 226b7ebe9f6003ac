import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { UsageError } from '../usage-error';

/** A file that has its name once it is complete. Until then it ends in `.partial`. */
export class OutputFile {
  private constructor(
    private readonly path: string,
    private readonly partial: string,
    private readonly stream: WriteStream,
    private readonly finished: Promise<void>,
  ) {}

  /** @throws UsageError if the file cannot be written */
  static async create(path: string): Promise<OutputFile> {
    const partial = `${path}.partial`;
    const handle = await open(partial, 'w', 0o600).catch((error: unknown) => {
      throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
    });
    const stream = createWriteStream(partial, { fd: handle });
    const end = finished(stream).catch((error: unknown) => {
      throw new UsageError(`${path} cannot be written: ${(error as Error).message}`);
    });
    // close() reports it.
    end.catch(() => undefined);
    return new OutputFile(path, partial, stream, end);
  }

  async write(bytes: string | Buffer): Promise<void> {
    if (!this.stream.write(bytes)) await Promise.race([once(this.stream, 'drain'), this.finished]);
  }

  async close(): Promise<void> {
    this.stream.end();
    await this.finished;
    await rename(this.partial, this.path);
  }

  /** Ends without a file. */
  async discard(): Promise<void> {
    this.stream.destroy();
    await this.finished.catch(() => undefined);
    await rm(this.partial, { force: true });
  }
}
