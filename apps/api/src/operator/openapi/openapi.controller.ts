import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RequiresRole } from '../operator-session.guard';
import { OperatorDocument } from './operator-document';

/** Serves the OpenAPI document of the operator API to signed-in operators. */
@Controller('operator/v1')
export class OperatorDocumentController {
  constructor(private readonly document: OperatorDocument) {}

  @Get('openapi.json')
  @RequiresRole('viewer')
  @ApiExcludeEndpoint()
  read(@Res() reply: FastifyReply): void {
    void reply.type('application/json; charset=utf-8').send(this.document.text());
  }
}
