import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument } from '../../http/stored-file';
import { RequiresRole } from '../operator-session.guard';
import { OperatorDocument } from './operator-document';

/** Serves the OpenAPI document of the operator API to signed-in operators. */
@Controller('operator/v1')
export class OperatorDocumentController {
  constructor(private readonly document: OperatorDocument) {}

  @Get('openapi.json')
  @RequiresRole('viewer')
  @ApiExcludeEndpoint()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendDocument(this.document.file(), request, reply);
  }
}
