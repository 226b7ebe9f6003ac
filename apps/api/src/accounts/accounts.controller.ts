import {
  applyDecorators,
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Account } from '@portage/account-schema';
import { AdditionsView, describeErrorCount, errorMembers, ReadAdditions } from '@portage/accounts';
import {
  AccountCorrectionView,
  CancelImport,
  CorrectAccount,
  exampleImportProcess,
  ImportedAccountView,
  ImportProcessStatusView,
  ImportStatus,
  ReadAccount,
  TakeBackAccount,
  ValidateAccount,
} from '@portage/imports';
import { JobCorrelation, Logger, PortageError, Tracing } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { IfMatch } from '../http/if-match';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { jsonChunks } from '../http/json-chunks';
import { setPayloadDigestHeader } from '../http/payload-digest';
import { JSON_TYPE, sendStreamed } from '../http/streamed-answer';
import {
  AcceptsIdempotencyKey,
  AcceptsIfMatch,
  CountsDocuments,
  NamesIgnoredFields,
  SendsPayloadDigest,
} from '../openapi/answer-headers';
import { AnswersError, ErrorBody } from '../openapi/errors.dto';
import {
  accountExamples,
  exampleAccount,
  exampleAdditions,
  exampleCorrection,
  exampleImportedAccount,
} from '../openapi/examples';
import { AccountCollector } from './account-collector';
import {
  AccountAdditionsQuery,
  AccountWithAdditionsError,
  EmptyObject,
  ImportedAccountError,
  ValidAccount,
  ValidationQuery,
  WrappedAccount,
} from './accounts.dto';

/** The body of an account, with or without options. The use cases validate it. */
const AccountBody = () =>
  applyDecorators(
    ApiExtraModels(Account, WrappedAccount),
    ApiBody({
      description: 'The account itself, or `{ payload, task_params }`.',
      schema: { anyOf: [{ $ref: getSchemaPath(Account) }, { $ref: getSchemaPath(WrappedAccount) }] },
      examples: {
        ...accountExamples,
        'with options': {
          summary: 'An account with options: a dry run',
          value: { payload: exampleAccount, task_params: { is_dry_run: true } },
        },
      },
    }),
  );

/**
 * Validation, scheduling, status and cancellation of accounts (contract, "Validate an account" to
 * "Read the status of an import").
 */
@ApiTags('Accounts')
@ApiSecurity('token')
@Controller('v2/data-import/accounts')
export class AccountsController {
  constructor(
    private readonly validation: ValidateAccount,
    private readonly scheduling: AccountCollector,
    private readonly status: ImportStatus,
    private readonly cancellation: CancelImport,
    private readonly correction: CorrectAccount,
    private readonly takingBack: TakeBackAccount,
    private readonly reading: ReadAccount,
    private readonly additions: ReadAdditions,
    private readonly tracing: Tracing,
    private readonly logger: Logger,
  ) {}

  @Post('validate')
  @HttpCode(200)
  @Endpoint({
    id: 'validateAccount',
    summary: 'Validate account data',
    description:
      'Finds everything for which scheduling would refuse the account, and stores nothing. The response has all errors, up to a limit that the operator sets; beyond it `error_count` has their number, and the last one is `too_many_errors`. With `?warnings=true` the response of a valid account lists what is implausible in it.',
    errors: ['account_failed_validation'],
    kind: 'accounts',
    importParameters: 'task_params',
    isCheck: true,
  })
  @NamesIgnoredFields()
  @AccountBody()
  @ApiOkResponse({ description: 'The account is valid.', type: ValidAccount, example: {} })
  @AnswersError(400, 'The account is not valid.')
  async validate(
    @CurrentCaller() caller: Caller,
    @Query() query: ValidationQuery,
    @Body() body: Record<string, unknown> | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ValidAccount> {
    const { errors, errorCount, ignoredFields, warnings } = await this.validation.validate(
      caller.organisationId,
      requireBody(body),
      query.warnings,
    );
    setIgnoredFieldsHeader(reply, ignoredFields, Account);
    if (errorCount === 0) return query.warnings ? { warnings } : {};
    throw new PortageError(
      'account_failed_validation',
      `The account data is not valid: ${describeErrorCount(errorCount)}.`,
      errorMembers(errors, errorCount),
    );
  }

  @Post()
  @HttpCode(201)
  @Endpoint({
    id: 'scheduleAccount',
    summary: 'Schedule the creation of an account',
    description:
      'Stores the account and creates it in the background. Safe to repeat: sending the same account again during its creation changes nothing. A process that is PENDING keeps its window and `is_dry_run` unless `task_params` set them.',
    errors: [
      'validation_error',
      'idempotency_key_reused',
      'quota_reached',
      'import_process_failed_validation',
      'account_import_process_already_imported',
      'import_process_in_progress',
      'import_supplier_migration_not_ongoing',
      'external_identifier_already_exists',
      'schedule_window_start_in_past',
      'schedule_window_start__after_end',
      'schedule_window_start_too_far_in_future',
      'schedule_window_end_too_far_in_future',
    ],
    kind: 'accounts',
    importParameters: 'task_params',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @SendsPayloadDigest()
  @AccountBody()
  @ApiCreatedResponse({
    description: 'The account is stored, and its creation is scheduled.',
    type: EmptyObject,
    example: {},
  })
  @AnswersError(
    400,
    'The account is not valid or already imported, or the migration of its supplier is not ongoing.',
    ErrorBody,
    ImportedAccountError,
  )
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
    setIgnoredFieldsHeader(reply, ignoredFields, Account);
    setReplayedHeader(reply, isReplayed);
    setPayloadDigestHeader(reply, payloadDigest);
    return {};
  }

  @Get(':supplier/:identifier')
  @Endpoint({
    id: 'readAccountImport',
    summary: 'Status of one account import',
    description: 'The status, the latest event and the latest error of the import process.',
  })
  @SendsPayloadDigest()
  @CountsDocuments()
  @ApiOkResponse({
    description: 'The status of the import.',
    type: ImportProcessStatusView,
    example: exampleImportProcess,
  })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportProcessStatusView> {
    const { view, payloadDigest, documents } = await this.status.readV2(
      caller.organisationId,
      supplier,
      identifier,
    );
    setPayloadDigestHeader(reply, payloadDigest);
    if (documents && documents.named > 0)
      void reply.header(
        'Documents',
        `named=${documents.named}, missing=${documents.missing}, refused=${documents.refused}`,
      );
    return view;
  }

  @Get(':supplier/:identifier/account')
  @Endpoint({
    id: 'readAccount',
    summary: 'An account as it was imported',
    description:
      'For comparison with what was sent. The account is read from what is stored, without what was added after the import, which `additions` counts. The audit has an entry for each reading.',
    errors: ['quota_reached'],
    notFound: 'There is no imported account with this external identifier, or its personal data was erased.',
    kind: 'lists',
  })
  @ApiOkResponse({
    description: 'The account.',
    type: ImportedAccountView,
    example: exampleImportedAccount,
  })
  async readAccount(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const read = async () => jsonChunks(await this.reading.read(caller, supplier, identifier));
    await sendStreamed({ type: JSON_TYPE, read }, request, reply, this.logger);
  }

  @Get(':supplier/:identifier/additions')
  @Endpoint({
    id: 'readAccountAdditions',
    summary: 'What was added to an account since its import',
    description:
      'The balances of the ledgers, the numbers of additions, and a page of those of one `kind`, oldest first, 100 unless `limit` says otherwise. Without `kind` there are no items. Additions are what requests have added: notes, transactions, historical statements and payment instructions; corrections leave them as they are. The audit has an entry for each reading.',
    errors: ['quota_reached', 'validation_error'],
    notFound: 'There is no imported account with this external identifier, or its personal data was erased.',
    kind: 'lists',
  })
  @ApiOkResponse({
    description: 'Balances, counts and a page of additions.',
    type: AdditionsView,
    example: exampleAdditions,
  })
  async readAdditions(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
    @Query() query: AccountAdditionsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const read = async () => jsonChunks(await this.additions.read(caller, supplier, identifier, query));
    await sendStreamed({ type: JSON_TYPE, read }, request, reply, this.logger);
  }

  @Post(':supplier/:identifier/cancel')
  @HttpCode(200)
  @Endpoint({
    id: 'cancelAccountImport',
    summary: 'Cancel the import of an account that has not begun, or waits for its release',
    description: 'Safe to repeat. The account can be scheduled again afterwards.',
    errors: [
      'import_process_in_progress',
      'import_process_not_pending',
      'account_import_process_already_imported',
    ],
    kind: 'accounts',
  })
  @ApiOkResponse({
    description: 'The import is cancelled. The response is its status.',
    type: ImportProcessStatusView,
    example: { ...exampleImportProcess, status: 'CANCELLED', platform_identifier: null },
  })
  @AnswersError(400, 'The import has begun or has ended.', ErrorBody, ImportedAccountError)
  async cancel(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
  ): Promise<ImportProcessStatusView> {
    return this.cancellation.cancel(caller, supplier, identifier);
  }

  @Post(':supplier/:identifier/correct')
  @HttpCode(201)
  @Endpoint({
    id: 'correctAccount',
    summary: 'Correct an imported account',
    description:
      'The body is the whole account, as for scheduling. A worker replaces what the import has written, and leaves what was added since; the status shows the outcome. Safe to repeat. With `task_params.is_dry_run` nothing changes.',
    errors: [
      'account_failed_validation',
      'account_not_imported',
      'account_erased',
      'corrections_not_allowed',
      'external_identifier_already_exists',
      'import_process_in_progress',
      'import_supplier_migration_not_ongoing',
      'precondition_failed',
    ],
    notFound: 'No account of this external identifier was sent.',
    kind: 'accounts',
    importParameters: 'task_params',
  })
  @AcceptsIfMatch()
  @NamesIgnoredFields()
  @SendsPayloadDigest()
  @AccountBody()
  @ApiCreatedResponse({
    description: 'The correction is stored, and scheduled.',
    type: AccountCorrectionView,
    example: exampleCorrection,
  })
  @ApiOkResponse({
    description: 'The account has this content already: `changes` is empty.',
    type: AccountCorrectionView,
    example: { ...exampleCorrection, version: 1, changes: [], change_count: 0 },
  })
  @AnswersError(400, 'The account is not valid, or cannot be corrected.')
  async correct(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
    @Body() body: Record<string, unknown> | undefined,
    @IfMatch() ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountCorrectionView> {
    const { traceparent } = this.tracing;
    const { view, isScheduled, ignoredFields, payloadDigest } = await this.correction.correct(
      caller,
      supplier,
      identifier,
      { body: requireBody(body), ifMatch, request: { traceparent, correlation: JobCorrelation.active } },
    );
    setIgnoredFieldsHeader(reply, ignoredFields, Account);
    setPayloadDigestHeader(reply, payloadDigest);
    void reply.status(isScheduled ? 201 : 200);
    return view;
  }

  @Post(':supplier/:identifier/take-back')
  @HttpCode(200)
  @Endpoint({
    id: 'takeBackAccount',
    summary: 'Take an imported account back',
    description:
      'Deletes the account that the import has created, if nothing was added to it since. Its number can be imported again. Safe to repeat.',
    errors: [
      'account_not_imported',
      'account_erased',
      'account_has_additions',
      'import_process_in_progress',
      'import_supplier_migration_not_ongoing',
    ],
    notFound: 'No account of this external identifier was sent.',
    kind: 'accounts',
  })
  @ApiOkResponse({
    description: 'The account is deleted. The response is the status of its import.',
    type: ImportProcessStatusView,
    example: { ...exampleImportProcess, status: 'CANCELLED', platform_identifier: null },
  })
  @AnswersError(
    400,
    'The account is not imported, or something was added to it.',
    ErrorBody,
    AccountWithAdditionsError,
  )
  async takeBack(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Param('identifier') identifier: string,
  ): Promise<ImportProcessStatusView> {
    return this.takingBack.takeBack(caller, supplier, identifier);
  }
}
