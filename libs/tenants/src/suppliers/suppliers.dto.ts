import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { QUOTA_KINDS, type QuotaName, type QuotaUse } from '@portage/platform';
import type { RuleSettingValues } from './import-supplier.entity';
import { IMPORT_SUPPLIER_STATUSES, type ImportSupplierStatus } from './import-supplier';
import { settingsClass, type SupplierSetting } from './supplier-settings';

/** The most codes of a list that an answer has. */
export const MAX_CODES = 1_000;

/** An import supplier and its settings. */
export class ImportSupplierView extends settingsClass((setting) => ApiProperty(schemaOf(setting))) {
  @ApiProperty()
  code: string;

  @ApiProperty({ type: String, enum: [...IMPORT_SUPPLIER_STATUSES] })
  status: ImportSupplierStatus;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

function schemaOf(setting: SupplierSetting): ApiPropertyOptions {
  const { type, description } = setting;
  if (type === 'number') return { type: 'integer', nullable: true, description };
  if (type === 'flag') return { type: 'boolean', description };
  return { type: 'string', description, ...(setting.choices && { enum: [...setting.choices] }) };
}

/** The limits of requests. */
export class SupplierLimits {
  @ApiProperty({ type: 'integer' })
  max_body_bytes: number;

  @ApiProperty({ type: 'integer' })
  max_array_items: number;

  @ApiProperty({ type: 'integer' })
  max_errors: number;
}

/** What is stored of one kind. */
@ApiSchema({ name: 'Quota' })
export class QuotaView implements QuotaUse {
  @ApiProperty({ type: 'integer', description: 'At most the limit.' })
  used: number;

  @ApiProperty({ type: 'integer' })
  limit: number;
}

/** What a supplier has stored, beside its accounts. A request that would exceed a limit gets `quota_reached`. */
@ApiSchema({ name: 'SupplierQuotas' })
export class SupplierQuotasView implements Record<QuotaName, QuotaView> {
  @ApiProperty({ description: QUOTA_KINDS.open_submissions.description })
  open_submissions: QuotaView;

  @ApiProperty({ description: QUOTA_KINDS.refused_lines.description })
  refused_lines: QuotaView;

  @ApiProperty({ description: QUOTA_KINDS.staged_accounts.description })
  staged_accounts: QuotaView;

  @ApiProperty({ description: QUOTA_KINDS.audit_entries.description })
  audit_entries: QuotaView;

  @ApiProperty({ description: QUOTA_KINDS.account_reads.description })
  account_reads: QuotaView;

  @ApiProperty({ description: QUOTA_KINDS.idempotency_keys.description })
  idempotency_keys: QuotaView;

  @ApiProperty({ description: QUOTA_KINDS.webhook_attempts.description })
  webhook_attempts: QuotaView;
}

/** A list of the operator that accounts are checked against, with the codes that accounts may have. */
@ApiSchema({ name: 'ReferenceCodes' })
export class ReferenceCodesView {
  @ApiProperty({
    description:
      'The name of the list. `tariffs` are those of the list `products`, `campaigns` are named by their slugs.',
  })
  list: string;

  @ApiProperty({
    nullable: true,
    type: String,
    enum: ['ELECTRICITY', 'GAS', null],
    description: 'The supply type for which the codes are valid; null: for any.',
  })
  supply_type: 'ELECTRICITY' | 'GAS' | null;

  @ApiProperty({ type: 'integer', description: 'The number of all codes.' })
  count: number;

  @ApiProperty({ type: [String], maxItems: MAX_CODES, description: `The first ${MAX_CODES} codes.` })
  codes: string[];
}

/** An import supplier as the supplier sees it. */
@ApiSchema({ name: 'SupplierProfile' })
export class SupplierProfileView extends ImportSupplierView {
  @ApiProperty()
  auto_allocate_operations_team: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The other settings of the account rules that differ from their defaults.',
  })
  rule_settings: RuleSettingValues;

  @ApiProperty()
  limits: SupplierLimits;

  @ApiProperty()
  quotas: SupplierQuotasView;

  @ApiProperty({
    type: [ReferenceCodesView],
    description: 'The lists in force. Values are not checked against a list that is not there.',
  })
  reference_data: ReferenceCodesView[];
}
