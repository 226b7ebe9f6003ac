import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { StatementsRequest } from '@portage/account-schema';
import { AddHistoricalStatements, type StatementsView } from '@portage/accounts';
import type { Caller } from '@portage/tenants';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { AcceptsIdempotencyKey, NamesIgnoredFields } from '../openapi/answer-headers';
import { AnswersError } from '../openapi/errors.dto';
import { ACCOUNT_UPDATE_ERRORS } from '../openapi/possible-errors';
import { exampleStatements } from './historical-statements.examples';

/** Adds historical statements to imported accounts (contract, "Add historical statements"). */
@ApiTags('After the import')
@ApiSecurity('token')
@Controller('v1/data-import/historical-statements')
export class HistoricalStatementsController {
  constructor(private readonly statements: AddHistoricalStatements) {}

  @Post('create')
  @HttpCode(201)
  @Endpoint({
    id: 'createHistoricalStatements',
    summary: 'Add historical statements to an imported account',
    description:
      'Adds all of them, or none. Safe to repeat: a statement that the account already has is left unchanged. With other content under its `statement_id` it fails the request.',
    errors: ACCOUNT_UPDATE_ERRORS,
    notFound: 'There is no such imported account.',
    kind: 'notes-and-statements',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @ApiBody({
    description: 'The account and its statements.',
    type: StatementsRequest,
    examples: { statements: { value: exampleStatements } },
  })
  @ApiOkResponse({
    description: 'The account had all statements already. The validated statements.',
    type: StatementsRequest,
    example: exampleStatements,
  })
  @ApiCreatedResponse({
    description: 'The validated statements.',
    type: StatementsRequest,
    example: exampleStatements,
  })
  @AnswersError(
    400,
    'Nothing was added: the request is not valid, or the migration of its supplier is not ongoing.',
  )
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
