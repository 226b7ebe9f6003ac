export { documentKey, type DocumentKey, type ResolvedDocumentPath } from './document-key';
export {
  DOCUMENT_STORE,
  type DocumentStore,
  DocumentStoreUnavailable,
  type OpenedDocument,
} from './document-store';
export { documentStoreOf, DocumentsModule } from './documents.module';
export { inspectDocument, type Inspection } from './inspect-document';
