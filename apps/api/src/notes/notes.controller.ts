import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { NotesRequest } from '@portage/account-schema';
import { AddNotes, NoteResultView } from '@portage/accounts';
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
import { exampleNoteResults, exampleNotes } from './notes.examples';

/** Adds notes to imported accounts (contract, "Add notes"). */
@ApiTags('After the import')
@ApiSecurity('token')
@Controller('v1/data-import/notes')
export class NotesController {
  constructor(private readonly notes: AddNotes) {}

  @Post('create')
  @HttpCode(201)
  @Endpoint({
    id: 'createNotes',
    summary: 'Add notes to an imported account',
    description:
      'Adds all of them, or none. Safe to repeat: a note is not added again if the account has one with the same body and, if it is sent, the same `created_at`. Notes without a body are compared by their documents.',
    errors: ACCOUNT_UPDATE_ERRORS,
    notFound: 'There is no such imported account.',
    kind: 'notes-and-statements',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @ApiBody({
    description: 'The account and its notes.',
    type: NotesRequest,
    examples: { notes: { value: exampleNotes } },
  })
  @ApiCreatedResponse({
    description: 'The result of each note, in the order of the request.',
    type: [NoteResultView],
    example: exampleNoteResults,
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
  ): Promise<NoteResultView[]> {
    const { answer, ignoredFields, isReplayed } = await this.notes.add({
      organisationId,
      actor,
      body: requireBody(body),
      key,
    });
    setIgnoredFieldsHeader(reply, ignoredFields, NotesRequest);
    setReplayedHeader(reply, isReplayed);
    return answer;
  }
}
