import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { NotesRequest } from '@portage/account-schema';
import { AddNotes, type Caller, type NoteResultView } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { DescribeCreateNotes } from './notes.openapi';

/** Adds notes to imported accounts (contract 4.2). */
@Controller('v1/data-import/notes')
export class NotesController {
  constructor(private readonly notes: AddNotes) {}

  @Post('create')
  @HttpCode(201)
  @DescribeCreateNotes()
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
