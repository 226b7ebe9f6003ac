import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/config';
import type { DocumentStore, StoreLimits } from './document-store';
import { FolderDocumentStore } from './folder-document-store';

type StoreConfig = Pick<Config, 'PORTAGE_DIR' | 'DOCUMENT_STORE_URL'>;

/**
 * The limits of a document store. The check of all documents of one request has to fit into the time that a client
 * waits for its response.
 */
const STORE_LIMITS: StoreLimits = {
  operationTimeoutMs: 5_000,
  checkTimeoutMs: 20_000,
  readTimeoutMs: 60_000,
  maxConcurrent: 32,
};

/**
 * Creates the store that DOCUMENT_STORE_URL names, or else the store of the folder `documents` under PORTAGE_DIR. It
 * connects to nothing yet.
 */
export function createDocumentStore(config: StoreConfig): DocumentStore {
  const address = config.DOCUMENT_STORE_URL;
  if (address?.kind === 's3') {
    // Loaded here, because loading the SDK of S3 would slow the start of processes that store documents in a folder.
    // oxlint-disable-next-line typescript/no-require-imports -- import() cannot load it synchronously
    const { S3DocumentStore } = require('./s3-document-store') as typeof import('./s3-document-store');
    return new S3DocumentStore(address, STORE_LIMITS);
  }
  return new FolderDocumentStore(address?.directory ?? createLocalFolder(config.PORTAGE_DIR), STORE_LIMITS);
}

function createLocalFolder(directory: string): string {
  const folder = resolve(directory, 'documents');
  try {
    // A folder that the operator configures is not created: when it is missing, its volume is not mounted.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // A read-only container without documents has to start. The first store operation reports the error.
  }
  return folder;
}
