import { createHash } from 'node:crypto';
import { extractMemberText } from '../book/member-text';
import type { AccountIndex } from '../book/account-index';
import type { JsonLinesFile } from '../book/json-lines-file';
import type { Line } from '../book/lines';
import type { BookContents } from './book-contents';

/** Bytes that are passed on together. */
const CHUNK_BYTES = 64 * 1024;

/**
 * The lines of a book as they are sent: bare accounts, with their text unchanged. Lines that are not sent become blank
 * lines, which the service skips but counts, so that it numbers lines like the file.
 */
export class SentLines {
  /** The line that was read last. */
  line = 0;

  constructor(
    private readonly book: JsonLinesFile,
    private readonly contents: BookContents,
    private readonly index: AccountIndex,
  ) {}

  /** Reads the file from its beginning. */
  async *read(): AsyncGenerator<Buffer> {
    let texts: string[] = [];
    let length = 0;
    for await (const line of this.book.parse((one) => one)) {
      const text = this.textOf(line);
      texts.push(text);
      length += text.length + 1;
      this.line = line.number;
      if (length < CHUNK_BYTES) continue;
      yield toBytes(texts);
      texts = [];
      length = 0;
    }
    if (texts.length > 0) yield toBytes(texts);
  }

  /** SHA-256 of what is sent, with the parameters of the import if there are any. Undefined if `stop` was aborted. */
  async digest(stop: AbortSignal): Promise<string | undefined> {
    const hash = createHash('sha256');
    for await (const bytes of this.read()) {
      if (stop.aborted) return undefined;
      hash.update(bytes);
    }
    const { taskParams } = this.contents;
    if (taskParams !== undefined) hash.update(JSON.stringify(taskParams));
    return hash.digest('hex');
  }

  private textOf({ number, text }: Line): string {
    const isSent =
      text !== undefined && this.contents.hasItem(number) && this.index.roleOf(number) === 'sent';
    if (!isSent) return '';
    const account = this.contents.isWrapped(number) ? extractMemberText(text, 'payload') : text;
    return account ?? '';
  }
}

function toBytes(texts: string[]): Buffer {
  return Buffer.from(`${texts.join('\n')}\n`);
}
