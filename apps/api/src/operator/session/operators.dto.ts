import type { List } from '@portage/operators';
import { OperatorView, OPERATOR_ROLES } from '@portage/operators';
import { AnyTextField, FlagField } from '../../http/fields';

/** All operators. */
export interface OperatorList extends List<OperatorView> {
  next_cursor: null;
}

/** The body that creates an operator. */
export class CreateOperatorRequest {
  @AnyTextField({ required: true })
  name: string;

  @AnyTextField({ required: true, schema: { enum: [...OPERATOR_ROLES] } })
  role: string;
}

/** The changes of an operator. */
export class ChangeOperatorRequest {
  @AnyTextField({ schema: { enum: [...OPERATOR_ROLES] } })
  role?: string;

  @FlagField()
  is_disabled?: boolean;
}
