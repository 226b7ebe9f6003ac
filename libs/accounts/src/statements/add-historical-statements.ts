import { Injectable } from '@nestjs/common';
import { type Statement, StatementsRequest } from '@portage/account-schema';
import { sortByPayloadOrder } from '@portage/account-schema/service';
import type { Executor, FieldError } from '@portage/platform';
import {
  HistoricalStatementRepository,
  type StoredHistoricalStatement,
} from './historical-statement.repository';
import { buildValidationError } from '../requests/imported-accounts';
import { storedPath } from '../documents/document-paths';
import {
  type HandledRequest,
  type RequestWithDocuments,
  RequestWithDocumentsHandler,
} from '../requests/request-with-documents-handler';
import { statementDifferences } from './statement-differences';

/**
 * The validated statements (contract, "Add historical statements"). `gross_amount` has the value and the type that were
 * submitted.
 */
export type StatementsView = Omit<StatementsRequest, 'statements'> & {
  statements: (Omit<Statement, 'gross_amount'> & { gross_amount?: unknown })[];
};

/** The validated statements, and whether any of them was added. */
export interface AddedStatements {
  view: StatementsView;
  /** False if the account had all statements already. */
  isAnyNew: boolean;
}

/** Adds historical statements to an imported account (contract, "Add historical statements"). */
@Injectable()
export class AddHistoricalStatements {
  constructor(
    private readonly requests: RequestWithDocumentsHandler,
    private readonly statements: HistoricalStatementRepository,
  ) {}

  /**
   * Adds all statements of the request or none. A statement that the account already has is left unchanged if it is the
   * same; with other content under its id it fails the request, with an error for each such statement. Concurrent equal
   * requests add each statement once.
   *
   * @throws as {@link RequestWithDocumentsHandler.perform}
   */
  async add(request: RequestWithDocuments): Promise<HandledRequest<AddedStatements>> {
    return this.requests.perform(
      'historical-statements',
      StatementsRequest,
      request,
      async (executor, accountId, body, errors) => {
        const { statements } = body;
        const { actor } = request;
        const [written] = await this.write(executor, [{ accountId, actor, statements, errors }]);
        const { conflicts, added } = written as WrittenStatements;
        const allErrors = sortByPayloadOrder([...errors, ...conflicts], body);
        if (allErrors.length > 0) throw buildValidationError(allErrors);
        return {
          answer: {
            view: {
              import_supplier: body.import_supplier,
              external_account_number: body.external_account_number,
              statements: withSubmittedAmounts(statements, request.body['statements']),
            },
            isAnyNew: added.length > 0 || statements.length === 0,
          },
          documents: documentsOf(added),
        };
      },
    );
  }

  /**
   * Adds the statements of requests for different accounts. A request with errors or with a conflict adds nothing. The caller
   * holds the locks of the accounts.
   *
   * @returns for each request, in their order, what was added
   */
  async write(executor: Executor, requests: readonly StatementsToWrite[]): Promise<WrittenStatements[]> {
    const existing = await this.statements.find(executor, requests);
    const written = requests.map(({ accountId, actor, statements, errors }) => {
      const stored = existing.get(accountId) ?? new Map<string, StoredHistoricalStatement>();
      const conflicts = findConflicts(statements, stored);
      const added =
        conflicts.length > 0 || errors.length > 0
          ? []
          : statements.filter(({ statement_id: id }) => !stored.has(id)).map(withStoredPath);
      return { accountId, actor, conflicts, added };
    });
    await this.statements.add(
      executor,
      written.map(({ accountId, actor, added }) => ({ accountId, actor, statements: added })),
    );
    return written;
  }
}

/** The statements that a request adds to an account, with the errors in their document paths. */
export interface StatementsToWrite {
  accountId: string;
  actor: string;
  statements: readonly Statement[];
  errors: readonly FieldError[];
}

/** What was added of a request: nothing if there are conflicts. */
export interface WrittenStatements {
  conflicts: readonly FieldError[];
  added: readonly Statement[];
}

/** The documents that statements refer to. */
export function documentsOf(statements: readonly Statement[]): { path: string; kind: 'statement' }[] {
  return statements.flatMap(({ statement_path: path }) =>
    path === undefined ? [] : [{ path, kind: 'statement' as const }],
  );
}

/** Applies the rule `historical_statement_already_exists`, which also finds an id twice in one request. */
function findConflicts(
  statements: readonly Statement[],
  existing: ReadonlyMap<string, StoredHistoricalStatement>,
): FieldError[] {
  const firsts = new Map<string, number>();
  return statements.flatMap((statement, index) => {
    const { statement_id: id } = statement;
    const detail = describeConflict(statement, existing.get(id), firsts.get(id));
    if (!firsts.has(id)) firsts.set(id, index);
    return detail === undefined
      ? []
      : [{ attr: `statements.${index}.statement_id`, code: 'historical_statement_already_exists', detail }];
  });
}

function describeConflict(
  statement: Statement,
  stored: StoredHistoricalStatement | undefined,
  first: number | undefined,
): string | undefined {
  if (first !== undefined)
    return `statements.${first} of this request has the same statement_id. Send each statement once.`;
  const differences = stored ? statementDifferences(statement, stored) : [];
  return differences.length === 0
    ? undefined
    : `The account has a statement with this statement_id and other values of ${differences.join(', ')}.`;
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
