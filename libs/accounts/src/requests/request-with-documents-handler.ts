import { Injectable } from '@nestjs/common';
import type { findDocumentReferences } from '@portage/account-schema/service';
import { type Executor, type FieldError, isLarge, nextTurn } from '@portage/platform';
import { DocumentRepository } from '../documents/document.repository';
import { ImportedAccountRepository } from '../account/imported-account.repository';
import { AccountFollowUps } from './account-follow-ups';
import { fingerprint } from './fingerprint';
import { type AccountTarget, buildAccountNotFound, ImportedAccounts } from './imported-accounts';
import { KeyedRequests } from './keyed-requests';
import { DocumentPaths } from '../documents/document-paths';

/** A request to add notes or historical statements to an imported account. */
export interface RequestWithDocuments {
  organisationId: number;
  /** The API key that sent it, as the audit records it. */
  actor: string;
  /** The parsed JSON, not yet validated. */
  body: Record<string, unknown>;
  /** The header `Idempotency-Key`. */
  key?: string | undefined;
}

/** The answer to a {@link RequestWithDocuments}. */
export interface HandledRequest<Answer> {
  answer: Answer;
  /** Paths of undocumented fields in the body. */
  ignoredFields: string[];
  /** True if this is the stored answer to an earlier request with the same idempotency key. */
  isReplayed: boolean;
}

/** The answer to a request, and the documents that the written rows refer to. */
export interface WrittenDocuments<Answer> {
  answer: Answer;
  documents: readonly { path: string; kind: 'statement' | 'note' }[];
}

type BodyWithDocuments = AccountTarget & Parameters<typeof findDocumentReferences>[0];

/**
 * Handles requests that add notes or historical statements to an imported account (contract, "Add notes",
 * "Add historical statements"). It validates the body, writes everything in one transaction that holds a lock on the
 * account, and enqueues the inspection of the documents after the commit.
 */
@Injectable()
export class RequestWithDocumentsHandler {
  constructor(
    private readonly importedAccounts: ImportedAccounts,
    private readonly documentPaths: DocumentPaths,
    private readonly keyedRequests: KeyedRequests,
    private readonly accounts: ImportedAccountRepository,
    private readonly documents: DocumentRepository,
    private readonly followUps: AccountFollowUps,
  ) {}

  /**
   * @param type the class of the body
   * @param write writes all rows in the given transaction or throws; its last argument has the errors in document paths
   * @throws PortageError `validation_error`, `import_supplier_migration_not_ongoing`, `account_not_found`,
   * `idempotency_key_reused`
   * @throws DocumentStoreUnavailable if the supplier's documents are verified and the store cannot be reached
   */
  async perform<Body extends BodyWithDocuments, Answer>(
    endpoint: string,
    type: new () => Body,
    request: RequestWithDocuments,
    write: (
      executor: Executor,
      accountId: string,
      body: Body,
      errors: readonly FieldError[],
    ) => Promise<WrittenDocuments<Answer>>,
  ): Promise<HandledRequest<Answer>> {
    const { organisationId, body: submitted, key } = request;
    const { body, supplier, account, externalAccountNumber, ignoredFields } =
      await this.importedAccounts.require(type, organisationId, submitted);
    // Before the transaction, so that the account is not locked while the document store answers.
    const errors = await this.documentPaths.errorsIn(supplier, body);
    if (isLarge(submitted)) await nextTurn();
    let documentIds: string[] = [];
    const keyed = {
      organisationId,
      key,
      endpoint,
      fingerprint: fingerprint(submitted),
      accountId: account.id,
    };
    const { answer, isReplayed } = await this.keyedRequests.run(keyed, async (executor) => {
      if (!(await this.accounts.lock(executor, account.id))) throw buildAccountNotFound();
      const written = await write(executor, account.id, body, errors);
      const accountId = account.id;
      const documents = written.documents.map((document) => ({ accountId, ...document }));
      documentIds = (await this.documents.add(executor, documents)).map(({ id }) => id);
      return written.answer;
    });
    await this.followUps.enqueue([
      {
        account: { accountId: account.id, documentIds, hasWelcomeEmail: false },
        label: { organisationId, supplier: supplier.code, externalAccountNumber },
      },
    ]);
    return { answer, ignoredFields, isReplayed };
  }
}
