import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module';
import { createDocumentStore } from './create-document-store';
import { DOCUMENT_STORE } from './document-store';

/** Provides the configured {@link DocumentStore} to every module. */
@Global()
@Module({
  providers: [{ provide: DOCUMENT_STORE, inject: [CONFIG], useFactory: createDocumentStore }],
  exports: [DOCUMENT_STORE],
})
export class DocumentsModule {}
