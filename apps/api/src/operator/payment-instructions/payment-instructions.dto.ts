import {
  INSTRUCTION_OUTCOMES,
  type InstructionOutcomeName,
  InstructionRequestView,
  PageOf,
} from '@portage/operators';
import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField } from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** The query of the list of requests for payment instructions. */
export class InstructionRequestsQuery extends PageQuery {
  @ChoiceField(INSTRUCTION_OUTCOMES, { description: 'Only requests with this outcome.' })
  outcome?: InstructionOutcomeName;
}

/** A page of requests for payment instructions. */
@ApiSchema({
  name: 'PaymentInstructionRequestPage',
  description:
    'A page can have fewer items than `limit`, or none, although `next_cursor` is set: one request examines at most 10,000, those of other suppliers included. Read on with the cursor until it is null.',
})
export class InstructionRequestPage extends PageOf(InstructionRequestView) {}
