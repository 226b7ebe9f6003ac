import { Inject, Injectable } from '@nestjs/common';
import {
  AccountErasureRepository,
  AuditRepository,
  Database,
  type LockedAccount,
  type UsedDocument,
} from '@portage/database';
import {
  DOCUMENT_STORE,
  documentKey,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '@portage/documents';
import { OPERATOR } from '../audit/operator';
import { Refusal } from '../refusal';

/** What an erasure has come to. */
export interface ErasedAccount {
  /** PostgreSQL's text. */
  erasedAt: string;
  /** False where it had been erased before: nothing was left to do. */
  isNew: boolean;
  /** Paths that no document is at any more. */
  removedDocuments: string[];
  /** Paths below the supplier's root that other accounts point at too, or that were to be left. */
  leftDocuments: string[];
}

/** Does what a person's request for erasure asks for (`account erase`). */
@Injectable()
export class EraseAccount {
  constructor(
    private readonly database: Database,
    private readonly erasure: AccountErasureRepository,
    private readonly audit: AuditRepository,
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    @Inject(OPERATOR) private readonly operator: string,
  ) {}

  /**
   * Erases everything personal of an account in one transaction, with its entry in the audit. What stays is its import
   * process, which refuses the same account when it is posted again, and amounts and dates of what was booked. Its
   * documents are removed first, those that no other account uses: where that fails, nothing is erased, and the same
   * command does the rest later. Safe to repeat.
   *
   * @throws Refusal when there is no such account, or the document store does not answer
   */
  async erase(number: string, options: { keepsDocuments: boolean }): Promise<ErasedAccount> {
    return this.database.transaction(async (executor) => {
      const account = await this.erasure.lock(executor, number);
      if (!account) throw new Refusal(`There is no account ${number}.`);
      if (account.erasedAt !== null)
        return { erasedAt: account.erasedAt, isNew: false, removedDocuments: [], leftDocuments: [] };
      const documents = await this.erasure.documents(executor, account);
      const isRemoved = ({ isShared }: UsedDocument) => !isShared && !options.keepsDocuments;
      const removedDocuments = documents.filter(isRemoved).map(({ path }) => path);
      const leftDocuments = documents.filter((one) => !isRemoved(one)).map(({ path }) => path);
      await this.remove(account, removedDocuments);
      const erasedAt = await this.erasure.erase(executor, account);
      await this.audit.record(executor, {
        actor: this.operator,
        action: 'account.erase',
        supplier: account.supplier,
        subject: number,
        details: { documents_removed: removedDocuments.length, documents_left: leftDocuments.length },
      });
      return { erasedAt, isNew: true, removedDocuments, leftDocuments };
    });
  }

  private async remove({ documentRoot }: LockedAccount, paths: readonly string[]): Promise<void> {
    try {
      for (const path of paths) {
        const place = documentKey(documentRoot, path);
        // A path that can be no document's has none.
        if (place.outcome === 'resolved') await this.store.remove(place.key);
      }
    } catch (error) {
      if (!(error instanceof DocumentStoreUnavailable)) throw error;
      throw new Refusal(
        `${error.message} The account has not been erased. Give the command again later, or with --keep-documents ` +
          'and remove the documents that it lists yourself.',
      );
    }
  }
}
