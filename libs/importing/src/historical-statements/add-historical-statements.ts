import { Injectable } from '@nestjs/common';
import { sortByPayloadOrder, type Statement, StatementsRequest } from '@portage/account-schema';
import { type Executor, HistoricalStatementRepository } from '@portage/database';
import type { FieldError } from '@portage/domain';
import { buildValidationError } from '../post-import/imported-accounts';
import { storedPath } from '../documents/document-paths';
import {
  type DocumentedAnswer,
  type DocumentedRequest,
  DocumentedRequestHandler,
} from '../documented-requests/documented-request-handler';

/** The validated statements (contract 4.4). `gross_amount` has the value and the type that were submitted. */
export type StatementsView = Omit<StatementsRequest, 'statements'> & {
  statements: (Omit<Statement, 'gross_amount'> & { gross_amount?: unknown })[];
};

/** Adds historical statements to an imported account (contract 4.4). */
@Injectable()
export class AddHistoricalStatements {
  constructor(
    private readonly requests: DocumentedRequestHandler,
    private readonly statements: HistoricalStatementRepository,
  ) {}

  /**
   * Adds all statements of the request or none. A statement that the account already has fails the request, with an
   * error for each such statement. Concurrent equal requests add each statement once.
   *
   * @returns the validated statements
   * @throws as {@link DocumentedRequestHandler.perform}
   */
  async add(request: DocumentedRequest): Promise<DocumentedAnswer<StatementsView>> {
    return this.requests.perform(
      'historical-statements',
      StatementsRequest,
      request,
      async (executor, accountId, body, errors) => {
        const duplicates = await this.findDuplicates(executor, accountId, body.statements);
        const allErrors = sortByPayloadOrder([...errors, ...duplicates], body);
        if (allErrors.length > 0) throw buildValidationError(allErrors);
        const stored = body.statements.map(withStoredPath);
        await this.statements.add(executor, accountId, stored, request.actor);
        return {
          answer: {
            import_supplier: body.import_supplier,
            external_account_number: body.external_account_number,
            statements: withSubmittedAmounts(body.statements, request.body['statements']),
          },
          documents: stored.flatMap(({ statement_path: path }) =>
            path === undefined ? [] : [{ path, kind: 'statement' as const }],
          ),
        };
      },
    );
  }

  /** Applies the rule `historical_statement_already_exists`, which also finds an id twice in one request. */
  private async findDuplicates(
    executor: Executor,
    accountId: string,
    statements: readonly Statement[],
  ): Promise<FieldError[]> {
    const ids = statements.map(({ statement_id }) => statement_id);
    const existing = await this.statements.existing(executor, accountId, ids);
    return ids.flatMap((id, index) => {
      if (!existing.has(id)) {
        existing.add(id);
        return [];
      }
      return [
        {
          attr: `statements.${index}.statement_id`,
          code: 'historical_statement_already_exists',
          detail: 'The account has a statement with this statement_id already.',
        },
      ];
    });
  }
}

function withStoredPath({ statement_path: path, ...statement }: Statement): Statement {
  return path === undefined ? statement : { ...statement, statement_path: storedPath(path) };
}

/** Suppliers submit minor units or an amount, as a number or as text, and compare the answer with what they sent. */
function withSubmittedAmounts(
  statements: readonly Statement[],
  submitted: unknown,
): StatementsView['statements'] {
  const amounts = (submitted as { gross_amount?: unknown }[]).map(({ gross_amount }) => gross_amount);
  return statements.map(({ gross_amount: amount, ...statement }, index) =>
    amount === undefined ? statement : { ...statement, gross_amount: amounts[index] },
  );
}
