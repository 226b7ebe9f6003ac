import { sampleAccount } from '../apps/importer/src/sample/sample-book';

export interface Book {
  /** JSON texts. */
  readonly payloads: readonly Buffer[];
  readonly meanBytes: number;
}

/** Size of the payload of a household with electricity and gas. */
const TYPICAL_BYTES = { min: 5_200, max: 6_700 };

/**
 * Typical accounts: the households of the sample book with payloads of about 6 KB. Documents are omitted, because each
 * document is inspected by a separate job after the import.
 *
 * @param seed selects different accounts
 */
export function typicalBook(accounts: number, supplier: string, seed = 1): Book {
  const payloads: Buffer[] = [];
  let bytes = 0;
  for (let serial = 0; payloads.length < accounts; serial += 1) {
    const account = sampleAccount({ seed, supplier }, serial);
    if (account['account_type'] !== 'DOMESTIC') continue;
    const payload = Buffer.from(JSON.stringify(account, withoutDocuments));
    if (payload.length < TYPICAL_BYTES.min || payload.length > TYPICAL_BYTES.max) continue;
    payloads.push(payload);
    bytes += payload.length;
  }
  return { payloads, meanBytes: bytes / accounts };
}

function withoutDocuments(key: string, value: unknown): unknown {
  return key === 'statement_path' || key === 'document_paths' ? undefined : value;
}
