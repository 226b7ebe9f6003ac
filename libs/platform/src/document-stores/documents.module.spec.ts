import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { ConfigModule } from '../config/config.module';
import { loadConfig } from '../config/config';
import { keyOf, testFolder } from '../../test/stores';
import { DOCUMENT_STORE, type DocumentStore } from './document-store';
import { DocumentsModule } from './documents.module';
import { FolderDocumentStore } from './folder-document-store';
import { S3DocumentStore } from './s3-document-store';

describe('the configured document store', () => {
  let folder: string;
  beforeEach(() => {
    folder = testFolder();
  });

  async function storeWith(environment: NodeJS.ProcessEnv): Promise<DocumentStore> {
    const config = loadConfig('cli', { DATABASE_URL: 'postgres://127.0.0.1/portage', ...environment });
    const application = await Test.createTestingModule({
      imports: [ConfigModule.with(config), DocumentsModule],
    }).compile();
    return application.get<DocumentStore>(DOCUMENT_STORE);
  }

  it('is by default a folder under PORTAGE_DIR, which is created', async () => {
    const store = await storeWith({ PORTAGE_DIR: join(folder, 'new') });
    expect(store).toBeInstanceOf(FolderDocumentStore);
    await store.put(keyOf('acme/a.pdf'), Buffer.from('x'));
    expect(existsSync(join(folder, 'new/documents/acme/a.pdf'))).toBe(true);
  });

  it('may be any folder', async () => {
    mkdirSync(join(folder, 'acme'));
    writeFileSync(join(folder, 'acme/a.pdf'), 'four');
    const store = await storeWith({ DOCUMENT_STORE_URL: `file://${folder}` });
    expect(await store.head(keyOf('acme/a.pdf'))).toEqual({ size: 4 });
  });

  it('starts without its folder and reports the error on the first operation', async () => {
    writeFileSync(join(folder, 'file'), '');
    const store = await storeWith({
      PORTAGE_DIR: join(folder, 'file'),
      // Otherwise it is generated in PORTAGE_DIR.
      WEBHOOK_SECRETS_KEY: 'k'.repeat(32),
    });
    await expect(store.head(keyOf('a'))).rejects.toMatchObject({ reason: 'ENOTDIR' });
  });

  it('may be an S3-compatible store, which gets no request at the start', async () => {
    const store = await storeWith({ DOCUMENT_STORE_URL: 's3://bucket?endpoint=http://127.0.0.1:9' });
    expect(store).toBeInstanceOf(S3DocumentStore);
  });
});
