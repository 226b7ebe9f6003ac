import type { Page } from '@portage/operators';
import { AUDITED_BY, AuditEntryView } from '@portage/operators';
import { AUDIT_ACTIONS, type AuditAction } from '@portage/platform';
import { ChoiceField, MomentField, TextField } from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** A page of the audit. */
export type AuditPage = Page<AuditEntryView>;

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
