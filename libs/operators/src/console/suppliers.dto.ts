import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { ImportProcessStatus } from '@portage/imports';
import {
  IMPORT_SUPPLIER_STATUSES,
  type ImportSupplierStatus,
  ImportSupplierView,
  SupplierQuotasView,
} from '@portage/tenants';

/** Epoch seconds, accepted, processed, errored, mean latency in milliseconds. */
export type ThroughputPoint = [
  at: number,
  accepted: number,
  processed: number,
  errored: number,
  latencyMs: number | null,
];

const LATENCY = { type: ['number', 'null'] };

/** A supplier with all its settings. */
@ApiSchema({ name: 'Supplier' })
export class SupplierSettingsView extends ImportSupplierView {
  @ApiProperty()
  organisation: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } as object,
    description: 'Settings of the account rules by name. In a change, null restores the default.',
  })
  rule_settings: Record<string, unknown>;

  @ApiProperty({ format: 'date-time' })
  modified_at: string;
}

@ApiSchema({
  name: 'StateCounts',
  description:
    'Processes by state. STAGED counts accounts that wait for a request to process them; they are among PENDING.',
})
export class StateCountsView implements Record<ImportProcessStatus | 'STAGED', number> {
  @ApiProperty({ type: 'integer' })
  PENDING: number;

  @ApiProperty({ type: 'integer' })
  IN_PROGRESS: number;

  @ApiProperty({ type: 'integer' })
  DRY_RUN_SUCCEEDED: number;

  @ApiProperty({ type: 'integer' })
  DRY_RUN_ERRORED: number;

  @ApiProperty({ type: 'integer' })
  CANCELLED: number;

  @ApiProperty({ type: 'integer' })
  PROCESSED: number;

  @ApiProperty({ type: 'integer' })
  ERRORED: number;

  @ApiProperty({ type: 'integer' })
  STAGED: number;
}

/** A supplier in the overview. */
@ApiSchema({ name: 'SupplierSummary' })
export class SupplierSummaryView {
  @ApiProperty()
  code: string;

  @ApiProperty()
  organisation: string;

  @ApiProperty({ type: String, enum: [...IMPORT_SUPPLIER_STATUSES] })
  status: ImportSupplierStatus;

  @ApiProperty()
  states: StateCountsView;

  @ApiProperty({ description: 'Accounts that were processed in the last ten seconds; 0 if none was.' })
  processed_per_second: number;

  @ApiProperty({ description: 'The same over the last minute.' })
  processed_per_second_of_minute: number;

  @ApiProperty({
    minItems: 60,
    maxItems: 60,
    type: 'integer',
    isArray: true,
    description: 'Accounts processed in each of the last 60 full minutes, the oldest first.',
  })
  sparkline: number[];

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description:
      'When the account was received that has waited longest, neither for its window nor for a request.',
  })
  oldest_waiting_at: string | null;

  @ApiProperty({ type: 'integer', description: 'ERRORED and DRY_RUN_ERRORED.' })
  errored: number;

  @ApiProperty({
    nullable: true,
    format: 'date-time',
    type: String,
    description:
      'Null while no account has come to its end for ten seconds, or none waits. Not before the last schedule window opens.',
  })
  estimated_end_at: string | null;

  @ApiProperty({ format: 'date-time', description: 'The moment of all these figures.' })
  counted_at: string;
}

/** What has become of the accounts of a supplier. */
@ApiSchema({ name: 'Funnel' })
export class FunnelView {
  @ApiProperty({
    type: 'integer',
    description:
      'Lines of submissions without an account, because they were refused. They are not among `received`.',
  })
  refused_lines: number;

  @ApiProperty({ type: 'integer', description: 'All accounts.' })
  received: number;

  @ApiProperty({ type: 'integer', description: 'Accounts that have not ended with an error.' })
  valid: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts whose dry run has succeeded, or that were created after one.',
  })
  dry_run_succeeded: number;

  @ApiProperty({ type: 'integer', description: 'PROCESSED.' })
  created: number;

  @ApiProperty({
    type: 'integer',
    description: 'Created accounts that have documents or an e-mail, all of which are settled.',
  })
  followed_up: number;

  @ApiProperty({ type: 'integer' })
  errored: number;

  @ApiProperty({ type: 'integer' })
  cancelled: number;
}

/** An account that ended with an error. */
export class FailedAccountExample {
  @ApiProperty()
  process_id: string;

  @ApiProperty()
  external_account_number: string;
}

/** An error code, how often accounts ended with it, and how often lines were refused with it. */
@ApiSchema({ name: 'TopError' })
export class TopErrorView {
  @ApiProperty()
  code: string;

  @ApiProperty({ type: 'integer', description: 'Accounts that ended with it.' })
  count: number;

  @ApiProperty({ type: 'integer', description: 'Refused lines of which it is the first error.' })
  refused_lines: number;

  @ApiProperty({ description: 'Of all accounts with an error and refused lines, from 0 to 1.' })
  share: number;

  @ApiProperty({ nullable: true, type: FailedAccountExample })
  example: FailedAccountExample | null;
}

/** A supplier with its counts. */
@ApiSchema({ name: 'SupplierDetail' })
export class SupplierDetailView {
  @ApiProperty()
  settings: SupplierSettingsView;

  @ApiProperty()
  summary: SupplierSummaryView;

  @ApiProperty()
  funnel: FunnelView;

  @ApiProperty({ type: [TopErrorView], description: 'At most 10, the most frequent first.' })
  top_errors: TopErrorView[];

  @ApiProperty({
    nullable: true,
    type: Number,
    description: 'Mean time from the acceptance of an account to its creation, over the last hour.',
  })
  latency_ms: number | null;

  @ApiProperty()
  quotas: SupplierQuotasView;
}

/** Figures of a supplier over time. */
@ApiSchema({ name: 'Throughput' })
export class ThroughputView {
  @ApiProperty({ type: 'integer' })
  step_seconds: number;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'array',
      prefixItems: [
        { type: 'integer' },
        { type: 'integer' },
        { type: 'integer' },
        { type: 'integer' },
        LATENCY,
      ],
      items: LATENCY,
      minItems: 5,
      maxItems: 5,
    } as object,
    description:
      'One for each step without a gap, the oldest first: seconds since 1970, accepted, processed, errored, mean latency in milliseconds or null. Accepted counts accounts that were received for the first time.',
  })
  points: ThroughputPoint[];
}
