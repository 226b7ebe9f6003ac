import { AUDIT_ACTIONS, type AuditAction } from '@portage/domain';
import { AuditEntryView, PageOf } from '@portage/importing';
import { ChoiceField, MomentField, TextField } from '../../http/fields';
import { PageQuery } from '../page.dto';

/** A page of the audit. */
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
    description: 'Only changes by this actor: `operator:<name>` or `api-key:<prefix>`.',
  })
  actor?: string;

  @ChoiceField(AUDIT_ACTIONS, { description: 'Only this action.' })
  action?: AuditAction;
}
