import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { IMPORT_PROCESS_STATUSES, STEERING_EVENTS, type SteeringAction } from '@portage/domain';
import {
  type ActionPreviewView,
  type ActionResultView,
  type ActionSelection,
  ActOnProcesses,
  BrowseProcesses,
  EraseProcess,
  type Page,
  type ProcessDetailView,
  type ProcessSummaryView,
  SupplierReport,
  ViewProcess,
} from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendTextStream } from '../../http/json-stream';
import { CSV } from '../../submissions/results-format';
import { InputReader, readBody, readQuery, requireTyped } from '../read-input';
import { toFailedCsv } from './failed-accounts';
import {
  DescribeAction,
  DescribeEraseProcess,
  DescribeFailedAccounts,
  DescribePayload,
  DescribePreview,
  DescribeProcess,
  DescribeProcesses,
  MAX_SELECTED_NUMBERS,
} from './import-processes.openapi';

type Input = Record<string, unknown>;

const ACTIONS = Object.keys(STEERING_EVENTS) as SteeringAction[];

/** Import processes, as operators see and steer them. */
@Controller('operator/v1')
export class OperatorImportProcessesController {
  constructor(
    private readonly lists: BrowseProcesses,
    private readonly views: ViewProcess,
    private readonly actions: ActOnProcesses,
    private readonly erasure: EraseProcess,
    private readonly report: SupplierReport,
    private readonly logger: Logger,
  ) {}

  @Get('suppliers/:code/processes')
  @DescribeProcesses()
  async list(@Param('code') code: string, @Query() query: Input): Promise<Page<ProcessSummaryView>> {
    const { page, filter } = readQuery(query, (reader) => ({
      page: reader.page(),
      filter: {
        status: reader.choice('status', IMPORT_PROCESS_STATUSES),
        errorCode: reader.text('error_code', { max: 128 }),
        text: reader.text('text', { max: 128 }),
        submission: reader.id('submission'),
        from: reader.moment('from'),
        to: reader.moment('to'),
      },
    }));
    return this.lists.list(code, filter, page);
  }

  @Get('suppliers/:code/processes/:id')
  @DescribeProcess()
  async read(@Param('code') code: string, @Param('id') id: string): Promise<ProcessDetailView> {
    return this.views.read(code, id);
  }

  @Post('suppliers/:code/processes/:id/payload')
  @DescribePayload()
  async payload(@Param('code') code: string, @Param('id') id: string): Promise<{ payload: unknown }> {
    return this.views.readPayload(code, id);
  }

  @Post('suppliers/:code/processes/:id/erase')
  @DescribeEraseProcess()
  async erase(
    @Param('code') code: string,
    @Param('id') id: string,
    @Body() body: Input | undefined,
  ): Promise<{ external_account_number: string; was_erased_before: boolean }> {
    const typed = readBody(body, (reader) => {
      reader.only('confirm');
      return reader.text('confirm');
    });
    const number = await this.views.numberOf(code, id);
    requireTyped(typed, number, 'the external account number');
    const isNew = await this.erasure.erase(code, number);
    return { external_account_number: number, was_erased_before: !isNew };
  }

  @Get('suppliers/:code/failed-accounts')
  @DescribeFailedAccounts()
  async failed(
    @Param('code') code: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.views.requireSupplier(code);
    void reply.header('Content-Disposition', 'attachment; filename="failed-accounts.csv"');
    const media = { type: `${CSV}; charset=utf-8; header=present` };
    await sendTextStream(toFailedCsv(this.report.listFailed(code)), media, request, reply, this.logger);
  }

  @Post('suppliers/:code/process-actions/preview')
  @DescribePreview()
  async preview(@Param('code') code: string, @Body() body: Input | undefined): Promise<ActionPreviewView> {
    const { action, selection } = readBody(body, (reader, members) => {
      reader.only('action', 'selection');
      return readAction(reader, members);
    });
    return this.actions.preview(code, action, selection);
  }

  @Post('suppliers/:code/process-actions')
  @DescribeAction()
  async act(@Param('code') code: string, @Body() body: Input | undefined): Promise<ActionResultView> {
    const confirmed = readBody(body, (reader, members) => {
      reader.only('action', 'selection', 'supplier_code_typed', 'token', 'cursor');
      return {
        ...readAction(reader, members),
        typedCode: reader.text('supplier_code_typed', { isRequired: true }) ?? '',
        token: reader.text('token'),
        cursor: reader.text('cursor', { max: 2_048 }),
      };
    });
    return this.actions.act(code, confirmed);
  }
}

/** Without a filter the action is for all processes that it can change: `selection` is `{}` then, and not missing. */
function readAction(
  reader: InputReader,
  body: Input,
): { action: SteeringAction; selection: ActionSelection } {
  const action = reader.choice('action', ACTIONS, { isRequired: true }) ?? 'cancel';
  const { selection } = body;
  if (typeof selection !== 'object' || selection === null || Array.isArray(selection)) {
    reader.refuse(
      'selection',
      'required',
      'Enter an object; {} selects all processes that the action can change.',
    );
    return { action, selection: {} };
  }
  const part = new InputReader(selection as Input, 'The request is not valid.', 'selection.');
  part.only('status', 'error_code', 'submission', 'first', 'external_account_numbers');
  const read: ActionSelection = {
    status: part.choice('status', IMPORT_PROCESS_STATUSES),
    errorCode: part.text('error_code', { max: 128 }),
    submission: part.id('submission'),
    first: part.integer('first', 1, 999_999_999),
    externalAccountNumbers: part.texts('external_account_numbers', MAX_SELECTED_NUMBERS),
  };
  if (read.externalAccountNumbers && (read.first ?? read.submission) !== undefined)
    part.refuse('external_account_numbers', 'invalid', 'Excludes first and submission.');
  part.finish();
  return { action, selection: read };
}
