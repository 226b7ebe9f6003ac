import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { StatementsRequest } from '@portage/account-schema';
import { AddHistoricalStatements, type Caller, type StatementsView } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { DescribeCreateHistoricalStatements } from './historical-statements.openapi';

/** Adds historical statements to imported accounts (contract 4.4). */
@Controller('v1/data-import/historical-statements')
export class HistoricalStatementsController {
  constructor(private readonly statements: AddHistoricalStatements) {}

  @Post('create')
  @HttpCode(201)
  @DescribeCreateHistoricalStatements()
  async create(
    @CurrentCaller() { organisationId, actor }: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatementsView> {
    const { answer, ignoredFields, isReplayed } = await this.statements.add({
      organisationId,
      actor,
      body: requireBody(body),
      key,
    });
    setIgnoredFieldsHeader(reply, ignoredFields, StatementsRequest);
    setReplayedHeader(reply, isReplayed);
    if (!answer.isAnyNew) void reply.status(200);
    return answer.view;
  }
}
