import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ListFailedProcesses } from '@portage/imports';
import {
  ActionPreviewView,
  ActionResultView,
  ActOnProcesses,
  BrowseProcesses,
  canReadPayloads,
  FindProcesses,
  FoundProcessList,
  ProcessDetailView,
  type SignedInOperator,
  TakeBackProcess,
  ViewProcess,
} from '@portage/operators';
import { Logger, PortageError } from '@portage/platform';
import { EraseProcess } from '@portage/submissions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStreamed } from '../../http/streamed-answer';
import { CSV } from '../../submissions/results-format';
import { CurrentOperator } from '../current-operator';
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

/** Import processes, as operators see and steer them. */
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
  @OperatorEndpoint('viewer')
  async find(@Query() { number }: FindProcessesQuery): Promise<FoundProcessList> {
    return { items: await this.search.find(number) };
  }

  /**
   * The newest first; with `text` by identifier. Nothing is counted. A process is at most once in the pages of one
   * list, also while processes change; one that changes can enter or leave a filtered list.
   */
  @Get('suppliers/:code/processes')
  @OperatorEndpoint('viewer')
  async list(@Param('code') code: string, @Query() query: ProcessesQuery): Promise<ProcessPage> {
    const { limit, cursor, error_code: errorCode, ...filter } = query;
    return this.lists.list(code, { ...filter, errorCode }, { limit, cursor });
  }

  /**
   * Everything about the account except its personal data. The sentences of errors and warnings, which may quote it, are
   * for roles that may read payloads.
   */
  @Get('suppliers/:code/processes/:id')
  @OperatorEndpoint('viewer')
  async read(
    @Param('code') code: string,
    @Param('id') id: string,
    @CurrentOperator() { role }: SignedInOperator,
  ): Promise<ProcessDetailView> {
    return this.views.read(code, id, canReadPayloads(role));
  }

  /** Personal data. Each call writes the audit entry `process.read-payload` before it answers. */
  @Post('suppliers/:code/processes/:id/payload')
  @OperatorEndpoint('operator')
  async payload(@Param('code') code: string, @Param('id') id: string): Promise<Payload> {
    return this.views.readPayload(code, id);
  }

  /**
   * Personal data. Each call writes the audit entry `process.read-correction` before it answers. The paths alone are
   * those of the process.
   */
  @Post('suppliers/:code/processes/:id/corrections/:version')
  @OperatorEndpoint('operator')
  async correction(
    @Param('code') code: string,
    @Param('id') id: string,
    @Param('version') version: string,
  ): Promise<CorrectionChanges> {
    return this.views.readChanges(code, id, version);
  }

  /** It cannot be undone. The account can be sent again. Safe to repeat. */
  @Post('suppliers/:code/processes/:id/erase')
  @OperatorEndpoint('admin')
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

  /**
   * Deletes the account that the import has created, if nothing was added to it since; otherwise the refusal names
   * what was added. The process is CANCELLED, and its number can be imported again. Safe to repeat.
   */
  @Post('suppliers/:code/processes/:id/take-back')
  @OperatorEndpoint('operator')
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

  /** One line for each account, in the order of creation, and streamed. Sentences are for roles that may read payloads. */
  @Get('suppliers/:code/failed-accounts')
  @OperatorEndpoint('viewer')
  async failed(
    @Param('code') code: string,
    @CurrentOperator() { role }: SignedInOperator,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.views.requireSupplier(code);
    void reply.header('Content-Disposition', 'attachment; filename="failed-accounts.csv"');
    const type = `${CSV}; charset=utf-8; header=present`;
    const read = (gone: AbortSignal) => toFailedCsv(this.failures.list(code, gone), canReadPayloads(role));
    await sendStreamed({ type, read }, request, reply, this.logger);
  }

  /** How many processes the action would change. Changes nothing. */
  @Post('suppliers/:code/process-actions/preview')
  @OperatorEndpoint('operator')
  async preview(
    @Param('code') code: string,
    @Body() { action, selection }: ProcessActionPreviewRequest,
  ): Promise<ActionPreviewView> {
    requireOneKind(selection);
    return this.actions.preview(code, action, toSelection(selection));
  }

  /**
   * Each call considers at most 10000 processes and writes one audit entry. While `remaining` is true, call again
   * with `next_cursor`. Safe to repeat: a process that was changed is skipped.
   */
  @Post('suppliers/:code/process-actions')
  @OperatorEndpoint('operator', 202)
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
