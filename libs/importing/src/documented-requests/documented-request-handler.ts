import { Injectable } from '@nestjs/common';
import type { placedFiles } from '@portage/account-schema';
import { DocumentRepository, type Executor, ImportedAccountRepository } from '@portage/database';
import type { FieldError } from '@portage/domain';
import { AccountFollowUps } from '../follow-ups/account-follow-ups';
import { fingerprint } from '../idempotency/fingerprint';
import { accountNotFound, type AccountTarget, ImportedAccounts } from '../post-import/imported-accounts';
import { KeyedRequests } from '../idempotency/keyed-requests';
import { DocumentPaths } from '../documents/document-paths';

/** A request that brings notes or statements. */
export interface DocumentedRequest {
  organisationId: number;
  /** As it was sent. */
  body: Record<string, unknown>;
  /** The header `Idempotency-Key`. */
  key?: string | undefined;
}

export interface DocumentedAnswer<Answer> {
  answer: Answer;
  ignoredFields: string[];
  /** It was given before, to the same request of the same key. */
  isReplayed: boolean;
}

/** What is written for a request, and the documents that it points at. */
export interface WrittenDocuments<Answer> {
  answer: Answer;
  documents: readonly { path: string; kind: 'statement' | 'note' }[];
}

type DocumentedBody = AccountTarget & Parameters<typeof placedFiles>[0];

/**
 * The way of notes and statements of an imported account (contract 4.2, 4.4): read and checked, written in one
 * transaction that nobody else writes to the account in, and then their documents are looked at.
 */
@Injectable()
export class DocumentedRequestHandler {
  constructor(
    private readonly importedAccounts: ImportedAccounts,
    private readonly documentPaths: DocumentPaths,
    private readonly keyedRequests: KeyedRequests,
    private readonly accounts: ImportedAccountRepository,
    private readonly documents: DocumentRepository,
    private readonly followUps: AccountFollowUps,
  ) {}

  /**
   * @param write writes everything or throws; gets what is wrong with the document paths
   * @throws PortageError `validation_error`, `import_supplier_migration_not_ongoing`, `account_not_found`,
   * `idempotency_key_reused`
   * @throws DocumentStoreUnavailable where documents are verified
   */
  async perform<Body extends DocumentedBody, Answer>(
    endpoint: string,
    type: new () => Body,
    request: DocumentedRequest,
    write: (
      executor: Executor,
      accountId: string,
      body: Body,
      errors: readonly FieldError[],
    ) => Promise<WrittenDocuments<Answer>>,
  ): Promise<DocumentedAnswer<Answer>> {
    const { organisationId, body: given, key } = request;
    const { body, supplier, account, externalAccountNumber, ignoredFields } =
      await this.importedAccounts.require(type, organisationId, given);
    // The store is asked before there is a transaction, which would hold the account while it answers.
    const errors = await this.documentPaths.errorsIn(supplier, body);
    let documentIds: string[] = [];
    const keyed = { organisationId, key, endpoint, fingerprint: fingerprint(given), accountId: account.id };
    const { answer, isReplayed } = await this.keyedRequests.run(keyed, async (executor) => {
      if (!(await this.accounts.lock(executor, account.id))) throw accountNotFound();
      const written = await write(executor, account.id, body, errors);
      documentIds = await this.documents.add(executor, account.id, written.documents);
      return written.answer;
    });
    await this.followUps.enqueue(
      { accountId: account.id, documentIds, hasWelcomeEmail: false },
      { supplier: supplier.code, externalAccountNumber },
    );
    return { answer, ignoredFields, isReplayed };
  }
}
