import { Controller, Get, Req, Res } from '@nestjs/common';
import { buildCatalogue } from '@portage/account-schema';
import { ERROR_EXPLANATIONS, type ErrorCode, LINE_ERROR_CODES, OPERATOR_ERROR_CODES } from '@portage/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressText } from '../http/compression';
import { HTTP_STATUS } from '../http/error-filter';
import { DescribeErrorCodes } from './error-codes.openapi';

/** The catalogue of fields, rules and error codes, with explanations and corrections. It is the same for everyone. */
@Controller('v2/data-import/error-codes')
export class ErrorCodesController {
  /** Built at the first request. It depends on nothing but the release. */
  private catalogue: string | undefined;

  @Get()
  @DescribeErrorCodes()
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.catalogue ??= JSON.stringify(buildErrorCatalogue());
    void reply.type('application/json; charset=utf-8');
    await reply.send(await compressText(this.catalogue, request, reply));
  }
}

function buildErrorCatalogue(): object {
  const codes = Object.entries(ERROR_EXPLANATIONS)
    .filter(([code]) => !OPERATOR_ERROR_CODES.includes(code as ErrorCode))
    .map(([code, texts]) => ({ code, status: HTTP_STATUS[code as ErrorCode], ...texts }));
  const lines = Object.entries(LINE_ERROR_CODES).map(([code, texts]) => ({ code, ...texts }));
  return { error_codes: codes, line_codes: lines, ...buildCatalogue() };
}
