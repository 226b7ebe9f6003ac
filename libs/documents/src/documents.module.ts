import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { DOCUMENT_STORE, type DocumentStore } from './document-store';
import { FolderDocumentStore } from './folder-document-store';
import { S3DocumentStore } from './s3-document-store';

type StoreConfig = Pick<
  Config,
  | 'PORTAGE_DIR'
  | 'DOCUMENT_STORE_URL'
  | 'DOCUMENT_STORE_TIMEOUT_MS'
  | 'DOCUMENT_STORE_CONCURRENCY'
  | 'DOCUMENT_CHECK_TIMEOUT_MS'
  | 'DOCUMENT_READ_TIMEOUT_MS'
>;

/** The store that DOCUMENT_STORE_URL names, else the folder `documents` under PORTAGE_DIR. Asks it nothing yet. */
export function documentStoreOf(config: StoreConfig): DocumentStore {
  const limits = {
    answerMilliseconds: config.DOCUMENT_STORE_TIMEOUT_MS,
    checkMilliseconds: config.DOCUMENT_CHECK_TIMEOUT_MS,
    readMilliseconds: config.DOCUMENT_READ_TIMEOUT_MS,
    concurrency: config.DOCUMENT_STORE_CONCURRENCY,
  };
  const address = config.DOCUMENT_STORE_URL;
  if (address?.kind === 's3') return new S3DocumentStore(address, limits);
  return new FolderDocumentStore(address?.directory ?? localFolder(config.PORTAGE_DIR), limits);
}

function localFolder(directory: string): string {
  const folder = resolve(directory, 'documents');
  try {
    // Only this one is made: a folder that the operator names and that is not there was not mounted.
    mkdirSync(folder, { recursive: true });
  } catch {
    // A read-only container without documents must start all the same; asking the store says what is wrong.
  }
  return folder;
}

@Global()
@Module({
  providers: [{ provide: DOCUMENT_STORE, inject: [CONFIG], useFactory: documentStoreOf }],
  exports: [DOCUMENT_STORE],
})
export class DocumentsModule {}
