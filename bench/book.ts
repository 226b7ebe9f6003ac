import { sampleAccount } from '../apps/importer/src/sample/sample-book';

export interface Book {
  /** Each a JSON text. */
  readonly payloads: readonly Buffer[];
  readonly meanBytes: number;
}

/** Of a household with electricity and gas. */
const TYPICAL_BYTES = { least: 5_200, most: 6_700 };

/**
 * Typical accounts: the households of the sample book that are about 6 KB long. Documents are left out, because
 * looking at one is a job of its own, after the account.
 *
 * @param seed another one gives other accounts
 */
export function typicalBook(accounts: number, supplier: string, seed = 1): Book {
  const payloads: Buffer[] = [];
  let bytes = 0;
  for (let serial = 0; payloads.length < accounts; serial += 1) {
    const account = sampleAccount({ seed, supplier }, serial);
    if (account['account_type'] !== 'DOMESTIC') continue;
    const payload = Buffer.from(JSON.stringify(account, withoutDocuments));
    if (payload.length < TYPICAL_BYTES.least || payload.length > TYPICAL_BYTES.most) continue;
    payloads.push(payload);
    bytes += payload.length;
  }
  return { payloads, meanBytes: bytes / accounts };
}

function withoutDocuments(key: string, value: unknown): unknown {
  return key === 'statement_path' || key === 'document_paths' ? undefined : value;
}
