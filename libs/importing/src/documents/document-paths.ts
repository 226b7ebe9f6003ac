import { Inject, Injectable } from '@nestjs/common';
import { inPayloadOrder, type PlacedFile, placedFiles } from '@portage/account-schema';
import type { ImportSupplierEntity } from '@portage/database';
import { DOCUMENT_STORE, type DocumentKey, documentKey, type DocumentStore } from '@portage/documents';
import type { FieldError } from '@portage/domain';
import { RuleSettingsDirectory } from '../operator-rules/rule-settings-directory';

/** What documents that are sent for an account must be (contract 2.3, DESIGN 4 "Document paths"). */
@Injectable()
export class DocumentPaths {
  constructor(
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    private readonly ruleSettings: RuleSettingsDirectory,
  ) {}

  /**
   * What is wrong with the document paths of notes and statements, in their order: paths that can be no document's,
   * and where the supplier's documents are verified, those that no document is at.
   *
   * @throws DocumentStoreUnavailable
   */
  async errorsIn(
    supplier: Pick<ImportSupplierEntity, 'documentRoot' | 'verifyDocuments' | 'ruleSettings'>,
    body: Parameters<typeof placedFiles>[0],
  ): Promise<FieldError[]> {
    const files = placedFiles(body);
    const { documentRoot } = supplier;
    const paths = files.map(({ file }) => file);
    const missing = (await this.areVerified(supplier)) ? await this.missing(documentRoot, paths) : new Set();
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
    return inPayloadOrder(errors, body);
  }

  /**
   * Those of the paths that no document is at.
   *
   * @throws DocumentStoreUnavailable
   */
  async missing(documentRoot: string, paths: Iterable<string>): Promise<Set<string>> {
    const keys = new Map<string, DocumentKey>();
    for (const path of paths) {
      const place = documentKey(documentRoot, path);
      if (place.outcome === 'resolved') keys.set(path, place.key);
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

/** Paths that can be no document's, whether or not documents are verified. */
export function malformedPaths(documentRoot: string, files: readonly PlacedFile[]): FieldError[] {
  return files.flatMap(({ file, path }) => {
    const place = documentKey(documentRoot, file);
    // A root that is not valid is the operator's, and is found when a document is looked at.
    return place.outcome === 'refused' && place.at === 'path'
      ? [{ attr: path, code: 'invalid', detail: place.detail }]
      : [];
  });
}

/** A path as it is stored, however it was written: equal for equal documents. */
export function storedPath(path: string): string {
  return path.replace(/^\//, '');
}
