import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { Account, ScheduleAccountRequest } from '@portage/account-schema';
import { PortageError } from '@portage/domain';
import {
  CancelImport,
  type Caller,
  describeErrorCount,
  errorMembers,
  ImportStatus,
  type ImportProcessStatusView,
  ValidateAccount,
} from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { setPayloadDigestHeader } from '../http/payload-digest';
import { AccountCollector } from './account-collector';
import { DescribeCancel, DescribeSchedule, DescribeStatus, DescribeValidate } from './accounts.openapi';

/** Validation, scheduling, status and cancellation of accounts (contract 4.6 to 4.8). */
@Controller('v2/data-import/accounts')
export class AccountsController {
  constructor(
    private readonly validation: ValidateAccount,
    private readonly scheduling: AccountCollector,
    private readonly status: ImportStatus,
    private readonly cancellation: CancelImport,
  ) {}

  @Post('validate')
  @HttpCode(200)
  @DescribeValidate()
  async validate(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Record<string, never>> {
    const { errors, errorCount, ignoredFields } = await this.validation.validate(
      caller.organisationId,
      requireBody(body),
    );
    setIgnoredFieldsHeader(reply, ignoredFields, Account, ScheduleAccountRequest);
    if (errorCount === 0) return {};
    throw new PortageError(
      'account_failed_validation',
      `The account data is not valid: ${describeErrorCount(errorCount)}.`,
      errorMembers(errors, errorCount),
    );
  }

  @Post()
  @HttpCode(201)
  @DescribeSchedule()
  async schedule(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Record<string, never>> {
    const { ignoredFields, isReplayed, payloadDigest } = await this.scheduling.schedule(
      caller,
      requireBody(body),
      idempotencyKey,
    );
    setIgnoredFieldsHeader(reply, ignoredFields, Account, ScheduleAccountRequest);
    setReplayedHeader(reply, isReplayed);
    setPayloadDigestHeader(reply, payloadDigest);
    return {};
  }

  @Get(':supplier/:identifier')
  @DescribeStatus()
  async read(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportProcessStatusView> {
    const { view, payloadDigest } = await this.status.readV2(caller.organisationId, supplier, identifier);
    setPayloadDigestHeader(reply, payloadDigest);
    return view;
  }

  @Post(':supplier/:identifier/cancel')
  @HttpCode(200)
  @DescribeCancel()
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
  ): Promise<ImportProcessStatusView> {
    return this.cancellation.cancel(caller, supplier, identifier);
  }
}
