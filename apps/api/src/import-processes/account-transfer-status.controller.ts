import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ImportStatus, TransferStatusView } from '@portage/imports';
import type { Caller } from '@portage/tenants';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { setPayloadDigestHeader } from '../http/payload-digest';
import { SendsPayloadDigest } from '../openapi/answer-headers';

/** The v1 status of one account (contract, "Read the v1 status of an import"). */
@ApiTags('Import processes')
@ApiSecurity('token')
@Controller('v1/data-import/account-transfer-status')
export class AccountTransferStatusController {
  constructor(private readonly status: ImportStatus) {}

  @Get(':supplier/:accountNumber')
  @Endpoint({
    id: 'readAccountTransferStatus',
    summary: 'Status of one account (v1)',
    description: 'Answers whenever there is an import process, with or without an account.',
  })
  @SendsPayloadDigest()
  @ApiOkResponse({
    description: 'The status of the account.',
    type: TransferStatusView,
    example: { status: 'COMPLETED', platform_account_number: 'A-9c41e07b' },
  })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('accountNumber') accountNumber: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TransferStatusView> {
    const { view, payloadDigest } = await this.status.readV1(caller.organisationId, supplier, accountNumber);
    setPayloadDigestHeader(reply, payloadDigest);
    return view;
  }
}
