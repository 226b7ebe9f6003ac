export { documentKey, type DocumentKey } from './document-key';
export { DOCUMENT_STORE, type DocumentStore, DocumentStoreUnavailable } from './document-store';
export { createDocumentStore, DocumentsModule } from './documents.module';
export { inspectDocument } from './inspect-document';
