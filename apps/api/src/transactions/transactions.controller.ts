import { Body, Controller, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { TransactionsRequest } from '@portage/account-schema';
import { AddTransactions } from '@portage/accounts';
import type { Caller } from '@portage/tenants';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { AcceptsIdempotencyKey, NamesIgnoredFields } from '../openapi/answer-headers';
import { AnswersError, ErrorBody } from '../openapi/errors.dto';
import { ACCOUNT_UPDATE_ERRORS } from '../openapi/possible-errors';
import { TransactionImportError, TransactionResults, TransactionsQuery } from './transactions.dto';
import { exampleResults, exampleTransactions } from './transactions.examples';

/** Adds transactions to imported accounts (contract, "Add transactions"). */
@ApiTags('After the import')
@ApiSecurity('token')
@Controller('v1/data-import/transactions')
export class TransactionsController {
  constructor(private readonly transactions: AddTransactions) {}

  @Post('create')
  @HttpCode(201)
  @Endpoint({
    id: 'createTransactions',
    summary: 'Add transactions to an imported account',
    description:
      'Adds all of them to the open statement period, or none. Safe to repeat: a transaction that the account already has is not added again. With `check_previously_added=false`, use an `Idempotency-Key` to repeat a request safely.',
    errors: [
      ...ACCOUNT_UPDATE_ERRORS,
      'transaction_outside_open_statement_period',
      'line_items_overlap_already_charged_period',
      'ledger_balance_out_of_range',
    ],
    notFound: 'There is no such imported account.',
    kind: 'transactions',
    importParameters: 'dry_run',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @ApiBody({
    description: 'The account and its transactions.',
    type: TransactionsRequest,
    examples: { transactions: { value: exampleTransactions } },
  })
  @ApiCreatedResponse({
    description: 'The result of each transaction.',
    type: TransactionResults,
    example: exampleResults,
  })
  @AnswersError(
    400,
    'Nothing was added. If a transaction is the reason, the error is about the first such one.',
    ErrorBody,
    TransactionImportError,
  )
  @AnswersError(500, 'Nothing was added because of an internal error.')
  async create(
    @CurrentCaller() caller: Caller,
    @Query() query: TransactionsQuery,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransactionResults> {
    const { results, isDryRun, ignoredFields, isReplayed } = await this.transactions.add(
      caller,
      requireBody(body),
      {
        checkPreviouslyAdded: query.check_previously_added,
        forceAddToCurrentStatement: query.force_add_to_current_statement,
      },
      idempotencyKey,
    );
    setIgnoredFieldsHeader(reply, ignoredFields, TransactionsRequest);
    setReplayedHeader(reply, isReplayed);
    return isDryRun ? { dry_run: true, results } : { results };
  }
}
