import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AUDIT_ACTIONS, type AuditAction } from '@portage/platform';

/** An entry of the audit. */
@ApiSchema({ name: 'AuditEntry' })
export class AuditEntryView {
  @ApiProperty({ format: 'date-time' })
  occurred_at: string;

  @ApiProperty()
  actor: string;

  @ApiProperty({ type: String, enum: [...AUDIT_ACTIONS] })
  action: AuditAction;

  @ApiProperty({ nullable: true, type: String })
  import_supplier: string | null;

  @ApiProperty({ nullable: true, type: String })
  subject: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true })
  details: Record<string, unknown>;
}
