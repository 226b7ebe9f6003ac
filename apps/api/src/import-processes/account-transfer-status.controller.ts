import { Controller, Get, Param, Res } from '@nestjs/common';
import { type Caller, ImportStatus, type TransferStatusView } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { setPayloadDigestHeader } from '../http/payload-digest';
import { DescribeTransferStatus } from './import-processes.openapi';

/** The v1 status of one account (contract 4.9). */
@Controller('v1/data-import/account-transfer-status')
export class AccountTransferStatusController {
  constructor(private readonly status: ImportStatus) {}

  @Get(':supplier/:accountNumber')
  @DescribeTransferStatus()
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
