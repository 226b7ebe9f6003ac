import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { EraseProcess, ListFailedProcesses } from '@portage/imports';
import {
  ActionPreviewView,
  ActionResultView,
  ActOnProcesses,
  BrowseProcesses,
  FindProcesses,
  FoundProcessList,
  ProcessDetailView,
  TakeBackProcess,
  ViewProcess,
} from '@portage/operators';
import { Logger, PortageError } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountWithAdditionsError } from '../../accounts/accounts.dto';
import { sendStreamed } from '../../http/streamed-answer';
import { AnswersError, ErrorBody } from '../../openapi/errors.dto';
import { CSV } from '../../submissions/results-format';
import { OperatorEndpoint } from '../operator-endpoint';
import { requireConfirmation } from '../require-confirmation';
import { toFailedCsv } from './failed-accounts';
import {
  CorrectionChanges,
  ErasedProcess,
  FindProcessesQuery,
  EraseProcessRequest,
  Payload,
  ProcessActionPreviewRequest,
  ProcessActionRequest,
  ProcessesQuery,
  ProcessPage,
  type ProcessSelection,
  TakeBackRequest,
  TakenBackProcess,
  toSelection,
} from './import-processes.dto';
import {
  exampleProcessActionPreview,
  exampleProcessActionResult,
  exampleProcessDetail,
  exampleProcessSummary,
} from './import-processes.examples';

/** Import processes, as operators see and steer them. */
@ApiTags('Import processes')
@Controller('operator/v1')
export class OperatorImportProcessesController {
  constructor(
    private readonly lists: BrowseProcesses,
    private readonly search: FindProcesses,
    private readonly views: ViewProcess,
    private readonly actions: ActOnProcesses,
    private readonly erasure: EraseProcess,
    private readonly takingBack: TakeBackProcess,
    private readonly failures: ListFailedProcesses,
    private readonly logger: Logger,
  ) {}

  @Get('processes')
  @OperatorEndpoint({
    id: 'findProcesses',
    role: 'viewer',
    summary: 'Find an account of any supplier by its number',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'At most 100 processes, by supplier.',
    type: FoundProcessList,
    example: { items: [{ ...exampleProcessSummary, import_supplier: 'DEMO' }] },
  })
  async find(@Query() { number }: FindProcessesQuery): Promise<FoundProcessList> {
    return { items: await this.search.find(number) };
  }

  @Get('suppliers/:code/processes')
  @OperatorEndpoint({
    id: 'listProcesses',
    role: 'viewer',
    summary: 'List the import processes of a supplier',
    description:
      'The newest first; with `text` by identifier. Nothing is counted. A process is at most once in the pages of one list, also while processes change; one that changes can enter or leave a filtered list.',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of processes.',
    type: ProcessPage,
    example: { items: [exampleProcessSummary], next_cursor: 'eyJpIjoiMTAwMjMxIn0' },
  })
  async list(@Param('code') code: string, @Query() query: ProcessesQuery): Promise<ProcessPage> {
    const { limit, cursor, error_code: errorCode, ...filter } = query;
    return this.lists.list(code, { ...filter, errorCode }, { limit, cursor });
  }

  @Get('suppliers/:code/processes/:id')
  @OperatorEndpoint({
    id: 'readProcess',
    role: 'viewer',
    summary: 'Read an import process',
    description: 'Everything about the account except its personal data.',
  })
  @ApiOkResponse({ description: 'The process.', type: ProcessDetailView, example: exampleProcessDetail })
  async read(@Param('code') code: string, @Param('id') id: string): Promise<ProcessDetailView> {
    return this.views.read(code, id);
  }

  @Post('suppliers/:code/processes/:id/payload')
  @OperatorEndpoint({
    id: 'readPayload',
    role: 'operator',
    summary: 'Read the payload of an account',
    description: 'Personal data. Each call writes the audit entry `process.read-payload` before it answers.',
    notFound: 'There is no such import supplier or import process, or its payload was erased.',
  })
  @ApiOkResponse({
    description: 'The payload.',
    type: Payload,
    example: { payload: { import_supplier: 'DEMO', external_account_number: 'A-100231' } },
  })
  async payload(@Param('code') code: string, @Param('id') id: string): Promise<Payload> {
    return this.views.readPayload(code, id);
  }

  @Post('suppliers/:code/processes/:id/corrections/:version')
  @OperatorEndpoint({
    id: 'readCorrection',
    role: 'operator',
    summary: 'Read what a correction has changed, with the values',
    description:
      'Personal data. Each call writes the audit entry `process.read-correction` before it answers. The paths alone are those of the process.',
    notFound: 'There is no such import supplier, import process or correction, or its values were erased.',
  })
  @ApiOkResponse({
    description: 'The first 200 changes.',
    type: CorrectionChanges,
    example: { changes: [{ path: 'customers.0.family_name', from: 'Aldous', to: 'Reed' }] },
  })
  async correction(
    @Param('code') code: string,
    @Param('id') id: string,
    @Param('version') version: string,
  ): Promise<CorrectionChanges> {
    return this.views.readChanges(code, id, version);
  }

  @Post('suppliers/:code/processes/:id/erase')
  @OperatorEndpoint({
    id: 'eraseProcess',
    role: 'admin',
    summary: 'Erase the personal data of a process that has ended without an account',
    description: 'It cannot be undone. The account can be sent again. Safe to repeat.',
    errors: ['validation_error', 'confirmation_required', 'operation_refused'],
  })
  @ApiBody({ type: EraseProcessRequest, examples: { erase: { value: { confirm: 'A-100231' } } } })
  @ApiOkResponse({
    description: 'The process is erased.',
    type: ErasedProcess,
    example: { external_account_number: 'A-100231', was_erased_before: false },
  })
  async erase(
    @Param('code') code: string,
    @Param('id') id: string,
    @Body() { confirm }: EraseProcessRequest,
  ): Promise<ErasedProcess> {
    const number = await this.views.numberOf(code, id);
    requireConfirmation(confirm, number, 'the external account number');
    const isNew = await this.erasure.erase(code, number);
    return { external_account_number: number, was_erased_before: !isNew };
  }

  @Post('suppliers/:code/processes/:id/take-back')
  @OperatorEndpoint({
    id: 'takeBackProcess',
    role: 'operator',
    summary: 'Take an imported account back',
    description:
      'Deletes the account that the import has created, if nothing was added to it since; otherwise the refusal names what was added. The process is CANCELLED, and its number can be imported again. Safe to repeat.',
    errors: [
      'validation_error',
      'confirmation_required',
      'account_not_imported',
      'account_erased',
      'account_has_additions',
      'import_process_in_progress',
      'import_supplier_migration_not_ongoing',
    ],
  })
  @ApiBody({
    type: TakeBackRequest,
    examples: { 'take back': { value: { confirm: 'A-100231', reason: 'asked_by_supplier' } } },
  })
  @ApiOkResponse({
    description: 'The account is deleted.',
    type: TakenBackProcess,
    example: { external_account_number: 'A-100231', platform_account_number: 'A-9c41e07b' },
  })
  @AnswersError(
    400,
    'The account is not imported, or something was added to it.',
    ErrorBody,
    AccountWithAdditionsError,
  )
  async takeBack(
    @Param('code') code: string,
    @Param('id') id: string,
    @Body() { confirm, reason }: TakeBackRequest,
  ): Promise<TakenBackProcess> {
    const { external_account_number: number, platform_account_number: account } = await this.views.read(
      code,
      id,
    );
    requireConfirmation(confirm, number, 'the external account number');
    await this.takingBack.takeBack(code, id, reason);
    return { external_account_number: number, platform_account_number: account };
  }

  @Get('suppliers/:code/failed-accounts')
  @OperatorEndpoint({
    id: 'downloadFailedAccounts',
    role: 'viewer',
    summary: 'Download the accounts that ended with an error',
    description: 'One line for each account, in the order of creation, and streamed. Details are masked.',
  })
  @ApiOkResponse({
    description: 'The file.',
    content: {
      'text/csv': {
        schema: { type: 'string' },
        example: '"external_account_number","status","error_code","error_detail","modified_at"\r\n',
      },
    },
  })
  async failed(
    @Param('code') code: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.views.requireSupplier(code);
    void reply.header('Content-Disposition', 'attachment; filename="failed-accounts.csv"');
    const type = `${CSV}; charset=utf-8; header=present`;
    const read = (gone: AbortSignal) => toFailedCsv(this.failures.list(code, gone));
    await sendStreamed({ type, read }, request, reply, this.logger);
  }

  @Post('suppliers/:code/process-actions/preview')
  @OperatorEndpoint({
    id: 'previewProcessAction',
    role: 'operator',
    summary: 'Preview an action on processes',
    description: 'How many processes the action would change. Changes nothing.',
    errors: ['validation_error', 'operation_refused'],
    notFound: 'There is no such import supplier, or it has no such submission.',
  })
  @ApiBody({
    type: ProcessActionPreviewRequest,
    examples: {
      retry: { value: { action: 'retry', selection: { status: 'ERRORED', error_code: 'error' } } },
    },
  })
  @ApiOkResponse({
    description: 'The preview.',
    type: ActionPreviewView,
    example: exampleProcessActionPreview,
  })
  async preview(
    @Param('code') code: string,
    @Body() { action, selection }: ProcessActionPreviewRequest,
  ): Promise<ActionPreviewView> {
    requireOneKind(selection);
    return this.actions.preview(code, action, toSelection(selection));
  }

  @Post('suppliers/:code/process-actions')
  @OperatorEndpoint({
    id: 'changeProcesses',
    role: 'operator',
    summary: 'Release, retry or cancel processes',
    description:
      'Each call considers at most 10000 processes and writes one audit entry. While `remaining` is true, call again with `next_cursor`. Safe to repeat: a process that was changed is skipped.',
    status: 202,
    errors: ['validation_error', 'operation_refused', 'confirmation_required'],
    notFound: 'There is no such import supplier, or it has no such submission.',
  })
  @ApiBody({
    type: ProcessActionRequest,
    examples: {
      retry: {
        value: {
          action: 'retry',
          selection: { status: 'ERRORED', error_code: 'error' },
          supplier_code_typed: 'DEMO',
        },
      },
    },
  })
  @ApiAcceptedResponse({
    description: 'What this call has changed.',
    type: ActionResultView,
    example: exampleProcessActionResult,
  })
  async act(
    @Param('code') code: string,
    @Body() { action, selection, supplier_code_typed: typedCode, token, cursor }: ProcessActionRequest,
  ): Promise<ActionResultView> {
    requireOneKind(selection);
    return this.actions.act(code, { action, selection: toSelection(selection), typedCode, token, cursor });
  }
}

/** @throws PortageError `validation_error` for account numbers beside another part of a selection */
function requireOneKind({ external_account_numbers: numbers, first, submission }: ProcessSelection): void {
  if (!numbers || (first ?? submission) === undefined) return;
  const detail = 'Excludes first and submission.';
  throw new PortageError('validation_error', 'The request is not valid.', {
    errors: [{ attr: 'selection.external_account_numbers', code: 'invalid', detail }],
  });
}
