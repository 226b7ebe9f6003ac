import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Account } from '@portage/account-schema';
import { ProcessAccountRequest } from '@portage/account-schema/service';
import { ProcessStagedAccount, StageAccount, StagedAccountValidation } from '@portage/imports';
import { type ErrorCode, Logger } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { AcceptsIdempotencyKey, NamesIgnoredFields } from '../openapi/answer-headers';
import { AnswersError, ErrorBody } from '../openapi/errors.dto';
import { accountExamples, exampleAccount } from '../openapi/examples';
import { AlreadyImportedError, NestedErrors, ProcessedAccount, StagedAccount } from './staging.dto';

const STAGING_ERRORS: readonly ErrorCode[] = [
  'account_failed_validation',
  'account_import_process_already_imported',
  'import_supplier_migration_not_ongoing',
];

const AnswersRefusal = (description: string) =>
  AnswersError(400, description, ErrorBody, AlreadyImportedError, NestedErrors);

const BareAccount = () => ApiBody({ description: 'The account.', type: Account, examples: accountExamples });

const exampleRequest = { import_supplier_code: 'DEMO', external_account_number: 'A-100231', dry_run: false };
const exampleStaged = { external_account_number: 'A-100231', import_supplier_code: 'DEMO' };

/** The older way to import an account: stage it, then have it processed while the caller waits. */
@ApiTags('Staged accounts (v1)')
@ApiSecurity('token')
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
  @Endpoint({
    id: 'validateStagedAccount',
    summary: 'Validate an account (v1)',
    description:
      'Applies all validation rules and stores nothing. The response is the account after conversion: phone numbers in E.164, decimals as exact text, blanks dropped, undocumented fields as they came.',
    errors: STAGING_ERRORS,
    kind: 'accounts',
    isCheck: true,
  })
  @NamesIgnoredFields()
  @BareAccount()
  @ApiOkResponse({
    description: 'The converted account.',
    type: Account,
    example: {
      ...exampleAccount,
      customers: exampleAccount.customers.map((customer) => ({ ...customer, landline: '+441212345678' })),
    },
  })
  @AnswersRefusal('The account is not valid or already imported. The response has all errors.')
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
  @Endpoint({
    id: 'stageAccount',
    summary: 'Stage an account (v1)',
    description:
      'Validates and stores the account. It is created when `process` is called, whatever the creation mode of its supplier. May be repeated until the account exists: the latest stage counts.',
    errors: [
      'validation_error',
      'idempotency_key_reused',
      'quota_reached',
      ...STAGING_ERRORS,
      'import_process_in_progress',
      'external_identifier_already_exists',
    ],
    kind: 'accounts',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @BareAccount()
  @ApiCreatedResponse({
    description: 'The account is staged for the first time.',
    type: StagedAccount,
    example: exampleStaged,
  })
  @ApiOkResponse({
    description: 'An earlier stage of the account was replaced.',
    type: StagedAccount,
    example: exampleStaged,
  })
  @AnswersRefusal('Nothing was staged: the account is not valid, already imported or being processed.')
  async stage(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StagedAccount> {
    const staged = await this.staging.stage(caller, requireBody(body), idempotencyKey);
    setIgnoredFieldsHeader(reply, staged.ignoredFields, Account);
    setReplayedHeader(reply, staged.isReplayed);
    void reply.status(staged.isNew ? 201 : 200);
    return { external_account_number: staged.externalAccountNumber, import_supplier_code: staged.supplier };
  }

  @Post('account-import-process/process')
  @HttpCode(201)
  @Endpoint({
    id: 'processStagedAccount',
    summary: 'Create a staged account (v1)',
    description:
      'Creates the account while the caller waits. If no worker finishes in time the response is 503; the work is still done once, and the same request finds its outcome.',
    errors: [
      'validation_error',
      'idempotency_key_reused',
      'quota_reached',
      ...STAGING_ERRORS,
      '400',
      'operations_team_name_does_not_exist',
      'operations_team_should_be_provided',
      'operations_team_provided_when_using_auto_allocation',
      'import_process_does_not_exist',
      'import_process_in_progress',
      'external_identifier_already_exists',
    ],
    kind: 'accounts',
    importParameters: 'dry_run',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @ApiBody({
    description: 'The staged account.',
    type: ProcessAccountRequest,
    examples: {
      create: { value: exampleRequest },
      'dry run': { value: { ...exampleRequest, dry_run: true } },
    },
  })
  @ApiCreatedResponse({
    description: 'The account exists.',
    type: ProcessedAccount,
    example: {
      external_account_number: 'A-100231',
      platform_account_number: 'A-9c41e07b',
      account_number: 'A-9c41e07b',
    },
  })
  @AnswersRefusal(
    'No account was created: the request or the account is not valid, or the request was a dry run. A dry run that found nothing has the code `400`.',
  )
  @AnswersError(429, 'The limit of accounts that the supplier may have processed at once is reached.')
  @AnswersError(500, 'No account was created because of an internal error.')
  async process(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProcessedAccount> {
    const { requestId, externalAccountNumber, accountNumber, ignoredFields, isReplayed } =
      await this.processing.create(caller, requireBody(body), idempotencyKey);
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
        this.logger.warn('The outcome of a request could not be kept for its client.', { error });
      });
    };
    if (raw.destroyed || raw.socket?.destroyed === true) keep();
    else raw.once('close', keep);
  }
}
