import { Inject, Injectable } from '@nestjs/common';
import {
  type DocumentReference,
  findDocumentReferences,
  sortByPayloadOrder,
} from '@portage/account-schema/service';
import {
  DOCUMENT_STORE,
  type DocumentKey,
  documentKey,
  type DocumentStore,
  type FieldError,
} from '@portage/platform';
import { type ImportSupplierEntity, RuleSettingsDirectory } from '@portage/tenants';

/** Checks the document paths of notes and statements (contract, "Document path"). */
@Injectable()
export class DocumentPaths {
  constructor(
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    private readonly ruleSettings: RuleSettingsDirectory,
  ) {}

  /**
   * The errors in the document paths of notes and statements, in payload order: malformed paths and, if the supplier's
   * documents are verified, paths without a stored document.
   *
   * @throws DocumentStoreUnavailable if documents are verified and the store cannot be reached
   */
  async errorsIn(
    supplier: Pick<ImportSupplierEntity, 'documentRoot' | 'verifyDocuments' | 'ruleSettings'>,
    body: Parameters<typeof findDocumentReferences>[0],
  ): Promise<FieldError[]> {
    const files = findDocumentReferences(body);
    const { documentRoot } = supplier;
    const paths = files.map(({ file }) => file);
    const missing = (await this.areVerified(supplier))
      ? await this.findMissing(documentRoot, paths)
      : new Set();
    const errors = [
      ...malformedPaths(documentRoot, files),
      ...files
        .filter(({ file }) => missing.has(file))
        .map(({ path }) => ({
          attr: path,
          code: 'path_does_not_exist_in_file_store',
          detail: 'No file was uploaded under this path.',
        })),
    ];
    return sortByPayloadOrder(errors, body);
  }

  /**
   * Returns the paths that have no stored document. Malformed paths are omitted.
   *
   * @throws DocumentStoreUnavailable if the store cannot be reached
   */
  async findMissing(documentRoot: string, paths: Iterable<string>): Promise<Set<string>> {
    const keys = new Map<string, DocumentKey>();
    for (const path of paths) {
      const located = documentKey(documentRoot, path);
      if (located.outcome === 'resolved') keys.set(path, located.key);
    }
    const existing = keys.size > 0 ? await this.store.existing(keys.values()) : new Set();
    return new Set([...keys].filter(([, key]) => !existing.has(key)).map(([path]) => path));
  }

  private async areVerified({
    verifyDocuments,
    ruleSettings,
  }: Pick<ImportSupplierEntity, 'verifyDocuments' | 'ruleSettings'>): Promise<boolean> {
    if (verifyDocuments) return true;
    const { instance } = await this.ruleSettings.forSupplier(ruleSettings);
    return instance?.check_file_paths ?? false;
  }
}

/** An error for each path that no document can have, whether or not documents are verified. */
export function malformedPaths(documentRoot: string, files: readonly DocumentReference[]): FieldError[] {
  return files.flatMap(({ file, path }) => {
    const located = documentKey(documentRoot, file);
    // An invalid document root is the operator's mistake. It is reported when a document is inspected.
    return located.outcome === 'refused' && located.at === 'path'
      ? [{ attr: path, code: 'invalid', detail: located.detail }]
      : [];
  });
}

/** The canonical form of a path, without a leading slash: equal for equal documents. */
export function storedPath(path: string): string {
  return path.replace(/^\//, '');
}
