import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { ProcessError } from '@portage/platform';
import {
  CORRECTION_STATUSES,
  type CorrectionStatus,
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  type TransferStatus,
} from './status';

/** Why the import of an account has ended. */
@ApiSchema({ name: 'ProcessError' })
export class ProcessErrorView implements ProcessError {
  @ApiProperty()
  code: string;

  @ApiProperty()
  detail: string;

  @ApiProperty({ type: String, enum: ['import_process'] })
  domain: 'import_process';
}

/** The latest event of an import process. */
@ApiSchema({ name: 'ImportProcessEvent' })
export class ImportProcessEventView {
  @ApiProperty({
    enum: ['CREATED', 'PROCESSED', 'ERRORED'].map((event) => `EVENT_ACCOUNT_IMPORT_PROCESS_${event}`),
  })
  event: string;

  @ApiProperty({ format: 'date-time' })
  occurred_at: string;

  @ApiProperty({ type: ProcessErrorView, nullable: true })
  data: ProcessError | null;
}

/** The last correction of an account. */
@ApiSchema({ name: 'CorrectionState' })
export class CorrectionStateView {
  @ApiProperty({ type: 'integer', description: 'The version of the import process that it is.' })
  version: number;

  @ApiProperty({ type: String, enum: [...CORRECTION_STATUSES] })
  status: CorrectionStatus;

  @ApiProperty({ description: 'True for a rehearsal, which changes nothing.' })
  is_dry_run: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  ended_at: string | null;

  @ApiProperty({
    type: ProcessErrorView,
    nullable: true,
    description: 'Why it has failed. The account is as it was before.',
  })
  error: ProcessError | null;
}

/** The v2 view of an import process (contract, "Import process in v2"). */
@ApiSchema({ name: 'ImportProcess' })
export class ImportProcessStatusView {
  @ApiProperty({ type: String, enum: [...IMPORT_PROCESS_STATUSES] })
  status: ImportProcessStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The account number, once the status is PROCESSED.',
  })
  platform_identifier: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  modified_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The import does not begin before. Null: it may begin at once.',
  })
  schedule_window_start: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The import is cancelled if it has not begun by then. Null: it has no end.',
  })
  schedule_window_end: string | null;

  @ApiProperty()
  latest_event: ImportProcessEventView;

  @ApiProperty({ type: ProcessErrorView, nullable: true })
  latest_error: ProcessError | null;

  @ApiProperty({
    type: CorrectionStateView,
    nullable: true,
    description: 'The last correction of the account; null without one. The status stays PROCESSED.',
  })
  correction: CorrectionStateView | null;
}

/** An example of `ImportProcess`: an imported account. */
export const exampleImportProcess = {
  status: 'PROCESSED',
  platform_identifier: 'A-9c41e07b',
  created_at: '2026-11-21T09:30:00.123456+00:00',
  modified_at: '2026-11-21T09:30:00.189012+00:00',
  schedule_window_start: null,
  schedule_window_end: '2026-11-25T09:30:00.000000+00:00',
  latest_event: {
    event: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED',
    occurred_at: '2026-11-21T09:30:00.189012+00:00',
    data: null,
  },
  latest_error: null,
  correction: null,
} satisfies ImportProcessStatusView;

/** The v1 view of an import process (contract, "Import process in v1"). */
@ApiSchema({ name: 'AccountTransferStatus' })
export class TransferStatusView {
  @ApiProperty({ type: String, enum: ['UNKNOWN', 'COMPLETED', 'IN_PROGRESS'] })
  status: TransferStatus;

  @ApiProperty({ description: 'Empty until an account exists.' })
  platform_account_number: string;
}

/** An item of the list endpoints (contract, "Import process in v1"), with the members that were asked for. */
export class ListItem {
  @ApiProperty()
  external_account_number: string;

  @ApiProperty({ type: String, nullable: true })
  platform_account_number: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  account_created_at: string | null;

  @ApiPropertyOptional({
    type: String,
    enum: [...IMPORT_PROCESS_STATUSES],
    description: 'With `include=status`.',
  })
  status?: ImportProcessStatus;

  @ApiPropertyOptional({ type: ProcessErrorView, nullable: true, description: 'With `include=error`.' })
  error?: ProcessError | null;
}
