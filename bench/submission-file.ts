import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { sampleAccount } from '../apps/importer/src/sample/sample-book';

export interface SubmissionFile {
  readonly path: string;
  readonly accounts: number;
  /** Unpacked, and packed with gzip. */
  readonly bytes: number;
  readonly packedBytes: number;
}

/**
 * Writes a packed file of generated accounts of all kinds, one a line, in constant memory. Documents are omitted, because
 * each document is inspected by a separate job after the import.
 *
 * @param seed selects different accounts
 */
export async function writeSubmissionFile(
  path: string,
  accounts: number,
  supplier: string,
  seed = 1,
): Promise<SubmissionFile> {
  let bytes = 0;
  function* lines(): Generator<string> {
    for (let serial = 0; serial < accounts; serial += 1) {
      const line = `${JSON.stringify(sampleAccount({ seed, supplier }, serial), withoutDocuments)}\n`;
      bytes += Buffer.byteLength(line);
      yield line;
    }
  }
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline(Readable.from(lines()), gzip, createWriteStream(path));
  return { path, accounts, bytes, packedBytes: (await stat(path)).size };
}

/** The packed bytes of a file. */
export function readSubmissionFile({ path }: SubmissionFile): Readable {
  return createReadStream(path);
}

function withoutDocuments(key: string, value: unknown): unknown {
  return key === 'statement_path' || key === 'document_paths' ? undefined : value;
}
