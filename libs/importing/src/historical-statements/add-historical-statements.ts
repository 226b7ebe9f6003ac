import { Injectable } from '@nestjs/common';
import { inPayloadOrder, type Statement, StatementsRequest } from '@portage/account-schema';
import { type Executor, HistoricalStatementRepository } from '@portage/database';
import type { FieldError } from '@portage/domain';
import { invalid } from '../post-import/imported-accounts';
import { storedPath } from '../documents/document-paths';
import {
  type DocumentedAnswer,
  type DocumentedRequest,
  DocumentedRequestHandler,
} from '../documented-requests/documented-request-handler';

/** The validated data (contract 4.4): everything as it was read, but `gross_amount` as it was sent. */
export type StatementsView = Omit<StatementsRequest, 'statements'> & {
  statements: (Omit<Statement, 'gross_amount'> & { gross_amount?: unknown })[];
};

/** Adds statements of the past to an imported account (contract 4.4). */
@Injectable()
export class AddHistoricalStatements {
  constructor(
    private readonly requests: DocumentedRequestHandler,
    private readonly statements: HistoricalStatementRepository,
  ) {}

  /**
   * All statements of a request or none: one that the account has already refuses the request, with an error for each
   * such statement. Equal requests at once add each statement once.
   *
   * @returns what was validated
   * @throws as {@link DocumentedRequestHandler.perform}
   */
  async add(request: DocumentedRequest): Promise<DocumentedAnswer<StatementsView>> {
    return this.requests.perform(
      'historical-statements',
      StatementsRequest,
      request,
      async (executor, accountId, body, errors) => {
        const repeated = await this.repeated(executor, accountId, body.statements);
        const all = inPayloadOrder([...errors, ...repeated], body);
        if (all.length > 0) throw invalid(all);
        const stored = body.statements.map(withStoredPath);
        await this.statements.add(executor, accountId, stored);
        return {
          answer: {
            import_supplier: body.import_supplier,
            external_account_number: body.external_account_number,
            statements: withAmountsAsSent(body.statements, request.body['statements']),
          },
          documents: stored.flatMap(({ statement_path: path }) =>
            path === undefined ? [] : [{ path, kind: 'statement' as const }],
          ),
        };
      },
    );
  }

  /** The rule `historical_statement_already_exists`, also for one that stands twice in the request. */
  private async repeated(
    executor: Executor,
    accountId: string,
    statements: readonly Statement[],
  ): Promise<FieldError[]> {
    const ids = statements.map(({ statement_id }) => statement_id);
    const known = await this.statements.existing(executor, accountId, ids);
    return ids.flatMap((id, place) => {
      if (!known.has(id)) {
        known.add(id);
        return [];
      }
      return [
        {
          attr: `statements.${place}.statement_id`,
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

/** Suppliers send minor units or an amount, as a number or as text: what came back otherwise would look changed. */
function withAmountsAsSent(statements: readonly Statement[], sent: unknown): StatementsView['statements'] {
  const amounts = (sent as { gross_amount?: unknown }[]).map(({ gross_amount }) => gross_amount);
  return statements.map(({ gross_amount: read, ...statement }, place) =>
    read === undefined ? statement : { ...statement, gross_amount: amounts[place] },
  );
}
