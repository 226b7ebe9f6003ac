import { Body, Controller, HttpCode, Post, Query, Res } from '@nestjs/common';
import { TransactionsRequest } from '@portage/account-schema';
import { type Caller, AddTransactions, type TransactionResult } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { parseTransactionsQuery } from './transactions-query';
import { DescribeCreateTransactions } from './transactions.openapi';

/** Adds transactions to imported accounts (contract 4.3). */
@Controller('v1/data-import/transactions')
export class TransactionsController {
  constructor(private readonly transactions: AddTransactions) {}

  @Post('create')
  @HttpCode(201)
  @DescribeCreateTransactions()
  async create(
    @CurrentCaller() caller: Caller,
    @Query() query: Record<string, unknown>,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ dry_run?: true; results: TransactionResult[] }> {
    const options = parseTransactionsQuery(query);
    const { results, isDryRun, ignoredFields, isReplayed } = await this.transactions.add(
      caller,
      requireBody(body),
      options,
      idempotencyKey,
    );
    setIgnoredFieldsHeader(reply, ignoredFields, TransactionsRequest);
    setReplayedHeader(reply, isReplayed);
    return isDryRun ? { dry_run: true, results } : { results };
  }
}
