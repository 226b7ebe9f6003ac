import { Body, Controller, HttpCode, Post, Query, Res } from '@nestjs/common';
import { type Caller, AddTransactions, type TransactionResult } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayed } from '../http/idempotency-key';
import { setIgnoredFields } from '../http/ignored-fields';
import { givenBody } from '../http/json-body';
import { transactionsQuery } from './transactions-query';
import { DescribeCreateTransactions } from './transactions.openapi';

/** Transactions for accounts that were imported (contract 4.3). */
@Controller('v1/data-import/transactions')
export class TransactionsController {
  constructor(private readonly transactions: AddTransactions) {}

  @Post('create')
  @HttpCode(201)
  @DescribeCreateTransactions()
  async create(
    @CurrentCaller() { organisationId }: Caller,
    @Query() query: Record<string, unknown>,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ results: TransactionResult[] }> {
    const options = transactionsQuery(query);
    const { results, ignoredFields, isReplayed } = await this.transactions.add(
      organisationId,
      givenBody(body),
      options,
      idempotencyKey,
    );
    setIgnoredFields(reply, ignoredFields);
    setReplayed(reply, isReplayed);
    return { results };
  }
}
