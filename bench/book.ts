import { join } from 'node:path';
import { REPOSITORY } from '@portage/testing/built-programs';
import { SampleBook } from '@portage/testing/sample-book';

export interface Book {
  /** JSON texts. */
  readonly payloads: readonly Buffer[];
  readonly meanBytes: number;
}

/** Size of the payload of a household with electricity and gas. */
const TYPICAL_BYTES = { min: 5_200, max: 6_700 };

/**
 * Typical accounts: the households of the sample book with payloads of about 6 KB. Documents are omitted, because each
 * document is inspected by a separate job after the import. The accounts of all books of a source differ, so that they
 * can be imported into the same database.
 */
export class BookSource {
  private readonly sample: SampleBook;
  private serial = 0;

  /** @param seed a part of all numbers */
  constructor(
    private readonly supplier: string,
    private readonly seed = 1,
    examples = join(REPOSITORY, 'examples'),
  ) {
    this.sample = new SampleBook(examples);
  }

  /** The next accounts. */
  next(accounts: number): Book {
    const payloads: Buffer[] = [];
    let bytes = 0;
    while (payloads.length < accounts) {
      const account = this.sample.account({ seed: this.seed, supplier: this.supplier }, this.serial);
      this.serial += 1;
      if (account['account_type'] !== 'DOMESTIC') continue;
      const payload = Buffer.from(JSON.stringify(account, withoutDocuments));
      if (payload.length < TYPICAL_BYTES.min || payload.length > TYPICAL_BYTES.max) continue;
      payloads.push(payload);
      bytes += payload.length;
    }
    return { payloads, meanBytes: bytes / accounts };
  }
}

function withoutDocuments(key: string, value: unknown): unknown {
  return key === 'statement_path' || key === 'document_paths' ? undefined : value;
}
