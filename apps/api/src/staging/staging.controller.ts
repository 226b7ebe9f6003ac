import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { Account, ProcessAccountRequest } from '@portage/account-schema';
import { type Caller, ProcessStagedAccount, StageAccount, StagedAccountValidation } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { DescribeProcessAccount, DescribeStageAccount, DescribeValidateAccount } from './staging.openapi';

/** The older way to import an account: stage it, then have it processed while the caller waits. */
@Controller('v1/data-import')
export class StagingController {
  constructor(
    private readonly validation: StagedAccountValidation,
    private readonly staging: StageAccount,
    private readonly processing: ProcessStagedAccount,
    private readonly logger: Logger,
  ) {}

  @Post('validate-account')
  @HttpCode(200)
  @DescribeValidateAccount()
  async validate(
    @CurrentCaller() { organisationId }: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const checked = await this.validation.convert(organisationId, requireBody(body));
    setIgnoredFieldsHeader(reply, checked.ignoredFields, Account);
    if (!checked.ok) throw checked.refusal;
    return checked.converted;
  }

  @Post('account-import-process/create-or-update')
  @DescribeStageAccount()
  async stage(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ external_account_number: string; import_supplier_code: string }> {
    const staged = await this.staging.stage(caller, requireBody(body), idempotencyKey);
    setIgnoredFieldsHeader(reply, staged.ignoredFields, Account);
    setReplayedHeader(reply, staged.isReplayed);
    void reply.status(staged.isNew ? 201 : 200);
    return { external_account_number: staged.externalAccountNumber, import_supplier_code: staged.supplier };
  }

  @Post('account-import-process/process')
  @HttpCode(201)
  @DescribeProcessAccount()
  async process(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ external_account_number: string; platform_account_number: string; account_number: string }> {
    const { requestId, externalAccountNumber, accountNumber, ignoredFields, isReplayed } =
      await this.processing.process(caller, requireBody(body), idempotencyKey);
    this.keepOutcomeOfLostAnswer(reply, requestId);
    setIgnoredFieldsHeader(reply, ignoredFields, ProcessAccountRequest);
    setReplayedHeader(reply, isReplayed);
    return {
      external_account_number: externalAccountNumber,
      platform_account_number: accountNumber,
      account_number: accountNumber,
    };
  }

  /** A client that has disconnected sends the same request again, which then finds the outcome. */
  private keepOutcomeOfLostAnswer({ raw }: FastifyReply, requestId: string): void {
    const keep = () => {
      if (raw.writableFinished) return;
      this.processing.markUnanswered(requestId).catch((error: unknown) => {
        this.logger.warning('The outcome of a request could not be kept for its client.', { error });
      });
    };
    if (raw.destroyed || raw.socket?.destroyed === true) keep();
    else raw.once('close', keep);
  }
}
