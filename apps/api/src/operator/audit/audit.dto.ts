import { ApiSchema } from '@nestjs/swagger';
import { AUDITED_BY, AuditEntryView, PageOf } from '@portage/operators';
import { AUDIT_ACTIONS, type AuditAction } from '@portage/platform';
import { ChoiceField, MomentField, TextField } from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** A page of the audit. */
@ApiSchema({
  description:
    'A page can have fewer items than `limit`, or none, although `next_cursor` is set: one request examines at most 5,000 entries. Read on with the cursor until it is null.',
})
export class AuditPage extends PageOf(AuditEntryView) {}

/** The query of the audit. */
export class AuditQuery extends PageQuery {
  @MomentField({ description: 'Since this moment.' })
  since?: Date;

  @MomentField({ description: 'Before this moment.' })
  until?: Date;

  @TextField({ max: 128, description: 'Only changes of this supplier.' })
  supplier?: string;

  @TextField({
    max: 128,
    description:
      'Only changes by this actor: `operator:<name>`, `api-key:<prefix>`, or the name or prefix alone.',
  })
  actor?: string;

  @ChoiceField(AUDITED_BY, {
    description: 'Only changes by operators (`people`), or by the programs of suppliers.',
  })
  by?: (typeof AUDITED_BY)[number];

  @ChoiceField(AUDIT_ACTIONS, { description: 'Only this action.' })
  action?: AuditAction;
}
