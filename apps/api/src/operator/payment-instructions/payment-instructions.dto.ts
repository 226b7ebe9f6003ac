import type { Page } from '@portage/operators';
import {
  INSTRUCTION_OUTCOMES,
  type InstructionOutcomeName,
  InstructionRequestView,
} from '@portage/operators';
import { ChoiceField } from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** The query of the list of requests for payment instructions. */
export class InstructionRequestsQuery extends PageQuery {
  @ChoiceField(INSTRUCTION_OUTCOMES, { description: 'Only requests with this outcome.' })
  outcome?: InstructionOutcomeName;
}

/** A page of requests for payment instructions. */
export type InstructionRequestPage = Page<InstructionRequestView>;
