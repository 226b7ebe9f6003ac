import { Inject, Injectable } from '@nestjs/common';
import { AccountErasureRepository, type LockedAccount } from '@portage/accounts';
import { ImportProcessErasureRepository } from '@portage/imports';
import {
  ActingOperator,
  AuditRepository,
  Database,
  DOCUMENT_STORE,
  documentKey,
  type DocumentStore,
  DocumentStoreUnavailable,
  type Executor,
  PortageError,
} from '@portage/platform';
import { SubmissionErasureRepository } from './submission-erasure.repository';

/** The result of an erasure. */
export interface ErasedAccount {
  /** Timestamp as PostgreSQL prints it. */
  erasedAt: string;
  /** False if the account had been erased before. */
  isNew: boolean;
  /** Paths of the documents that were removed. */
  removedDocuments: string[];
  /** Paths of the documents that were not removed: other accounts use them too, or the operator retains them. */
  leftDocuments: string[];
}

/** Erases the personal data of an account (`account erase`). */
@Injectable()
export class EraseAccount {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountErasureRepository,
    private readonly processes: ImportProcessErasureRepository,
    private readonly submissions: SubmissionErasureRepository,
    private readonly audit: AuditRepository,
    @Inject(DOCUMENT_STORE) private readonly store: DocumentStore,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Erases all personal data of an account in one transaction, together with the audit entry. The import process stays,
   * so that the same account is refused when it is posted again; amounts and dates of transactions stay too. Documents
   * that no other account names, in whichever organisation, are removed first. If that fails, nothing is erased, and
   * the same command can be repeated later. Safe to repeat. Requests that arrive meanwhile wait and are refused.
   *
   * @throws PortageError `operation_refused` if the account does not exist or the document store does not answer
   */
  async erase(number: string, options: { keepsDocuments: boolean }): Promise<ErasedAccount> {
    return this.database.transaction(async (executor) => {
      const account = await this.accounts.lock(executor, number);
      if (!account) throw new PortageError('operation_refused', `There is no account ${number}.`);
      if (account.erasedAt !== null)
        return { erasedAt: account.erasedAt, isNew: false, removedDocuments: [], leftDocuments: [] };
      const { removedDocuments, leftDocuments } = await this.removeDocuments(executor, account, options);
      const erasedAt = await this.accounts.erase(executor, account);
      await this.processes.eraseImported(executor, account.processId);
      await this.submissions.erase(executor, [account]);
      await this.audit.record(executor, {
        actor: this.operator.actor,
        action: 'account.erase',
        supplier: account.supplier,
        subject: number,
        details: { documents_removed: removedDocuments.length, documents_left: leftDocuments.length },
      });
      return { erasedAt, isNew: true, removedDocuments, leftDocuments };
    });
  }

  private async removeDocuments(
    executor: Executor,
    account: LockedAccount,
    { keepsDocuments }: { keepsDocuments: boolean },
  ): Promise<Pick<ErasedAccount, 'removedDocuments' | 'leftDocuments'>> {
    const removedDocuments: string[] = [];
    const leftDocuments: string[] = [];
    try {
      for (const path of await this.accounts.documentPaths(executor, account)) {
        const located = documentKey(account.documentRoot, path);
        // Asked again for each document, because other accounts are imported while earlier ones are removed.
        if (keepsDocuments || (await this.accounts.isNamedElsewhere(executor, account, path)))
          leftDocuments.push(path);
        else {
          // A malformed path has no document.
          if (located.outcome === 'resolved') await this.store.remove(located.key);
          removedDocuments.push(path);
        }
      }
      return { removedDocuments, leftDocuments };
    } catch (error) {
      if (!(error instanceof DocumentStoreUnavailable)) throw error;
      throw new PortageError(
        'operation_refused',
        `${error.message} The account has not been erased. Repeat the command later, or with --keep-documents ` +
          'and remove the documents that it lists yourself.',
      );
    }
  }
}
